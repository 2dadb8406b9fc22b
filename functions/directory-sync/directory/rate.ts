import { clock } from '../../kernel/clock.ts';
import { TtlCache } from '../../kernel/memory.ts';

/** Requests a second that an instance accepts of one source, and how many it accepts at once after a pause. */
export const REQUESTS_PER_SECOND = 50;
export const BURST = 200;

/** The tokens of a bucket, and the time of its last refill in milliseconds since the epoch. */
interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Buckets by source. They belong to the instance, so a limit costs no round trip; with several instances the bound is that
 * many times higher, which the concurrency of the function limits.
 */
const buckets = new TtlCache<Bucket>(1_000);

/** Takes a request from the bucket of a source. @returns false if the bucket is empty: the caller responds 429 */
export function takeRequest(source: string): boolean {
  const now = clock.now();
  const { tokens, at } = buckets.get(source) ?? { tokens: BURST, at: now };
  const refilled = Math.min(BURST, tokens + (Math.max(0, now - at) / 1_000) * REQUESTS_PER_SECOND);
  const isAccepted = refilled >= 1;
  buckets.set(source, { tokens: isAccepted ? refilled - 1 : refilled, at: now });
  return isAccepted;
}
