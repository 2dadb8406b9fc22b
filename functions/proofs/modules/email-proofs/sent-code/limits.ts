import { findEnvironment } from '../../../../kernel/authentication/environment.ts';
import { declareError, Failure } from '../../../../kernel/errors.ts';
import type { Caller } from '../../../../kernel/limits/caller.ts';
import { computeNetwork } from '../../../../kernel/limits/client-network.ts';
import { consume, tooMany, type Verdict } from '../../../../kernel/limits/counter.ts';
import { type LimitName, findLimit } from '../../../../kernel/limits/named-limits.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';

export const dailyQuotaExceeded = declareError({
  status: 429,
  code: 'daily_quota_exceeded',
  message: 'Daily sending limit for this address reached. Try again after the time in Retry-After.',
});

/** The limits of a kind of message: a named limit for each minute, and the one of the same name for each day. */
export type Sending =
  | 'magic-code.email'
  | 'password-reset.email'
  | 'email-verification.email'
  | 'email-change.user'
  | 'account-code.user';

/**
 * Counts a code or link once in a call before it is sent. A new code does not reset these counters, so they also limit the
 * guesses for an address (five for each code). For pages, where any address can be entered, each network is counted
 * separately, and all of them together; a browser with which the owner has signed in has its own allowance. It takes two to
 * three conditional writes.
 * @param key the recipient: an address in lower case, or a user's id
 * @param caller the client on a page; absent for a back end, which is counted separately
 * @throws Failure: 429 with the seconds until the next may be sent; `daily_quota_exceeded` if the day's quota is used up
 */
export async function countSending(
  unit: Unit<never>,
  environmentId: string,
  sending: Sending,
  key: string,
  caller?: Caller,
): Promise<void> {
  const settings: unknown = (await findEnvironment(environmentId))?.settings;
  const count = async (name: LimitName, counted: string): Promise<Verdict | undefined> => {
    const limit = findLimit(name, settings);
    if (limit === undefined) return undefined;
    const verdict = await unit.once(`count ${name} ${counted}`, () =>
      consume(environmentId, { name, key: counted }, limit),
    );
    return verdict.allowed ? undefined : verdict;
  };
  for (const [name, counted] of listCounters(sending, key, caller)) {
    const exceeded = await count(name, counted);
    if (exceeded === undefined) continue;
    const reserve = await unit.once(`reserve ${sending} ${key}`, async () => (await caller?.reserve?.()) ?? '');
    const spent = reserve === '' ? exceeded : await count('page-message.known-browser.daily', `${sending} ${reserve}`);
    if (spent === undefined) return;
    if (name === sending) throw tooMany(exceeded);
    throw new Failure(dailyQuotaExceeded, { retryAfter: exceeded.retryAfterSeconds });
  }
}

/** The counters, the narrowest first: an attempt that one rejects is not counted in the next. */
function listCounters(sending: Sending, key: string, caller: Caller | undefined): [LimitName, string][] {
  if (caller?.address === undefined) {
    return [
      [sending, key],
      [`${sending}.daily`, key],
    ];
  }
  const network = computeNetwork(caller.address);
  return [
    [sending, `${key} ${network}`],
    ['page-message.network.daily', `${sending} ${key} ${network}`],
    ['page-message.everybody.daily', `${sending} ${key}`],
  ];
}
