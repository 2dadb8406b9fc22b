import { DAY_MS } from '../../../kernel/durations.ts';
/** Duration in ms after which an attempt marks its endpoint as slow while it is still running. */
export const SLOW_AFTER_MS = 3_000;
/** Time in ms for which an endpoint stays slow after its last slow attempt. */
export const SLOW_FOR_MS = 60_000;
/**
 * Minimum time in ms between the starts of attempts at a slow endpoint, so that at most ten run at once, since none takes
 * longer than 15 s.
 */
export const SLOW_GAP_MS = 1_500;
/** Number of consecutive failures that open the circuit. */
const CIRCUIT_FAILURES = 5;
const SHORTEST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 15 * 60_000;
/**
 * Time in ms after which the circuit allows the next probe if a probe neither succeeded nor failed (its worker crashed).
 */
const PROBE_MS = 20_000;
/** An endpoint that has failed for this time, and this often, is disabled. */
export const DISABLE_AFTER_MS = 5 * DAY_MS;
const DISABLE_AFTER_FAILURES = 10;

/** The failure state of an endpoint that fails or is slow; a healthy one has none. Times in ms. */
export interface Health {
  /** Failed attempts since the last success. */
  failures?: number | undefined;
  failingSince?: string | undefined;
  slowUntil?: number | undefined;
  /** The time in ms before which no attempt may start (the gate). */
  gateAt?: number | undefined;
}

/** The decision whether an attempt may start. */
export type Admission =
  | { kind: 'free' }
  /** The attempt must first set the gate to a time `gapMs` later. If another worker has done that, it is postponed. */
  | { kind: 'gate'; gapMs: number }
  | { kind: 'closed'; until: number };

/** Reports whether the circuit of an endpoint is open, because it has failed several times in a row. */
export const isOpen = ({ failures = 0 }: Health = {}): boolean => failures >= CIRCUIT_FAILURES;
/** The time in ms before which an open circuit allows no attempt; 0 for an endpoint whose circuit is closed. */
export const openUntil = (health: Health | undefined): number => (isOpen(health) ? (health?.gateAt ?? 0) : 0);
const isSlow = ({ slowUntil = 0 }: Health, now: number): boolean => slowUntil > now;

/**
 * Decides whether an attempt may start, by a circuit breaker and a limit of concurrency: a failing endpoint accepts one
 * probe after each back-off, a slow one an attempt every 1.5 s. Any other endpoint has no limit, and nothing is written for
 * it.
 */
export function computeAdmission(health: Health | undefined, now: number): Admission {
  if (health === undefined || (!isOpen(health) && !isSlow(health, now))) return { kind: 'free' };
  const { gateAt = 0 } = health;
  if (gateAt > now) return { kind: 'closed', until: gateAt };
  return { kind: 'gate', gapMs: isOpen(health) ? PROBE_MS : SLOW_GAP_MS };
}

/**
 * The time when an endpoint with this number of consecutive failures may be tried again: after half the time for which it
 * has been failing. The number of failures does not matter, since many failures at once mean no more than a single one.
 */
export function gateAfter(failures: number, failingSince: number, now: number): number {
  if (failures < CIRCUIT_FAILURES) return 0;
  return now + Math.min(Math.max((now - failingSince) / 2, SHORTEST_OPEN_MS), LONGEST_OPEN_MS);
}

/** Reports whether an endpoint has failed long and often enough to be disabled. */
export function shouldDisable({ failures = 0, failingSince }: Health, now: number): boolean {
  return (
    failingSince !== undefined &&
    failures >= DISABLE_AFTER_FAILURES &&
    now - Date.parse(failingSince) >= DISABLE_AFTER_MS
  );
}

/**
 * The number of waiting deliveries that one run of the scheduled worker may start, and the time between them, so that each
 * is admitted.
 */
export function computeAllowance(health: Health, now: number): { deliveries: number; gapMs: number } {
  const admission = computeAdmission(health, now);
  if (admission.kind === 'closed') return { deliveries: 0, gapMs: 0 };
  if (admission.kind === 'free') return { deliveries: 1_000, gapMs: 40 };
  return isOpen(health)
    ? { deliveries: 1, gapMs: 0 }
    : { deliveries: Math.floor(60_000 / SLOW_GAP_MS), gapMs: SLOW_GAP_MS };
}
