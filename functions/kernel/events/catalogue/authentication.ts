import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull } from './values.ts';

/** The client of an attempt. */
const origin = { ip_address: textOrNull, user_agent: textOrNull };

/** The user of an attempt, who may be unknown. */
const userMembers = { user_id: textOrNull, email: textOrNull };

const AttemptError = z.object({ code: text, message: text });

const SingleSignOn = z.object({ organization_id: textOrNull, connection_id: textOrNull, session_id: textOrNull });

const failed = <Method extends string>(method: Method) =>
  z.object({ type: z.literal(method), status: z.literal('failed'), ...origin, ...userMembers, error: AttemptError });

const succeeded = <Method extends string>(method: Method) =>
  z.object({ type: z.literal(method), status: z.literal('succeeded'), ...origin, user_id: text, email: text });

const singleSignOn = <Status extends string>(status: Status) =>
  z.object({ type: z.literal('sso'), status: z.literal(status), ...origin, ...userMembers, sso: SingleSignOn });

/** A sign-in through a provider can succeed before the user exists. */
const OAuthSucceeded = succeeded('oauth').extend({ user_id: textOrNull });

const RadarRisk = z.object({
  auth_method: text,
  action: z.enum(['signup', 'login']),
  control: textOrNull,
  blocklist_type: textOrNull,
  ...origin,
  user_id: text,
  email: text,
});

/** Attempts to sign in, by method, and their detected risks. */
export const authenticationEvents = {
  'authentication.email_verification_failed': { data: failed('email_verification'), subscribable: false },
  'authentication.email_verification_succeeded': { data: succeeded('email_verification'), subscribable: true },
  'authentication.magic_auth_failed': { data: failed('magic_auth'), subscribable: true },
  'authentication.magic_auth_succeeded': { data: succeeded('magic_auth'), subscribable: true },
  'authentication.mfa_failed': { data: failed('mfa'), subscribable: false },
  'authentication.mfa_succeeded': { data: succeeded('mfa'), subscribable: true },
  'authentication.oauth_failed': { data: failed('oauth'), subscribable: true },
  'authentication.oauth_succeeded': { data: OAuthSucceeded, subscribable: true },
  'authentication.passkey_failed': { data: failed('passkey'), subscribable: true },
  'authentication.passkey_succeeded': { data: succeeded('passkey'), subscribable: true },
  'authentication.password_failed': { data: failed('password'), subscribable: true },
  'authentication.password_succeeded': { data: succeeded('password'), subscribable: true },
  'authentication.radar_risk_detected': { data: RadarRisk, subscribable: true },
  'authentication.reauthentication_succeeded': { data: succeeded('reauthentication'), subscribable: true },
  'authentication.sso_failed': { data: singleSignOn('failed').extend({ error: AttemptError }), subscribable: true },
  'authentication.sso_started': { data: singleSignOn('started'), subscribable: true },
  'authentication.sso_succeeded': { data: singleSignOn('succeeded').extend({ email: text }), subscribable: true },
  'authentication.sso_timed_out': {
    data: singleSignOn('timed_out').extend({ error: AttemptError }),
    subscribable: true,
  },
} as const satisfies EventFamily<'authentication.'>;
