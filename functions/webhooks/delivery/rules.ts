/**
 * The state of a delivery. `dropped` means that it will not be attempted again although it has not used all its attempts.
 */
export const deliveryStates = ['pending', 'succeeded', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export const dropReasons = ['endpoint_disabled', 'endpoint_deleted', 'event_gone'] as const;
export type DropReason = (typeof dropReasons)[number];

/** One POST to an endpoint. */
export interface Attempt {
  /** The number of the attempt, 1 for the first. */
  number: number;
  /** The time of its start (ISO 8601). */
  startedAt: string;
  durationMs: number;
  /** The HTTP status of the response; null if there was none. */
  status: number | null;
  /** The reason why there was no response: a code of the egress guard. */
  error: string | null;
  /** The beginning of the response's body. */
  response: string | null;
}

/** The result of an attempt. */
export interface Outcome {
  status: number | null;
  error: string | null;
  response: string | null;
  durationMs: number;
  /** The response's Retry-After header. */
  retryAfter: string | null;
}

/** Maximum number of attempts in a delivery's row: the schedule's ten and as many of resends. */
const KEPT_ATTEMPTS = 20;
/** Maximum bytes of a response that are kept. */
export const KEPT_RESPONSE_BYTES = 1_024;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The waits after each failed attempt in ms, a little over three days in total. */
const SCHEDULE_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR;
/**
 * Maximum wait in ms for which the queue's own delay is used. For a longer wait the scheduled worker is used, so that
 * messages do not stay in the queue.
 */
export const QUEUE_DELAY_MS = 10 * SECOND;

export const isSuccess = ({ status }: Pick<Outcome, 'status'>): boolean =>
  status !== null && status >= 200 && status <= 299;

/** Reports a response with 410 Gone, by which the receiver asks for no further deliveries (RFC 9110 section 15.5.11). */
export const isGone = ({ status }: Pick<Outcome, 'status'>): boolean => status === 410;

/**
 * The wait in ms after a failed attempt; undefined after the last.
 * @param failures failed attempts of the schedule, including this one
 * @param random a number from 0 to 1, which changes the wait by up to a fifth, so that deliveries that failed together are
 * not retried together
 * @param now for a Retry-After with a date; a wait that is longer than the schedule's is used, up to 24 hours
 */
export function waitAfter(
  failures: number,
  { retryAfter }: Pick<Outcome, 'retryAfter'>,
  random: number,
  now: number,
): number | undefined {
  const wait = SCHEDULE_MS[failures - 1];
  if (wait === undefined) return undefined;
  const asked = Math.min(retryAfterMs(retryAfter, now) ?? 0, LONGEST_RETRY_AFTER_MS);
  const jittered = wait * (1 - JITTER + 2 * JITTER * random);
  return Math.round(asked > jittered ? asked * (1 + (JITTER / 2) * random) : jittered);
}

/** Parses a Retry-After (RFC 9110 section 10.2.3): seconds, or a date. */
function retryAfterMs(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * SECOND;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Appends an attempt to the attempts of a delivery. */
export function withAttempt(
  attempts: readonly Attempt[],
  count: number,
  startedAt: number,
  { status, error, response, durationMs }: Outcome,
): Attempt[] {
  const attempt: Attempt = {
    number: count + 1,
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(durationMs),
    status,
    error,
    response,
  };
  return [...attempts, attempt].slice(-KEPT_ATTEMPTS);
}
