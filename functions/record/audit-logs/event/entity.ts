import { createHash } from 'node:crypto';

import { readTime } from '../../../kernel/id-format.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { childIndex, expiringAttributes, model, recordKeyBy } from '../../../kernel/storage/record.ts';

/**
 * Number of partitions for one organization's events of one hour in the index by time. A partition accepts 1,000 write
 * units a second, and an event of 1 KB (a row of some 1.5 KB) costs two. So eight partitions accept 4,000 such events a
 * second, four times as many as one organization may send.
 */
export const SHARDS = 8;

/**
 * A recorded event. Its key is the hash of its idempotency key: each event has its own partition, so that no two events
 * share its throughput, and recording an event is one conditional write. Sealing and exports read the index by time.
 */
const EventEntity = entity({
  model: model('audit-event'),
  attributes: {
    ...expiringAttributes,
    environmentId: { type: 'string', required: true, readOnly: true },
    /** Hash of the idempotency key and its owner. */
    key: { type: 'string', required: true, readOnly: true },
    /** Hash of the request; a repeated request must have the same hash. */
    request: { type: 'string', required: true },
    organizationId: { type: 'string', required: true },
    /** The hour in which the event was received: `2026-01-15T12`. */
    hour: { type: 'string', required: true },
    shard: { type: 'string', required: true },
    id: { type: 'string', required: true },
    action: { type: 'string', required: true },
    occurredAt: { type: 'string', required: true },
    schemaVersion: { type: 'string', required: true },
    actor: { type: 'string', required: true },
    targets: { type: 'string', required: true },
    context: { type: 'string', required: true },
    metadata: { type: 'string', required: true },
    receivedAt: { type: 'string', required: true },
    salt: { type: 'string', required: true },
  },
  indexes: {
    primary: recordKeyBy('audit-event', 'key'),
    byTime: childIndex('audit-events', 'organizationId', 'hour', 'shard'),
  },
});

export type EventRecord = RecordOf<typeof EventEntity>;
export const events = collection(EventEntity as never, 'internal') as unknown as { entity: typeof EventEntity };

/** The hour of an event's id, by the service's clock. */
export const formatHour = (id: string): string => new Date(readTime(id)).toISOString().slice(0, 13);

/** The partition of an event within its hour. */
export const computeShard = (key: string): string => String(parseInt(key.slice(0, 6), 16) % SHARDS);

/** A hash of several texts in which the end of each text is unambiguous. */
export const hashParts = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
