import * as z from 'zod';

import { log } from '../log.ts';
import { settings } from '../settings.ts';

/** So many attempts in a window of so many seconds; both positive whole numbers. */
export interface Limit {
  limit: number;
  windowSeconds: number;
}

interface NamedLimit extends Limit {
  /** The most that an environment may allow in a window; no more than this protects what is guessed. */
  most: number;
  /** Counted by the client's address: lifted by GATEHOUSE_ADDRESS_LIMITS=off. */
  perAddress?: true;
}

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * The limits that environments may override, and their defaults. Named `<what is tried>.<what it is counted by>`.
 * An environment overrides in its settings: `{"limits": {"sign-in.email": {"limit": 20, "window_seconds": 60}}}`.
 */
const NAMED = {
  /**
   * Sign-in with a password or code: at an email from one network, at an email by everybody, and by a browser by which its owner
   * has signed in, which the two before do not stop.
   */
  'sign-in.email': { limit: 10, windowSeconds: MINUTE, most: 100 },
  'sign-in.email.hourly': { limit: 60, windowSeconds: HOUR, most: 600 },
  'sign-in.email.everybody': { limit: 300, windowSeconds: HOUR, most: 3_000 },
  'sign-in.known-browser': { limit: 10, windowSeconds: MINUTE, most: 100 },
  /**
   * Wrong passwords in a day, at the same three: a hundred in a row are what NIST SP 800-63B section 5.2.2 allows at most. All networks
   * together have ten times that, so that nobody who has only one keeps an owner from signing in by a new browser.
   */
  'sign-in.password.daily': { limit: 100, windowSeconds: DAY, most: 300 },
  'sign-in.password.everybody.daily': { limit: 1_000, windowSeconds: DAY, most: 3_000 },
  'sign-in.password.known-browser.daily': { limit: 100, windowSeconds: DAY, most: 300 },
  'sign-in.user': { limit: 10, windowSeconds: MINUTE, most: 100 },
  'sign-in.address': { limit: 100, windowSeconds: MINUTE, most: 100_000, perAddress: true },
  /** Mails and SMS that somebody who is not signed in can cause. */
  'magic-code.email': { limit: 3, windowSeconds: MINUTE, most: 30 },
  'password-reset.email': { limit: 3, windowSeconds: MINUTE, most: 30 },
  'email-verification.email': { limit: 3, windowSeconds: MINUTE, most: 30 },
  'email-change.user': { limit: 3, windowSeconds: MINUTE, most: 30 },
  /** The same in a day: with five tries a code, the guesses that an address is worth. */
  'magic-code.email.daily': { limit: 30, windowSeconds: DAY, most: 1_000 },
  'password-reset.email.daily': { limit: 30, windowSeconds: DAY, most: 1_000 },
  'email-verification.email.daily': { limit: 30, windowSeconds: DAY, most: 1_000 },
  'email-change.user.daily': { limit: 30, windowSeconds: DAY, most: 1_000 },
  /** What the pages send to an address in a day, of each kind: for one network, for everybody, and for a browser that is known. */
  'page-message.network.daily': { limit: 10, windowSeconds: DAY, most: 1_000 },
  'page-message.everybody.daily': { limit: 50, windowSeconds: DAY, most: 1_000 },
  'page-message.known-browser.daily': { limit: 10, windowSeconds: DAY, most: 1_000 },
  /** How often the suppression of an address is lifted: each time, one more mail may bounce (`functions/messages`). */
  'suppression-lift.email': { limit: 3, windowSeconds: 30 * DAY, most: 10 },
  'sms.phone': { limit: 5, windowSeconds: 10 * MINUTE, most: 50 },
  'sms.environment': { limit: 1_000, windowSeconds: HOUR, most: 1_000_000 },
  /** The same to telephones that nobody has shown to have, which anybody can name: apart, so that factors go on working. */
  'sms.unproven': { limit: 300, windowSeconds: HOUR, most: 1_000_000 },
  'sms.address': { limit: 10, windowSeconds: 10 * MINUTE, most: 1_000, perAddress: true },
  'message.address': { limit: 30, windowSeconds: MINUTE, most: 100_000, perAddress: true },
  /** Wrong tries of one code in all: counted by the code's id, over longer than any code lives. */
  'one-time-code.tries': { limit: 5, windowSeconds: DAY, most: 10 },
  /** Wrong codes of one authentication factor, whatever challenge they answer (RFC 4226 section 7.3). */
  'mfa.factor': { limit: 20, windowSeconds: HOUR, most: 60 },
  /** The same in a day: a hundred in a row are what NIST SP 800-63B section 5.2.2 allows at most. */
  'mfa.factor.daily': { limit: 100, windowSeconds: DAY, most: 300 },
  'device-code.address': { limit: 10, windowSeconds: 10 * MINUTE, most: 1_000, perAddress: true },
  /** Codes that a sign-in from a new device has sent to a user, to whatever telephone: with five tries each, guesses a day. */
  'radar-challenge.user': { limit: 3, windowSeconds: MINUTE, most: 30 },
  'radar-challenge.user.daily': { limit: 30, windowSeconds: DAY, most: 1_000 },
  'sms.phone.daily': { limit: 30, windowSeconds: DAY, most: 1_000 },
} as const satisfies Record<string, NamedLimit>;

/** The name of a limit of the table above. */
export type LimitName = keyof typeof NAMED;

const Override = z.object({
  limit: z.number().int().min(1).optional(),
  window_seconds: z.number().int().min(1).max(86_400).optional(),
});

/**
 * A named limit as an environment has it.
 * @param environmentSettings The environment's settings as stored; an override that makes no sense is logged and the
 * default holds, and none allows more than the table's `most` nor shortens the window of a guess counter.
 * @returns undefined for a limit that is lifted.
 */
export function limitOf(name: LimitName, environmentSettings?: unknown): Limit | undefined {
  const named: NamedLimit = NAMED[name];
  if (named.perAddress && settings().GATEHOUSE_ADDRESS_LIMITS === 'off') return undefined;
  const given = (environmentSettings as { limits?: Record<string, unknown> } | undefined)?.limits?.[name] ?? {};
  const { data: override, success } = Override.safeParse(given);
  if (!success) log.warn('an override of a limit makes no sense', { limit: name });
  const windowSeconds = override?.window_seconds ?? named.windowSeconds;
  return {
    limit: Math.min(override?.limit ?? named.limit, named.most),
    windowSeconds: named.perAddress ? windowSeconds : Math.max(windowSeconds, named.windowSeconds),
  };
}
