import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { secret, timestamp } from '../../../kernel/values.ts';
import type { FactorRecord } from './entity.ts';

const Sms = z.object({ phone_number: z.string() });
const Totp = z.object({ issuer: z.string(), user: z.string() });
const EnrolledTotp = Totp.extend({ secret, qr_code: secret, uri: secret });

const members = {
  object: z.literal('authentication_factor'),
  id: z.string(),
  type: z.enum(['generic_otp', 'sms', 'totp', 'webauthn']),
  user_id: z.string().optional(),
  sms: Sms.optional(),
  created_at: timestamp,
  updated_at: timestamp,
};

export const AuthenticationFactor = z
  .object({ ...members, totp: Totp.optional() })
  .meta({ id: 'AuthenticationFactor' });

/** The response to an enrolment, the only one that contains the secret of an authenticator app. */
export const AuthenticationFactorEnrolled = z
  .object({ ...members, totp: EnrolledTotp.optional() })
  .meta({ id: 'AuthenticationFactorEnrolled' });

export type EnrolledFactor = z.input<typeof AuthenticationFactorEnrolled>;

export const AuthenticationFactorList = listSchema(AuthenticationFactor).meta({
  id: 'UserlandUserAuthenticationFactorList',
});
export const ListAuthenticationFactors = z.object(pageMembers('auth_factor', 'normal'));

// A label in an app: one line without a colon, because a colon separates issuer and account in the URI that contains both.
// Its bytes are limited too, because each may take three characters in that URI, which has to fit into a QR code.
const labelSchema = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^:\p{C}]*$/u, 'has neither colons nor control characters')
    .refine((text) => new TextEncoder().encode(text).length <= most + 64, `has at most ${most + 64} bytes`);

const totpIssuer = labelSchema(64)
  .optional()
  .describe('The name of your product in the app. Default: `brand.name` of the settings for messages.');
const totpUser = labelSchema(254)
  .optional()
  .describe('The name of the account in the app. Default: the email address of the user; required without a user.');

export const EnrollFactor = z
  .object({
    type: z
      .enum(['generic_otp', 'sms', 'totp'])
      .describe('`totp`: an authenticator app. `sms`: codes by SMS. `generic_otp`: codes that you deliver yourself.'),
    phone_number: z
      .string()
      .max(40)
      .optional()
      .describe('The phone number in E.164, such as +15550100; required for `sms`, and only for it.'),
    totp_issuer: totpIssuer,
    totp_user: totpUser,
    user_id: z.string().min(1).max(128).optional(),
  })
  .meta({ id: 'EnrollAuthenticationFactorDto' });

export const EnrollUserFactor = z
  .object({
    type: z.literal('totp').describe('An authenticator app.'),
    totp_issuer: totpIssuer,
    totp_user: totpUser,
    totp_secret: secret.max(200).optional().describe('A secret to import: Base32 of 10 to 64 bytes.'),
  })
  .meta({ id: 'EnrollUserlandUserAuthenticationFactorDto' });

/** A stored factor as callers see it, without its seed. */
export function presentFactor(record: FactorRecord): z.input<typeof AuthenticationFactor> {
  const { id, type, userId, phoneNumber, issuer, account, createdAt, updatedAt } = record;
  return {
    object: 'authentication_factor',
    id,
    type,
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(phoneNumber === undefined ? {} : { sms: { phone_number: phoneNumber } }),
    ...(issuer === undefined || account === undefined ? {} : { totp: { issuer, user: account } }),
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
