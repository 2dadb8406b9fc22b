import { clock } from '../clock.ts';
import { awaitAll } from '../concurrency.ts';
import { Failure, general } from '../errors.ts';
import { sha256Hex } from '../keys/hash.ts';
import { StorageUnavailable } from '../storage/faults.ts';
import { readTogether } from '../storage/together.ts';
import { remove, update } from './conditional.ts';
import { countAttempt, findAttempts, removeAttempts, restartAttempts, uncountAttempt } from './entity.ts';
import type { Limit } from './named-limits.ts';

/** A counter: attempts of one kind by one key. */
export interface Counted {
  /** The kind of attempt; counters of different names are independent. */
  name: string;
  /**
   * The subject of the attempts: an email, an address or an id, compared exactly, so normalize its case before. It is
   * stored as a hash, so it may be personal data.
   */
  key: string;
}

/** The decision whether an attempt is allowed. */
export interface Verdict {
  allowed: boolean;
  /** Attempts left in the window. */
  remaining: number;
  /** Whole seconds until the next attempt is allowed; 0 if this one is. */
  retryAfterSeconds: number;
}

/** Maximum retries of a call after a concurrent one opened the next window before it. */
const TRIES = 5;

const hashCounter = ({ name, key }: Counted): string => sha256Hex(JSON.stringify([name, key]));

/**
 * Counts an attempt before it is made, exactly: of any number of parallel calls, `limit` are allowed in a window. The
 * window has a fixed length and begins with the first attempt. A counter whose window is at least as long as the lifetime
 * of its target (such as a code, counted by its id) therefore allows `limit` attempts in total; for a rate, any span of
 * `windowSeconds` has at most twice the limit less one. It costs one conditional UpdateItem (one write unit, allowed or
 * not), and a second one if the last window has ended. A lost response counts twice, which only makes the limit stricter.
 * If the table does not respond, the attempt is rejected with 503.
 * @throws RangeError for a limit or window that is not a positive whole number.
 */
export async function consume(environmentId: string, counted: Counted, limit: Limit): Promise<Verdict> {
  for (const bound of [limit.limit, limit.windowSeconds]) {
    if (!Number.isInteger(bound) || bound < 1)
      throw new RangeError('A limit and its window are positive whole numbers');
  }
  const id = hashCounter(counted);
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const now = clock.now();
    const endsAt = now + limit.windowSeconds * 1_000;
    const { applied, row } = await update(countAttempt(environmentId, id, limit.limit, now, endsAt));
    if (applied) return allowed(limit.limit - row('count'));
    if (row('endsAt') > now) return rejectUntil(row('endsAt') - clock.now());
    if ((await update(restartAttempts(environmentId, id, now, endsAt))).applied) return allowed(limit.limit - 1);
  }
  throw new StorageUnavailable('A counter was restarted by others again and again');
}

const allowed = (remaining: number): Verdict => ({ allowed: true, remaining, retryAfterSeconds: 0 });

const rejectUntil = (milliseconds: number): Verdict => ({
  allowed: false,
  remaining: 0,
  retryAfterSeconds: Math.max(1, Math.ceil(milliseconds / 1_000)),
});

/**
 * Reports whether there is room for an attempt that is only counted if it fails; nothing is counted here. Concurrent
 * attempts may pass together, at most as many as the limit of a counter that counts first. It costs one strongly consistent
 * GetItem.
 */
export async function findRoom(environmentId: string, counted: Counted, { limit }: Limit): Promise<Verdict> {
  const now = clock.now();
  const found = await findAttempts(environmentId, hashCounter(counted));
  if (found === undefined || found.endsAt <= now) return allowed(limit);
  return found.count < limit ? allowed(limit - found.count) : rejectUntil(found.endsAt - now);
}

/** The attempts of a counter in its current window, and the end of the window in ms; both are 0 outside of a window. */
export interface Count {
  used: number;
  endsAt: number;
}

/** Reads counters in their order, by one strongly consistent BatchGetItem for each hundred. Nothing is counted. */
export function readCounts(environmentId: string, counted: readonly Counted[]): Promise<Count[]> {
  const now = clock.now();
  return readTogether(() =>
    awaitAll(
      counted.map(async (one) => {
        const found = await findAttempts(environmentId, hashCounter(one));
        return found === undefined || found.endsAt <= now
          ? { used: 0, endsAt: 0 }
          : { used: found.count, endsAt: found.endsAt };
      }),
    ),
  );
}

/** Takes back one attempt that need not be counted. It has no effect if the window has ended. */
export async function forgive(environmentId: string, counted: Counted): Promise<void> {
  await update(uncountAttempt(environmentId, hashCounter(counted), clock.now()));
}

/** Deletes all counted attempts, after a success of the owner. */
export async function reset(environmentId: string, counted: Counted): Promise<void> {
  await remove(removeAttempts(environmentId, hashCounter(counted)));
}

/** The general 429 of a rejected attempt, with its Retry-After. */
export function tooMany({ retryAfterSeconds }: Verdict): Failure {
  return new Failure(general.tooManyRequests, { retryAfter: retryAfterSeconds });
}
