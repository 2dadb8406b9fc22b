import { HOUR_MS, MINUTE_MS } from '../../../kernel/durations.ts';

/**
 * The state of a delivery. `dropped` means that it will not be attempted again although it has not used all its attempts.
 */
export const deliveryStates = ['pending', 'succeeded', 'failed', 'dropped'] as const;
export type DeliveryState = (typeof deliveryStates)[number];
export const dropReasons = ['endpoint_disabled', 'endpoint_deleted', 'event_gone'] as const;
export type DropReason = (typeof dropReasons)[number];

/**
 * The reasons for a wait: the schedule of retries, a longer Retry-After of the receiver, the circuit breaker of a failing
 * endpoint, the pace of a slow one, an endpoint that was disabled, or the time until it was sent again by request.
 */
export const waitReasons = ['schedule', 'retry_after', 'circuit', 'slow_endpoint', 'disabled', 'resent'] as const;
export type WaitReason = (typeof waitReasons)[number];

/** A period in which a delivery waited, as it is stored. */
export interface Wait {
  reason: WaitReason;
  /** The number of the attempt before which the delivery waited. */
  attempt: number;
  from: string;
  /** The time until which it was to wait; absent while that is not known. */
  until?: string | undefined;
}

/** One POST to an endpoint. */
export interface Attempt {
  /** The number of the attempt, 1 for the first. */
  number: number;
  /** The time when the period started (ISO 8601). */
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

/** Maximum number of waits in a delivery's row. */
const KEPT_WAITS = 40;

/**
 * Appends a wait. A delivery that is postponed again for the same reason before the same attempt has one wait, which becomes
 * longer: an open circuit postpones it every few minutes.
 */
export function withWait(waits: readonly Wait[], next: Wait): Wait[] {
  const last = waits.at(-1);
  const isSame = last?.reason === next.reason && last.attempt === next.attempt;
  return isSame ? [...waits.slice(0, -1), { ...last, until: next.until }] : [...waits, next].slice(-KEPT_WAITS);
}

/** The waits after a resend: the wait of a disabled endpoint ends, any other delivery was complete until now. */
export function withResend(waits: readonly Wait[], complete: { since: string; attempt: number }, now: string): Wait[] {
  const last = waits.at(-1);
  if (last?.reason === 'disabled' && last.until === undefined) return [...waits.slice(0, -1), { ...last, until: now }];
  return withWait(waits, { reason: 'resent', attempt: complete.attempt, from: complete.since, until: now });
}

/** A period in which a delivery was not attempted, with its reason. */
export interface Delay {
  /** `relay`: from the commit of the event to the first attempt, or wait; `queue`: from the end of a wait to its attempt. */
  reason: WaitReason | 'relay' | 'queue';
  attempt: number;
  from: string;
  until: string | undefined;
}

/** The reasons for the time between an event and each attempt: the stored waits, and the computed shares of relay and queue. */
export function computeDelays(eventAt: string, attempts: readonly Attempt[], waits: readonly Wait[]): Delay[] {
  const findStart = (number: number): string | undefined => attempts.find((one) => one.number === number)?.startedAt;
  const first = [findStart(1), waits.find(({ attempt }) => attempt === 1)?.from]
    .flatMap((time) => time ?? [])
    .sort()[0];
  const relay = first === undefined ? [] : [{ reason: 'relay' as const, attempt: 1, from: eventAt, until: first }];
  const numbers = [...new Set([...waits.map(({ attempt }) => attempt)])];
  const others = numbers.flatMap((number): Delay[] => {
    const own = waits.filter(({ attempt }) => attempt === number);
    const [end, started] = [own.at(-1)?.until, findStart(number)];
    const isLate = end !== undefined && started !== undefined && end < started;
    const queue = isLate ? [{ reason: 'queue' as const, attempt: number, from: end, until: started }] : [];
    // An attempt may begin before its planned time, for example after a resend.
    const ended = own.map(({ reason, from, until }) => {
      const isCut = started !== undefined && (until === undefined || until > started);
      return { reason, attempt: number, from, until: isCut ? started : until };
    });
    return [...ended, ...queue];
  });
  return [...relay, ...others];
}

const SECOND = 1_000;

/** The waits after each failed attempt in ms, a little over three days in total. */
const SCHEDULE_MS: readonly number[] = [
  5 * SECOND,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
const JITTER = 0.2;
const LONGEST_RETRY_AFTER_MS = 24 * HOUR_MS;
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
 * The wait in ms after a failed attempt, with its reason; undefined after the last.
 * @param failures failed attempts of the schedule, including this one
 * @param random a number from 0 to 1, which lengthens the wait by up to a fifth, so that deliveries that failed together are
 * not retried together
 * @param now for a Retry-After with a date; a wait that is longer than the schedule's is used, up to 24 hours
 */
export function waitAfter(
  failures: number,
  { retryAfter }: Pick<Outcome, 'retryAfter'>,
  random: number,
  now: number,
): { ms: number; reason: 'schedule' | 'retry_after' } | undefined {
  const wait = SCHEDULE_MS[failures - 1];
  if (wait === undefined) return undefined;
  const asked = Math.min(retryAfterMs(retryAfter, now) ?? 0, LONGEST_RETRY_AFTER_MS);
  const jittered = wait * (1 + JITTER * random);
  return asked > jittered
    ? { ms: Math.round(asked * (1 + (JITTER / 2) * random)), reason: 'retry_after' }
    : { ms: Math.round(jittered), reason: 'schedule' };
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
