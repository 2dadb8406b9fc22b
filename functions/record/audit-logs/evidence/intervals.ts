import { HOUR_MS } from '../../../kernel/durations.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { acceptConflict } from '../../../kernel/storage/background.ts';
import { dueOn } from '../../../kernel/storage/due.ts';
import { Unit } from '../../../kernel/storage/unit.ts';
import type { Hour } from '../event/store.ts';
import { intervals } from './entity.ts';

/**
 * Wait in ms after the end of an hour before it is sealed. By then the longest request (29 s) that created its id within
 * the hour has ended, every clock has passed the end of the hour, and the index has caught up with the table. Events that
 * appear even later are found by the second check.
 */
export const GRACE_MS = 5 * 60_000;
/** Time in ms from an hour's end to its second check. */
export const SETTLE_MS = 24 * HOUR_MS;

/** The start and end of an interval, in milliseconds since the epoch. */
export function computeSpan(interval: string): { start: number; end: number } {
  const start = Date.parse(`${interval.slice(0, 13)}:00:00.000Z`);
  return { start, end: start + HOUR_MS };
}

/** Hours that this process has marked. Only this file may add to the set, because a wrong entry would lose an event. */
const marked = new Set<string>();
const MOST_MARKED = 10_000;
let markedEpoch = 0;

/**
 * Makes sure that an organization's hour has a row before an event is recorded in it, because sealing finds hours by their
 * rows. It costs one conditional write for the first event of an organization and hour in each process, and none for the
 * others.
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
  acceptConflict(await unit.commit(), 'the row of the hour exists already');
  if (marked.size >= MOST_MARKED) marked.clear();
  marked.add(key);
}
