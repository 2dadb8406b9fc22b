import { systemActor } from '../../kernel/authentication/caller.ts';
import { clock } from '../../kernel/clock.ts';
import { dueOn } from '../../kernel/storage/due.ts';
import { Unit } from '../../kernel/storage/unit.ts';
import type { Hour } from '../event/store.ts';
import { intervals } from './entity.ts';

export const HOUR_MS = 3_600_000;

/**
 * After its end an hour is left alone for so long: the longest request (29 s) that took its id within it, clocks that
 * differ, and the index that follows the table are done by then. What was not comes to light at the second look.
 */
export const GRACE_MS = 5 * 60_000;
/** From an hour's end to the second look at it. */
export const SETTLE_MS = 24 * HOUR_MS;

/** When an interval began and ended, in milliseconds since the epoch. */
export function spanOf(interval: string): { start: number; end: number } {
  const start = Date.parse(`${interval.slice(0, 13)}:00:00.000Z`);
  return { start, end: start + HOUR_MS };
}

/** Hours that this process has marked; a wrong one would cost a lost event, so nothing else may add to them. */
const marked = new Set<string>();
const MOST_MARKED = 10_000;
let markedEpoch = 0;

/**
 * Makes sure that an organization's hour is known before an event goes into it: whoever seals finds hours by their rows.
 * One conditional write for the first event of an organization and hour in each process; none for the others.
 */
export async function markHour({ environmentId, organizationId, hour }: Hour): Promise<void> {
  if (markedEpoch !== clock.epoch()) {
    marked.clear();
    markedEpoch = clock.epoch();
  }
  const key = JSON.stringify([environmentId, organizationId, hour]);
  if (marked.has(key)) return;
  const unit = new Unit(environmentId, systemActor);
  const due = dueOn(`${organizationId}${hour}`, spanOf(hour).end + GRACE_MS);
  unit.stage(intervals.create({ environmentId, organizationId, id: hour, state: 'open', ...due }).write);
  // A conflict is the row being there.
  await unit.commit();
  if (marked.size >= MOST_MARKED) marked.clear();
  marked.add(key);
}
