import type { QueueName } from '../../../kernel/area.ts';
import { EVENT_ROW } from '../../../kernel/events/entity.ts';
import { makeDetail } from '../../../kernel/events/detail.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { findSubject } from '../../../kernel/events/subject.ts';
import { MESSAGE_ROW } from '../../../kernel/messages/entity.ts';
import { OUTBOX_ROW } from '../../../kernel/storage/outbox.ts';
import { WORK_PREFIX, WORK_ROW } from '../../../kernel/storage/work.ts';

/** The destination of a row from the table's stream. */
export type Departure = { kind: 'event'; detail: BusDetail } | { kind: 'message'; queue: QueueName; body: unknown };

/** The relevant part of a stream record: DynamoDB's attribute values, of which these rows have only texts. */
export interface StreamRecord {
  eventName?: string | undefined;
  dynamodb?: { NewImage?: Record<string, { S?: string | undefined }> | undefined } | undefined;
}

/** ElectroDB writes the kind of a row into this attribute. */
const KIND = '__edb_e__';

/**
 * The subject of an event (`kernel/events/subject.ts`) within its environment, whose events reach the bus in their order; its own id for an event
 * without a subject, and for work.
 */
export const findOrderKey = (detail: BusDetail): string => {
  const { environment_id: environmentId, event: name, data, organization_id: organizationId } = detail;
  return `${environmentId}#${findSubject({ environmentId, name, data, organizationId })?.key ?? detail.id}`;
};

/** The destination of an inserted row; undefined for every other row, and for changes and deletions. */
export function readDeparture({ eventName, dynamodb }: StreamRecord): Departure | undefined {
  const image = dynamodb?.NewImage;
  if (eventName !== 'INSERT' || image === undefined) return undefined;
  const text = (name: string): string => image[name]?.S ?? '';
  switch (image[KIND]?.S) {
    case EVENT_ROW:
      return {
        kind: 'event',
        detail: makeDetail({
          environmentId: text('environmentId'),
          id: text('id'),
          name: text('name'),
          data: text('data'),
          context: image.context?.S,
          organizationId: image.organizationId?.S,
          createdAt: text('createdAt'),
        }),
      };
    case MESSAGE_ROW:
      return {
        kind: 'message',
        queue: 'messages',
        body: { environment_id: text('environmentId'), id: text('id') },
      };
    case WORK_ROW:
      // The key and name of the work are sufficient, because the worker reads the row, which stores its progress.
      return {
        kind: 'event',
        detail: {
          environment_id: text('environmentId'),
          id: text('id'),
          event: `${WORK_PREFIX}${text('name')}`,
          created_at: text('createdAt'),
        },
      };
    case OUTBOX_ROW:
      return { kind: 'message', queue: text('queue') as QueueName, body: JSON.parse(text('body')) as unknown };
    default:
      return undefined;
  }
}
