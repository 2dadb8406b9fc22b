import { readTime } from '../id-format.ts';
import type { Subject } from './subject.ts';

/**
 * The time ranges, each with its number of event partitions. A partition accepts 1,000 write units a second, and an event
 * of 1 KB costs two in a transaction, so four partitions accept some 2,000 events a second in one environment. To add
 * partitions, append a range that starts in the future: reads cover all ranges of their period.
 */
const PARTITIONINGS: readonly { since: number; partitions: number }[] = [{ since: 0, partitions: 4 }];

function hashId(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

/** The partition of an event, by its id. */
export function choosePartition(id: string): string {
  const time = readTime(id);
  const partitioning = PARTITIONINGS.findLastIndex(({ since }) => since <= time);
  return `${partitioning}.${hashId(id) % (PARTITIONINGS[partitioning]?.partitions ?? 1)}`;
}

/** The partitions of the events of a time range, in milliseconds since the epoch. */
export function partitionsBetween(from: number, to: number): string[] {
  return PARTITIONINGS.flatMap(({ since, partitions }, partitioning) => {
    const until = PARTITIONINGS[partitioning + 1]?.since ?? Infinity;
    if (since > to || until <= from) return [];
    return Array.from({ length: partitions }, (_, partition) => `${partitioning}.${partition}`);
  });
}

/** The table's partition key of a partition of events, for range reads. */
export const partitionKey = (environmentId: string, partition: string): string =>
  `${environmentId}#events#${partition}`;

/**
 * The partition of the list of a subject in which an event is: one for a person, whose events are few, and as many as the events
 * have for an organization.
 */
export const subjectPartition = ({ kind, key }: Subject, partitionOfEvent: string): string =>
  kind === 'organization' ? `${key}#${partitionOfEvent}` : key;

/** The index's partition key of a partition of a subject, for range reads. */
export const subjectPartitionKey = (environmentId: string, subject: string): string =>
  `${environmentId}#events-of#${subject}`;
