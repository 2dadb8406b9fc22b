import { setTimeout as delay } from 'node:timers/promises';

import type { Actor } from '../authentication/caller.ts';
import { StorageUnavailable } from './faults.ts';
import { Unit } from './unit.ts';

/** Times a unit of work is applied to what the table holds before its caller is told that others keep changing it. */
export const TRIES = 6;
const BACK_OFF_MS = 15;
const MAX_BACK_OFF_MS = 250;

/** Waits before a further try of a conflicting unit of work; jittered, so that rivals do not meet again. */
export async function backOff(attempt: number): Promise<void> {
  if (attempt > 1) await delay(Math.min(BACK_OFF_MS * 2 ** attempt, MAX_BACK_OFF_MS) * Math.random());
}

/**
 * Applies and commits a unit of work outside a request, again after each conflict; `work` reads anew each time.
 * @throws StorageUnavailable when conflicts do not end: the trigger tries again later.
 */
export async function applyWork(
  environmentId: string,
  actor: Actor,
  work: (unit: Unit) => Promise<void>,
): Promise<void> {
  const done = new Map<string, Promise<unknown>>();
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await backOff(attempt);
    const unit = new Unit(environmentId, actor, done);
    await work(unit);
    const outcome = await unit.commit();
    if (outcome.kind === 'committed') return;
  }
  throw new StorageUnavailable('A record kept being changed by others');
}
