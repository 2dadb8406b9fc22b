import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull, timestamp, timestampOrNull } from './values.ts';

/** The methods by which a session's user signs in, as the contract names them. */
export const AUTH_METHODS = [
  'cross_app_auth',
  'external_auth',
  'impersonation',
  'magic_code',
  'migrated_session',
  'oauth',
  'passkey',
  'password',
  'sso',
  'unknown',
] as const;

export type AuthMethod = (typeof AUTH_METHODS)[number];

/** A user's session. */
const SessionRecord = z.object({
  object: z.literal('session'),
  id: text,
  impersonator: z.object({ email: text, reason: textOrNull }).optional(),
  ip_address: textOrNull,
  organization_id: text.optional(),
  user_agent: textOrNull,
  user_id: text,
  auth_method: z.enum(AUTH_METHODS),
  status: z.enum(['active', 'expired', 'revoked']),
  expires_at: timestamp,
  ended_at: timestampOrNull,
  created_at: timestamp,
  updated_at: timestamp,
});

/** Events of sessions. */
export const sessionEvents = {
  'session.created': { data: SessionRecord, subscribable: true },
  'session.revoked': { data: SessionRecord, subscribable: true },
} as const satisfies EventFamily<'session.'>;
