import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { childKey, expiringAttributes, model, partition, recordAttributes, sortedBy } from '../storage/record.ts';
import { isConditionFailure } from '../storage/faults.ts';
import { updateReturning } from '../storage/returning.ts';
import { choosePartition, subjectPartition, subjectPartitionKey } from './partitions.ts';
import type { Subject } from './subject.ts';

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

/** Reads one event by a strongly consistent GetItem. */
export const findEvent = (environmentId: string, id: string): Promise<EventRecord | undefined> =>
  events.getAt({ environmentId, partition: choosePartition(id), id });

/**
 * Adds an event that was stored without a subject to the list of its subject, by one UpdateItem.
 * @returns false if the row no longer exists or is in the list already
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
