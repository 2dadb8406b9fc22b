import { clock } from '../../../kernel/clock.ts';
import { LruMap } from '../../../kernel/memory.ts';

/**
 * The number of requests a second that an instance accepts from one source, and how many it accepts at once after a pause.
 */
const RATES = { api: { perSecond: 50, burst: 200 }, scim: { perSecond: 100, burst: 600 } } as const;

/** A token bucket: its tokens, and the time of its last refill in milliseconds since the epoch. */
interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Buckets by source. They belong to the instance, so that a limit costs no round trip. With several instances the bound is
 * that many times higher, which the concurrency of the function limits.
 */
const buckets = new LruMap<Bucket>(1_000);

/**
 * Takes a request from the bucket of a source.
 * @returns false if the bucket is empty, and then the caller responds 429
 */
export function takeRequest(kind: keyof typeof RATES, id: string): boolean {
  const { perSecond, burst } = RATES[kind];
  const source = `${kind} ${id}`;
  const now = clock.now();
  const { tokens, at } = buckets.get(source) ?? { tokens: burst, at: now };
  const refilled = Math.min(burst, tokens + (Math.max(0, now - at) / 1_000) * perSecond);
  const isAccepted = refilled >= 1;
  buckets.set(source, { tokens: isAccepted ? refilled - 1 : refilled, at: now });
  return isAccepted;
}
