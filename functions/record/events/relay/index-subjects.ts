import { mapConcurrently } from '../../../kernel/concurrency.ts';
import { type EventRecord, indexEvent } from '../../../kernel/events/entity.ts';
import { partitionKey, partitionsBetween } from '../../../kernel/events/partitions.ts';
import { findSubject } from '../../../kernel/events/subject.ts';
import { firstUlidAt, readTime } from '../../../kernel/id-format.ts';
import { afterId, beforeId, queryRange } from '../../../kernel/storage/range.ts';

/** Number of rows read at a time, and of writes at once. */
const PAGE = 500;
const WIDTH = 25;

/** The progress of the command. */
export interface Indexed {
  /** Rows read and entries written since the start. */
  read: number;
  written: number;
  /** The time until which all partitions are done, in milliseconds since the epoch: a later run may start there. */
  until: number;
}

/**
 * Adds the events of a time range to the lists of their subjects, for rows that were stored before these lists existed. It may
 * stop at any time and run again: entries that exist are left as they are.
 * @param from milliseconds since the epoch, inclusive
 * @param to exclusive
 * @param report called after each page
 */
export async function indexSubjects(
  environmentId: string,
  from: number,
  to: number,
  report: (progress: Indexed) => void,
): Promise<Indexed> {
  const progress: Indexed = { read: 0, written: 0, until: from };
  const end = beforeId(`event_${firstUlidAt(to)}`);
  const places = partitionsBetween(from, to).map((partition) => ({
    partition: partitionKey(environmentId, partition),
    start: `event_${firstUlidAt(from)}` as string | undefined,
    reached: from,
  }));
  // All partitions advance together, so that the time until which all are done moves on.
  while (places.some(({ start }) => start !== undefined)) {
    const last = places.filter(({ start }) => start !== undefined).sort((a, b) => a.reached - b.reached)[0];
    if (last?.start === undefined) break;
    const range = { partition: last.partition, from: last.start, to: end, scan: 'asc' as const };
    const page = await queryRange<EventRecord>(range, undefined, PAGE);
    progress.read += page.records.length;
    progress.written += await indexRows(page.records);
    last.reached = page.reached === undefined ? to : readTime(page.reached);
    last.start = page.reached === undefined ? undefined : afterId(page.reached);
    progress.until = Math.min(...places.map(({ reached }) => reached));
    report(progress);
  }
  return progress;
}

const indexRows = async (rows: readonly EventRecord[]): Promise<number> =>
  (await mapConcurrently(rows, WIDTH, indexRow)).filter(Boolean).length;

async function indexRow(row: EventRecord): Promise<boolean> {
  if (row.subject !== undefined) return false;
  const subject = findSubject({ ...row, data: JSON.parse(row.data) });
  return subject !== undefined && indexEvent(row, subject);
}
