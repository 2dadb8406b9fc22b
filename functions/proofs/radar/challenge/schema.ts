import * as z from 'zod';

import { secret, timestamp } from '../../../kernel/values.ts';
import type { RadarChallengeRecord } from './entity.ts';

export const RadarChallenge = z
  .object({
    object: z.literal('radar_challenge'),
    id: z.string(),
    type: z.literal('email'),
    user_id: z.string(),
    email: z.string(),
    expires_at: timestamp,
    created_at: timestamp,
    updated_at: timestamp,
    code: secret,
  })
  .meta({ id: 'RadarChallenge' });

export const SendRadarSmsChallenge = z
  .object({
    user_id: z.string().min(1).max(128),
    pending_authentication_token: secret.min(1).max(1_024),
    phone_number: z.string().max(40),
    ip_address: z.string().max(100).optional(),
    user_agent: z.string().max(1_024).optional(),
  })
  .meta({ id: 'SendRadarSmsChallengeDto' });

export const SendRadarSmsChallengeResponse = z
  .object({ verification_id: z.string(), phone_number: z.string() })
  .meta({ id: 'SendRadarSmsChallengeResponse' });

/** A challenge by mail as callers see it, with its decrypted code. */
export function presentRadarChallenge(record: RadarChallengeRecord, code: string): z.input<typeof RadarChallenge> {
  const { id, userId, email = '', codeExpiresAt, createdAt, updatedAt } = record;
  return {
    object: 'radar_challenge',
    id,
    type: 'email',
    user_id: userId,
    email,
    expires_at: codeExpiresAt,
    created_at: createdAt,
    updated_at: updatedAt,
    code,
  };
}
