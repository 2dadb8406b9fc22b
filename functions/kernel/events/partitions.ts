import { choosePartitionIn, listPartitions, type Partitionings } from '../partitions.ts';
import type { Subject } from './subject.ts';

/**
 * The time ranges, each with its number of event partitions. A partition accepts 1,000 write units a second, and an event
 * of 1 KB costs two in a transaction, so sixteen partitions accept some 8,000 events a second in one environment.
 */
const PARTITIONINGS: Partitionings = [{ since: 0, partitions: 16 }];

/** The partition of an event, by its id. */
export const choosePartition = (id: string): string => choosePartitionIn(PARTITIONINGS, id);

/** The partitions of the events of a time range, in milliseconds since the epoch. */
export const partitionsBetween = (from: number, to: number): string[] => listPartitions(PARTITIONINGS, from, to);

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
