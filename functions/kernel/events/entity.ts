import { readTime } from '../id-format.ts';
import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { childKey, expiringAttributes, model, recordAttributes } from '../storage/record.ts';

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
  },
  indexes: {
    primary: childKey('events', 'partition'),
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
