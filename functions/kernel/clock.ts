/**
 * The one source of the present time. A deployment never moves it; the local runtime advances it so that tests and
 * people can see what happens in an hour without waiting for it.
 */
let offsetMs = 0;
let epoch = 0;

export const clock = {
  /** Milliseconds since the Unix epoch. */
  now: (): number => Date.now() + offsetMs,
  /** ISO 8601 in UTC with milliseconds, as every timestamp on the wire. */
  timestamp: (): string => new Date(Date.now() + offsetMs).toISOString(),
  /** Seconds since the Unix epoch, as TTL attributes and JWTs count. */
  seconds: (): number => Math.floor((Date.now() + offsetMs) / 1000),
  /** How far it was moved from the machine's own time, in milliseconds; 0 in a deployment. */
  offset: (): number => offsetMs,
  /** Counts the resets, so that whoever remembers a time knows when it stopped being comparable. */
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
 * A timestamp that many seconds after another. What a record says of its times is reckoned from one reading of the clock:
 * who subtracts `created_at` from `expires_at` finds what the documentation promises.
 */
export const isoAfter = (timestamp: string, seconds: number): string =>
  new Date(Date.parse(timestamp) + seconds * 1_000).toISOString();
