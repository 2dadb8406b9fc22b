import * as z from 'zod';

import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '../durations.ts';
import { log } from '../log.ts';
import { settings } from '../settings.ts';

/** A number of attempts in a window of seconds; both positive whole numbers. */
export interface Limit {
  limit: number;
  windowSeconds: number;
}

interface NamedLimit extends Limit {
  /** The maximum that an environment may set, since a larger limit would not protect against guessing. */
  most: number;
  /** True for a limit that is counted by the client's address, which GATEHOUSE_ADDRESS_LIMITS=off disables. */
  perAddress?: true;
}

/**
 * The limits that environments may override, and their defaults. A name is `<what is tried>.<what it is counted by>`.
 * An environment overrides in its settings: `{"limits": {"sign-in.email": {"limit": 20, "window_seconds": 60}}}`.
 */
const NAMED = {
  /**
   * Sign-in with a password or code: for an email from one network, and for an email in total. A browser in which the owner
   * of the email has signed in before has a separate limit instead of these two.
   */
  'sign-in.email': { limit: 10, windowSeconds: MINUTE_SECONDS, most: 100 },
  'sign-in.email.hourly': { limit: 60, windowSeconds: HOUR_SECONDS, most: 600 },
  'sign-in.email.everybody': { limit: 300, windowSeconds: HOUR_SECONDS, most: 3_000 },
  'sign-in.known-browser': { limit: 10, windowSeconds: MINUTE_SECONDS, most: 100 },
  /**
   * Wrong passwords in a day, for the same three keys. NIST SP 800-63B section 5.2.2 allows at most a hundred in a row. All
   * networks together have ten times that, so that an attacker with one network cannot keep an owner from signing in with a
   * new browser.
   */
  'sign-in.password.daily': { limit: 100, windowSeconds: DAY_SECONDS, most: 300 },
  'sign-in.password.everybody.daily': { limit: 1_000, windowSeconds: DAY_SECONDS, most: 3_000 },
  'sign-in.password.known-browser.daily': { limit: 100, windowSeconds: DAY_SECONDS, most: 300 },
  'sign-in.user': { limit: 10, windowSeconds: MINUTE_SECONDS, most: 100 },
  'sign-in.address': { limit: 100, windowSeconds: MINUTE_SECONDS, most: 100_000, perAddress: true },
  /** Mails and SMS that an unauthenticated client can cause. */
  'magic-code.email': { limit: 3, windowSeconds: MINUTE_SECONDS, most: 30 },
  'password-reset.email': { limit: 3, windowSeconds: MINUTE_SECONDS, most: 30 },
  'email-verification.email': { limit: 3, windowSeconds: MINUTE_SECONDS, most: 30 },
  'email-change.user': { limit: 3, windowSeconds: MINUTE_SECONDS, most: 30 },
  'account-code.user': { limit: 3, windowSeconds: MINUTE_SECONDS, most: 30 },
  /** The same messages in a day. With five attempts for each code, this bounds the guesses for an address. */
  'magic-code.email.daily': { limit: 30, windowSeconds: DAY_SECONDS, most: 1_000 },
  'password-reset.email.daily': { limit: 30, windowSeconds: DAY_SECONDS, most: 1_000 },
  'email-verification.email.daily': { limit: 30, windowSeconds: DAY_SECONDS, most: 1_000 },
  'email-change.user.daily': { limit: 30, windowSeconds: DAY_SECONDS, most: 1_000 },
  'account-code.user.daily': { limit: 30, windowSeconds: DAY_SECONDS, most: 1_000 },
  /**
   * Messages that the pages send to an address in a day, counted for each kind: from one network, in total, and from a
   * known browser.
   */
  'page-message.network.daily': { limit: 10, windowSeconds: DAY_SECONDS, most: 1_000 },
  'page-message.everybody.daily': { limit: 50, windowSeconds: DAY_SECONDS, most: 1_000 },
  'page-message.known-browser.daily': { limit: 10, windowSeconds: DAY_SECONDS, most: 1_000 },
  /** Mails to an address in a day by their cause, see `kernel/messages/cause.ts`. A mail beyond the limit is not sent. */
  'mail.invitation.daily': { limit: 10, windowSeconds: DAY_SECONDS, most: 1_000 },
  'mail.own-account.daily': { limit: 100, windowSeconds: DAY_SECONDS, most: 1_000 },
  'mail.administration.daily': { limit: 100, windowSeconds: DAY_SECONDS, most: 1_000 },
  /** Removals of an address from the suppression list. After each removal one more mail may bounce (`functions/outbound/messages`). */
  'suppression-lift.email': { limit: 3, windowSeconds: 30 * DAY_SECONDS, most: 10 },
  'sms.phone': { limit: 5, windowSeconds: 10 * MINUTE_SECONDS, most: 50 },
  'sms.environment': { limit: 1_000, windowSeconds: HOUR_SECONDS, most: 1_000_000 },
  /**
   * SMS to phone numbers that are not proven, which anyone can name. They are counted separately, so that factors continue
   * to work.
   */
  'sms.unproven': { limit: 300, windowSeconds: HOUR_SECONDS, most: 1_000_000 },
  'sms.address': { limit: 10, windowSeconds: 10 * MINUTE_SECONDS, most: 1_000, perAddress: true },
  'message.address': { limit: 30, windowSeconds: MINUTE_SECONDS, most: 100_000, perAddress: true },
  /** Wrong attempts of one code in total: counted by the code's id, for longer than any code is valid. */
  'one-time-code.tries': { limit: 5, windowSeconds: DAY_SECONDS, most: 10 },
  /** Wrong codes of one authentication factor, over all of its challenges (RFC 4226 section 7.3). */
  'mfa.factor': { limit: 20, windowSeconds: HOUR_SECONDS, most: 60 },
  /** The same codes in a day. NIST SP 800-63B section 5.2.2 allows at most a hundred in a row. */
  'mfa.factor.daily': { limit: 100, windowSeconds: DAY_SECONDS, most: 300 },
  /**
   * Registrations of agents that other parties run, and attempts at their claims. What a trusted issuer or a registration has signed
   * for is counted by it instead, since a hosted vendor runs many agents in one network.
   */
  'agent-identity.address': { limit: 20, windowSeconds: HOUR_SECONDS, most: 100_000, perAddress: true },
  'agent-identity.issuer': { limit: 1_000, windowSeconds: HOUR_SECONDS, most: 1_000_000 },
  'agent-identity.registration': { limit: 60, windowSeconds: HOUR_SECONDS, most: 10_000 },
  /** Teams that a platform creates, each with two environments. */
  'platform-team.environment': { limit: 20, windowSeconds: DAY_SECONDS, most: 10_000 },
  /** Factors that an operator of the console removes, secrets that one reveals, and exports and impersonations that one makes, over all environments. */
  'operator-reset.operator': { limit: 20, windowSeconds: DAY_SECONDS, most: 1_000 },
  'operator-reveal.operator': { limit: 50, windowSeconds: DAY_SECONDS, most: 1_000 },
  'operator-export.operator': { limit: 5, windowSeconds: DAY_SECONDS, most: 1_000 },
  'operator-impersonation.operator': { limit: 20, windowSeconds: DAY_SECONDS, most: 1_000 },
  'device-code.address': { limit: 10, windowSeconds: 10 * MINUTE_SECONDS, most: 1_000, perAddress: true },
  /** Applications that register themselves: some do at each connection, from shared addresses. */
  'oauth-registration.address': { limit: 60, windowSeconds: MINUTE_SECONDS, most: 100_000, perAddress: true },
  /** Fetches of metadata documents that one caller causes, and fetches from one host. */
  'oauth-document.address': { limit: 30, windowSeconds: MINUTE_SECONDS, most: 100_000, perAddress: true },
  'oauth-document.host': { limit: 60, windowSeconds: MINUTE_SECONDS, most: 100_000 },
  'oauth-registration.environment': { limit: 10_000, windowSeconds: HOUR_SECONDS, most: 1_000_000 },
  /** Reports of Radar's script. It sends one for each page with a sign-in form. */
  'radar-signals.address': { limit: 300, windowSeconds: MINUTE_SECONDS, most: 100_000, perAddress: true },
  /**
   * Codes that a sign-in from a new device has sent to a user, to any phone number: with five attempts each, this
   * bounds the guesses in a day.
   */
  'radar-challenge.user': { limit: 3, windowSeconds: MINUTE_SECONDS, most: 30 },
  'radar-challenge.user.daily': { limit: 30, windowSeconds: DAY_SECONDS, most: 1_000 },
  'sms.phone.daily': { limit: 30, windowSeconds: DAY_SECONDS, most: 1_000 },
} as const satisfies Record<string, NamedLimit>;

