import { setTimeout as delay } from 'node:timers/promises';

import { clock } from '../clock.ts';
import { newUlid } from '../ids.ts';
import { log } from '../log.ts';
import { update } from './conditional.ts';
import { returnLease, takeLease } from './entity.ts';

/** What the holder of a lease knows of it. */
export interface Lease {
  /**
   * Greater than that of every earlier holder. A lease ends by itself while its holder may be paused, so what must not be
   * overwritten by a late one stores the fence and is written on the condition that the stored one is smaller.
   */
  fence: number;
  /** Whether the lease has time left, by this machine's clock. */
  isHeld: () => boolean;
}

/** How a leased piece of work ended. */
export type Leased<T> =
  | { kind: 'done'; value: T }
  /** Somebody else holds the lease, for at most so many seconds more. */
  | { kind: 'busy'; retryAfterSeconds: number };

export interface LeaseOptions {
  /** How long the lease lasts at most: a crashed holder delays the others no longer. Longer than the work ever takes. */
  seconds: number;
  /** How long to wait for a lease that is held; default 0. */
  waitSeconds?: number;
}

const FIRST_POLL_MS = 40;
const LONGEST_POLL_MS = 400;

/**
 * Does work that only one at a time may do, in an environment and under a name made of ids (it is stored in clear).
 * Taking and giving back cost one write unit each; each look at a held lease another.
 *
 * Clocks of two machines that differ by d milliseconds let a lease end d early or late: the bound is the fence, not the
 * time.
 * @throws RangeError when `seconds` is not positive; whatever the work throws, after the lease was given back.
 */
export async function withLease<T>(
  environmentId: string,
  name: string,
  options: LeaseOptions,
  work: (lease: Lease) => Promise<T>,
): Promise<Leased<T>> {
  if (!(options.seconds > 0)) throw new RangeError('A lease lasts for some time');
  const holder = newUlid();
  const taken = await take(environmentId, name, holder, options);
  if (taken.kind === 'busy') return taken;
  const { fence, until } = taken;
  try {
    return { kind: 'done', value: await work({ fence, isHeld: () => clock.now() < until }) };
  } finally {
    // A lease that could not be given back ends by itself: the work's own outcome counts.
    await update(returnLease(environmentId, name, { holder, fence })).catch((error: unknown) =>
      log.warn('a lease was not given back', { error }),
    );
  }
}

type Taken = { kind: 'taken'; fence: number; until: number } | { kind: 'busy'; retryAfterSeconds: number };

async function take(environmentId: string, name: string, holder: string, options: LeaseOptions): Promise<Taken> {
  const deadline = performance.now() + (options.waitSeconds ?? 0) * 1_000;
  for (let poll = FIRST_POLL_MS; ; poll = Math.min(poll * 2, LONGEST_POLL_MS)) {
    const fence = clock.now();
    const until = fence + options.seconds * 1_000;
    const { applied, row, holder: found } = await update(takeLease(environmentId, name, { holder, fence, until }));
    if (applied) return { kind: 'taken', fence, until };
    // The client repeats a call whose answer was lost, and the repetition meets what the first one wrote.
    if (found === holder) return { kind: 'taken', fence: row('fence'), until: row('until') };
    const left = row('until') - clock.now();
    const wait = Math.min(poll * (0.5 + Math.random() / 2), deadline - performance.now());
    if (wait <= 0) return { kind: 'busy', retryAfterSeconds: Math.max(1, Math.ceil(left / 1_000)) };
    await delay(wait);
  }
}
