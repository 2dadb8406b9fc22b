/**
 * The only source of the current time. A deployment never moves it; the local runtime advances it so that tests and
 * developers can see later effects without waiting.
 */
let offsetMs = 0;
let epoch = 0;

export const clock = {
  /** The current time in milliseconds since the Unix epoch. */
  now: (): number => Date.now() + offsetMs,
  /** The current time in ISO 8601, in UTC with milliseconds, as in every timestamp of the API. */
  timestamp: (): string => new Date(Date.now() + offsetMs).toISOString(),
  /** The current time in seconds since the Unix epoch, as in TTL attributes and JWTs. */
  seconds: (): number => Math.floor((Date.now() + offsetMs) / 1000),
  /** The offset from the machine's own time, in milliseconds; 0 in a deployment. */
  offset: (): number => offsetMs,
  /** The number of resets, by which a cache knows that its times are no longer comparable. */
  epoch: (): number => epoch,
  /** Moves the clock forward. */
  advance(milliseconds: number): void {
    offsetMs += milliseconds;
  },
  /** Returns to the machine's own time. */
  reset(): void {
    offsetMs = 0;
    epoch += 1;
  },
};

/**
 * A timestamp that many seconds after another. All times of a record are computed from one reading of the clock, so
 * that `expires_at` minus `created_at` is exactly the documented lifetime.
 */
export const isoAfter = (timestamp: string, seconds: number): string =>
  new Date(Date.parse(timestamp) + seconds * 1_000).toISOString();
