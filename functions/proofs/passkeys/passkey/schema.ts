import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp, timestampInput } from '../../../kernel/values.ts';
import type { PasskeyRecord } from './entity.ts';

const base64url = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .regex(/^[A-Za-z0-9_-]+$/, 'is base64url without padding');

const name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[^\p{C}]*$/u, 'has no control characters');

export const Passkey = z
  .object({
    object: z.literal('passkey'),
    id: z.string(),
    user_id: z.string(),
    name: z.string(),
    credential_id: z.string().describe('The id that the authenticator gave the credential, in base64url.'),
    rp_id: z.string().describe('The domain to which browsers bind the passkey.'),
    usable: z.boolean().describe('False if the service has another domain now: then no browser offers the passkey.'),
    verifies_user: z
      .boolean()
      .describe('True if the authenticator has verified its user. A passkey without it is a second factor only.'),
    transports: z.array(z.string()),
    backup_eligible: z
      .boolean()
      .describe('True if the authenticator may copy the passkey to other devices of the user.'),
    backed_up: z.boolean(),
    sign_count: z.int(),
    counter_went_back_at: timestamp
      .nullable()
      .describe('The last time when the counter went backwards, which a copy of the authenticator may have caused.'),
    last_used_at: timestamp.nullable(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Passkey' });

export const PasskeyList = listSchema(Passkey).meta({ id: 'PasskeyList' });

export const ListPasskeys = z.object({
  ...pageMembers('passkey', 'normal'),
  user_id: z.string().min(1).max(128).describe('The user whose passkeys are listed.'),
});

export const RenamePasskey = z.object({ name }).meta({ id: 'RenamePasskey' });

export const ImportPasskey = z
  .object({
    user_id: z.string().min(1).max(128),
    credential_id: base64url(1_364).describe('The id of the credential, in base64url.'),
    public_key: base64url(4_096).describe('The COSE key in base64url, for EdDSA, ES256 or RS256.'),
    user_handle: base64url(88).describe('The user handle with which the credential was created, in base64url.'),
    rp_id: z
      .string()
      .min(1)
      .max(253)
      .optional()
      .describe('The domain on which the credential was created; that of this service by default.'),
    name: name.optional(),
    sign_count: z.int().min(0).max(4_294_967_295).default(0).describe('The last signature counter that was seen.'),
    transports: z
      .array(z.string().max(32))
      .max(10)
      .default([])
      .describe('How browsers reach the authenticator, such as `internal` or `usb`.'),
    backup_eligible: z.boolean().default(false).describe('Whether the credential can be backed up (the flag BE).'),
    backed_up: z.boolean().default(false).describe('Whether the credential is backed up (the flag BS).'),
    verifies_user: z
      .boolean()
      .default(false)
      .describe(
        'True if the authenticator is known to verify its user. Otherwise it becomes true at the first sign-in that shows it.',
      ),
    created_at: timestampInput.optional().describe('The time at which the passkey was created.'),
    last_used_at: timestampInput.optional().describe('The time of the last sign-in with the passkey.'),
  })
  .meta({ id: 'ImportPasskey' });

/**
 * A passkey as callers see it.
 * @param rpId the domain of the service, undefined where browsers offer no passkeys
 */
export const presentPasskey = (record: PasskeyRecord, rpId: string | undefined): z.input<typeof Passkey> => ({
  object: 'passkey',
  id: record.id,
  user_id: record.userId,
  name: record.name,
  credential_id: record.credentialId,
  rp_id: record.rpId,
  usable: record.rpId === rpId,
  verifies_user: record.verifiesUser,
  transports: record.transports,
  backup_eligible: record.canBeBackedUp,
  backed_up: record.isBackedUp,
  sign_count: record.counter,
  counter_went_back_at: record.counterWentBackAt ?? null,
  last_used_at: record.lastUsedAt ?? null,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
