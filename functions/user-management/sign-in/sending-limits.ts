import { environmentOf } from '../../kernel/authentication/environment.ts';
import { declareError, Failure } from '../../kernel/errors.ts';
import { consume, tooMany } from '../../kernel/limits/counter.ts';
import { limitOf } from '../../kernel/limits/named-limits.ts';
import type { Unit } from '../../kernel/storage/unit.ts';

export const dailyQuotaExceeded = declareError({
  status: 429,
  code: 'daily_quota_exceeded',
  message: 'As many of these were sent today as one address may get. Try again after the time in Retry-After.',
});

/** What is sent: a named limit a minute, and the one of the same name a day. */
export type Sending = 'magic-code.email' | 'password-reset.email' | 'email-verification.email' | 'email-change.user';

/**
 * Counts a code or link before it is sent, once a call: new ones never reset these counters, so that they also bound the guesses that
 * an address is worth (five a code). Two conditional writes.
 * @param key Whose it is: an address in lower case, or a user's id.
 * @throws Failure: 429 with the seconds until the next may be sent; `daily_quota_exceeded` where the day is spent.
 */
export async function countSending(
  unit: Unit<never>,
  environmentId: string,
  sending: Sending,
  key: string,
): Promise<void> {
  const settings: unknown = (await environmentOf(environmentId))?.settings;
  for (const name of [sending, `${sending}.daily`] as const) {
    const limit = limitOf(name, settings);
    if (limit === undefined) continue;
    const verdict = await unit.once(`count ${name} ${key}`, () => consume(environmentId, { name, key }, limit));
    if (verdict.allowed) continue;
    if (name === sending) throw tooMany(verdict);
    throw new Failure(dailyQuotaExceeded, { retryAfter: verdict.retryAfterSeconds });
  }
}
