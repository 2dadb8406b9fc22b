import type { QueueName } from '../area.ts';
import { clock } from '../clock.ts';
import { newUlid } from '../ids.ts';
import { collection } from './collection.ts';
import { entity } from './entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from './record.ts';
import type { Write } from './write.ts';

/**
 * A message that a transaction sends: its row is written with the other writes, and the relay passes it to its queue.
 * So a request can start a worker without a call that could be lost between the commit and the queue.
 */
const OutboxEntity = entity({
  model: model('outbox'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    queue: { type: 'string', required: true },
    /** The message as JSON. */
    body: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('outbox') },
});

/** The ElectroDB entity name by which the relay finds rows of the outbox in the table's stream. */
export const OUTBOX_ROW = 'outbox';

const rows = collection(OutboxEntity, 'internal');
/** Time in seconds for which a row is kept, longer than the stream keeps its records. */
const LIFETIME_SECONDS = 2 * 86_400;

/** The write that sends a message to a queue if and only if its transaction commits. */
export function outgoing(environmentId: string, queue: QueueName, body: unknown): Write {
  return rows.create({
    environmentId,
    id: newUlid(),
    queue,
    body: JSON.stringify(body),
    expiresAt: clock.seconds() + LIFETIME_SECONDS,
  }).write;
}
