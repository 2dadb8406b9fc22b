import { setTimeout as delay } from 'node:timers/promises';

import { clock } from '../clock.ts';
import { newUlid } from '../ids.ts';
import { log } from '../log.ts';
import { update } from './conditional.ts';
import { returnLease, takeLease } from './entity.ts';

/** The state of a lease for its holder. */
export interface Lease {
  /**
   * The fencing token, greater than that of every earlier holder. A lease can end while its holder is paused. So data that
   * a late holder must not overwrite stores the token and is written on the condition that the stored one is smaller.
   */
  fence: number;
  /** Reports whether the lease has time left, by this machine's clock. */
  isHeld: () => boolean;
}

/** The result of leased work. */
export type Leased<T> =
  | { kind: 'done'; value: T }
  /** Another call holds the lease, for at most this many more seconds. */
  | { kind: 'busy'; retryAfterSeconds: number };

export interface LeaseOptions {
  /**
   * Maximum duration of the lease in seconds, after which a crashed holder no longer delays the others. It must exceed the
   * longest duration of the work.
   */
  seconds: number;
  /** Maximum wait for a lease that is held; default 0. */
  waitSeconds?: number;
}

const FIRST_POLL_MS = 40;
const LONGEST_POLL_MS = 400;

/**
 * Does work that must not run concurrently, in an environment and under a name made of ids (it is stored in plain text).
 * Taking and releasing the lease cost one write unit each, and so does each attempt to take one that is held. If the clocks
 * of two machines differ by d milliseconds, a lease can end d early or late: only the fencing token is a guarantee.
 * @throws RangeError if `seconds` is not positive; any error of the work, after the lease was released
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
    // A lease whose release failed expires. The result of the work is returned anyway.
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
    // The client retries a call whose response was lost, and then finds the write of the first attempt.
    if (found === holder) return { kind: 'taken', fence: row('fence'), until: row('until') };
    const left = row('until') - clock.now();
    const wait = Math.min(poll * (0.5 + Math.random() / 2), deadline - performance.now());
    if (wait <= 0) return { kind: 'busy', retryAfterSeconds: Math.max(1, Math.ceil(left / 1_000)) };
    await delay(wait);
  }
}
