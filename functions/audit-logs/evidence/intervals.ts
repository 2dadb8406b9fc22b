import { systemActor } from '../../kernel/authentication/caller.ts';
import { clock } from '../../kernel/clock.ts';
import { dueOn } from '../../kernel/storage/due.ts';
import { Unit } from '../../kernel/storage/unit.ts';
import type { Hour } from '../event/store.ts';
import { intervals } from './entity.ts';

export const HOUR_MS = 3_600_000;

/**
 * Wait in ms after the end of an hour before it is sealed: by then the longest request (29 s) that took its id within
 * the hour has ended, clocks that differ have passed the end, and the index has caught up with the table. The second
 * check finds any event that was later.
 */
export const GRACE_MS = 5 * 60_000;
/** Time in ms from an hour's end to its second check. */
export const SETTLE_MS = 24 * HOUR_MS;

/** The start and end of an interval, in milliseconds since the epoch. */
export function computeSpan(interval: string): { start: number; end: number } {
  const start = Date.parse(`${interval.slice(0, 13)}:00:00.000Z`);
  return { start, end: start + HOUR_MS };
}

/** Hours that this process has marked. Only this file may add to them: a wrong entry would lose an event. */
const marked = new Set<string>();
const MOST_MARKED = 10_000;
let markedEpoch = 0;

/**
 * Makes sure that the row of an organization's hour exists before an event is recorded in it, because sealing finds
 * hours by their rows. It is one conditional write for the first event of an organization and hour in each process;
 * none for the others.
 */
export async function markHour({ environmentId, organizationId, hour }: Hour): Promise<void> {
  if (markedEpoch !== clock.epoch()) {
    marked.clear();
    markedEpoch = clock.epoch();
  }
  const key = JSON.stringify([environmentId, organizationId, hour]);
  if (marked.has(key)) return;
  const unit = new Unit(environmentId, systemActor);
  const due = dueOn(`${organizationId}${hour}`, computeSpan(hour).end + GRACE_MS);
  unit.stage(intervals.create({ environmentId, organizationId, id: hour, state: 'open', ...due }).write);
  // A conflict means that the row exists.
  await unit.commit();
  if (marked.size >= MOST_MARKED) marked.clear();
  marked.add(key);
}
