import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, timestamp } from './values.ts';

/** The record of a code or token that was sent to a user, without the code or token itself. */
const sent = { id: text, user_id: text, email: text, expires_at: timestamp, created_at: timestamp };

const EmailVerification = z.object({ object: z.literal('email_verification'), ...sent, updated_at: timestamp });

const MagicAuth = z.object({ object: z.literal('magic_auth'), ...sent, updated_at: timestamp });

const PasswordReset = z.object({ object: z.literal('password_reset'), ...sent });

/** Codes and tokens that prove access to a mailbox. */
export const oneTimeCodeEvents = {
  'email_verification.created': { data: EmailVerification, subscribable: true },
  'magic_auth.created': { data: MagicAuth, subscribable: true },
  'password_reset.created': { data: PasswordReset, subscribable: true },
  'password_reset.succeeded': { data: PasswordReset, subscribable: true },
} as const satisfies EventFamily<'email_verification.' | 'magic_auth.' | 'password_reset.'>;