/** The name of a limit of the table above. */
export type LimitName = keyof typeof NAMED;

const makeOverride = () =>
  z.object({
    limit: z.number().int().min(1).optional(),
    window_seconds: z.number().int().min(1).max(86_400).optional(),
  });
/** The schema of an override, made with the first one, since every function has the limits of operators. */
let Override: ReturnType<typeof makeOverride> | undefined;

/**
 * The effective value of a named limit in an environment.
 * @param environmentSettings The environment's settings as stored. An invalid override is logged and the default applies.
 * No override exceeds the table's `most` or shortens the window of a counter against guessing.
 * @returns undefined for a disabled limit
 */
export function findLimit(name: LimitName, environmentSettings?: unknown): Limit | undefined {
  const named: NamedLimit = NAMED[name];
  if (named.perAddress && settings().GATEHOUSE_ADDRESS_LIMITS === 'off') return undefined;
  const given = (environmentSettings as { limits?: Record<string, unknown> } | undefined)?.limits?.[name] ?? {};
  Override ??= makeOverride();
  const { data: override, success } = Override.safeParse(given);
  if (!success) log.warn('an override of a limit makes no sense', { limit: name });
  const windowSeconds = override?.window_seconds ?? named.windowSeconds;
  return {
    limit: Math.min(override?.limit ?? named.limit, named.most),
    windowSeconds: named.perAddress ? windowSeconds : Math.max(windowSeconds, named.windowSeconds),
  };
}
