import * as z from 'zod';

import { secret, timestamp } from '../../../kernel/values.ts';
import type { ChallengeRecord } from './entity.ts';

export const AuthenticationChallenge = z
  .object({
    object: z.literal('authentication_challenge'),
    id: z.string(),
    expires_at: timestamp.optional(),
    code: secret.optional(),
    authentication_factor_id: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AuthenticationChallenge' });

export type PresentedChallenge = z.input<typeof AuthenticationChallenge>;

/** The placeholder for the code in the text of an SMS. */
const PLACE = /\{\{\s*code\s*\}\}/g;

export const ChallengeFactor = z
  .object({
    sms_template: z
      .string()
      .max(160)
      .refine((text) => text === '' || text.match(PLACE)?.length === 1, 'names {{code}} once')
      .optional()
      .describe('The text of an SMS, with `{{code}}` once. If it is absent or empty, the default text is sent.'),
  })
  .meta({ id: 'ChallengeAuthenticationFactorDto' });

/** Makes the text of an SMS from its template. */
export const fillTemplate = (template: string, code: string): string => template.replace(PLACE, () => code);

export const VerifyChallenge = z
  .object({
    code: secret
      .min(1)
      .max(100)
      .describe(
        'The code that the user entered: that of the authenticator app, of the SMS, or of the `generic_otp` challenge.',
      ),
  })
  .meta({ id: 'VerifyAuthenticationChallengeDto' });

export const ChallengeVerification = z
  .object({ challenge: AuthenticationChallenge, valid: z.boolean() })
  .meta({ id: 'AuthenticationChallengeVerifyResponse' });

/** A stored challenge as callers see it, without its code. */
export const presentChallenge = (record: ChallengeRecord): PresentedChallenge => ({
  object: 'authentication_challenge',
  id: record.id,
  expires_at: record.endsAt,
  authentication_factor_id: record.factorId,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
