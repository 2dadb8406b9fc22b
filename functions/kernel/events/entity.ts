import { readTime } from '../id-format.ts';
import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { childKey, expiringAttributes, model, partition, recordAttributes, sortedBy } from '../storage/record.ts';
import { isConditionFailure } from '../storage/faults.ts';
import { updateReturning } from '../storage/returning.ts';
import type { Subject } from './subject.ts';

/**
 * The time ranges, each with its number of event partitions. A partition accepts 1,000 write units a second, and an event
 * of 1 KB costs two in a transaction, so four partitions accept some 2,000 events a second in one environment. To add
 * partitions, append a range that starts in the future: reads cover all ranges of their period.
 */
const PARTITIONINGS: readonly { since: number; partitions: number }[] = [{ since: 0, partitions: 4 }];

/**
 * The row of an event, which is written in the transaction of its change, relayed from the table's stream and read by GET
 * /events.
 */
const EventEntity = entity({
  model: model('event'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    partition: { type: 'string', required: true },
    name: { type: 'string', required: true },
    /** The payload as JSON: the bytes that are signed and delivered. */
    data: { type: 'string', required: true },
    /** The context as JSON. */
    context: { type: 'string' },
    organizationId: { type: 'string' },
    /** The partition of the list of its subject, by {@link subjectPartition}; absent if it has no subject. */
    subject: { type: 'string' },
  },
  indexes: {
    primary: childKey('events', 'partition'),
    /**
     * The events of a subject, by time: one Query for a user or an address, one for each event partition for an organization. It
     * adds a write unit per KB to each event.
     */
    bySubject: {
      index: 'gsi1',
      condition: ({ subject }: { subject?: unknown }) => Boolean(subject),
      pk: partition('gsi1pk', 'events-of', 'subject'),
      sk: sortedBy('gsi1sk', 'id'),
    },
  },
});

export type EventRecord = RecordOf<typeof EventEntity>;

/** The ElectroDB entity name by which the relay recognizes rows of events in the table's stream. */
export const EVENT_ROW = 'event';

export const events = collection(EventEntity, 'internal');

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

/** Reads one event by a strongly consistent GetItem. */
export async function findEvent(environmentId: string, id: string): Promise<EventRecord | undefined> {
  const { data } = await events
    .entity()
    .get({ environmentId, partition: choosePartition(id), id })
    .go({ consistent: true });
  return data ?? undefined;
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

/**
 * Adds an event that was stored without a subject to the list of its subject, by one UpdateItem.
 * @returns false if the row is gone or is in the list already
 */
export async function indexEvent(
  { environmentId, id, partition: own }: EventRecord,
  subject: Subject,
): Promise<boolean> {
  const place = subjectPartition(subject, own);
  const { TableName, Key } = events.keyOf({ environmentId, id, partition: own });
  try {
    await updateReturning({
      TableName,
      Key,
      UpdateExpression: 'SET subject = :subject, gsi1pk = :pk, gsi1sk = :sk',
      ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(subject)',
      ExpressionAttributeValues: { ':subject': place, ':pk': subjectPartitionKey(environmentId, place), ':sk': id },
    });
    return true;
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    return false;
  }
}
