import { setTimeout as delay } from 'node:timers/promises';

import type { Actor } from '../authentication/caller.ts';
import { log } from '../log.ts';
import { StorageUnavailable } from './faults.ts';
import { type Outcome, Unit } from './unit.ts';

/** Number of attempts to apply a unit of work before its caller gets an error about concurrent changes. */
export const TRIES = 6;
/**
 * The number for a unit of work that waits for its turn, {@link Unit.hasTurn}: sixteen seconds on average, in which some 150 calls
 * have their turn.
 */
export const TURN_TRIES = 18;
const BACK_OFF_MS = 15;
const MAX_BACK_OFF_MS = 250;
const MAX_TURN_BACK_OFF_MS = 2_500;

/**
 * Waits before a further attempt of a conflicting unit of work; jittered, so that concurrent calls do not collide
 * again.
 */
export async function backOff(attempt: number): Promise<void> {
  const most = attempt > TRIES ? MAX_TURN_BACK_OFF_MS : MAX_BACK_OFF_MS;
  if (attempt > 1) await delay(Math.min(BACK_OFF_MS * 2 ** attempt, most) * Math.random());
}

/**
 * Applies and commits a unit of work outside a request, again after each conflict; `work` reads again each time.
 * @returns the result of the attempt that was committed
 * @throws StorageUnavailable if conflicts do not end: the trigger retries later
 */
export async function applyWork<T>(environmentId: string, actor: Actor, work: (unit: Unit) => Promise<T>): Promise<T> {
  const done = new Map<string, Promise<unknown>>();
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await backOff(attempt);
    const unit = new Unit(environmentId, actor, done);
    const result = await work(unit);
    const outcome = await unit.commit();
    if (outcome.kind === 'committed') return result;
  }
  throw new StorageUnavailable('A record kept being changed by others');
}

/**
 * Accepts that a commit may have written nothing. A commit whose outcome is not read is rejected by the lint rules.
 * @param reason why a conflict loses nothing, for the log
 */
export function acceptConflict({ kind }: Outcome, reason: string): void {
  if (kind !== 'committed') log.debug('conflict accepted', { reason });
}
