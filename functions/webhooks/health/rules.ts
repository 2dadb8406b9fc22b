/** An attempt that takes longer than this (ms) marks its endpoint slow while it is still running. */
export const SLOW_AFTER_MS = 3_000;
/** Time in ms for which an endpoint stays slow after its last slow attempt. */
export const SLOW_FOR_MS = 60_000;
/**
 * Minimum time in ms between the starts of attempts at a slow endpoint: at most ten run at once, since none takes
 * longer than 15 s.
 */
export const SLOW_GAP_MS = 1_500;
/** Failures in a row that open the circuit. */
const CIRCUIT_FAILURES = 5;
const SHORTEST_OPEN_MS = 60_000;
const LONGEST_OPEN_MS = 15 * 60_000;
/**
 * If a probe neither succeeded nor failed (its worker crashed), the circuit takes the next probe after this time in ms.
 */
const PROBE_MS = 20_000;
/** An endpoint that has failed for this long, and this often, is disabled. */
export const DISABLE_AFTER_MS = 5 * 86_400_000;
const DISABLE_AFTER_FAILURES = 10;

/** The failure state of an endpoint that fails or is slow; a healthy one has none. Times in ms. */
export interface Health {
  /** Failed attempts since the last success. */
  failures?: number | undefined;
  failingSince?: string | undefined;
  slowUntil?: number | undefined;
  /** No attempt may start before this. */
  gateAt?: number | undefined;
}

/** The decision whether an attempt may start. */
export type Admission =
  | { kind: 'free' }
  /** The attempt must first move the gate by `gapMs`; an attempt that fails to move it is postponed. */
  | { kind: 'gate'; gapMs: number }
  | { kind: 'closed'; until: number };

const isOpen = ({ failures = 0 }: Health): boolean => failures >= CIRCUIT_FAILURES;
const isSlow = ({ slowUntil = 0 }: Health, now: number): boolean => slowUntil > now;

/**
 * Pacing combines circuit breaker and concurrency limit: a failing endpoint's gate opens for one probe after each
 * back-off, a slow one's every 1.5 s. Any other endpoint has no gate, and nothing is written for it.
 */
export function computeAdmission(health: Health | undefined, now: number): Admission {
  if (health === undefined || (!isOpen(health) && !isSlow(health, now))) return { kind: 'free' };
  const { gateAt = 0 } = health;
  if (gateAt > now) return { kind: 'closed', until: gateAt };
  return { kind: 'gate', gapMs: isOpen(health) ? PROBE_MS : SLOW_GAP_MS };
}

/**
 * The time when an endpoint with this number of failures in a row may be tried again: after half the time that it has
 * been failing, since a burst of failures says no more than a single one.
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
 * The number of waiting deliveries that a run of the schedule may start, and the gap between them, so that each passes
 * the gate.
 */
export function computeAllowance(health: Health, now: number): { deliveries: number; gapMs: number } {
  const admission = computeAdmission(health, now);
  if (admission.kind === 'closed') return { deliveries: 0, gapMs: 0 };
  if (admission.kind === 'free') return { deliveries: 1_000, gapMs: 40 };
  return isOpen(health)
    ? { deliveries: 1, gapMs: 0 }
    : { deliveries: Math.floor(60_000 / SLOW_GAP_MS), gapMs: SLOW_GAP_MS };
}
