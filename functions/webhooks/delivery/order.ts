import type { BusDetail } from '../../kernel/http/worker.ts';
import { messageText, type QueueMessage } from '../../kernel/queues.ts';
import { deliveryIdOf, type DeliveryRecord } from './entity.ts';

/** A message of the deliveries queue: try this delivery now. */
export interface DeliveryOrder {
  environment_id: string;
  endpoint_id: string;
  delivery_id: string;
  /**
   * The version of the delivery's row that this order follows from, 0 where there is none yet. A row that has moved on
   * makes the order void: so a message that comes twice, or late, sends nothing.
   */
  version: number;
  /** The event, where it is small enough to travel; else its row is read. */
  detail?: BusDetail;
  /** Times the order was put back because a part of the service did not answer. */
  put_back?: number;
}

/** An event beyond this is read from its row instead: ten orders fit one SendMessageBatch of 256 KiB. */
const CARRIED_BYTES = 24_000;

/** Orders for the first attempt of an event at endpoints. */
export function firstOrders(detail: BusDetail, endpointIds: readonly string[]): QueueMessage[] {
  const isCarried = detail.data !== undefined && Buffer.byteLength(messageText(detail)) <= CARRIED_BYTES;
  return endpointIds.map((endpointId) => ({
    body: {
      environment_id: detail.environment_id,
      endpoint_id: endpointId,
      delivery_id: deliveryIdOf(detail.id),
      version: 0,
      ...(isCarried ? { detail } : {}),
    } satisfies DeliveryOrder,
    group: endpointId,
  }));
}

/** The order for a further attempt of a delivery. */
export const orderOf = ({ environmentId, endpointId, id, version }: DeliveryRecord): DeliveryOrder => ({
  environment_id: environmentId,
  endpoint_id: endpointId,
  delivery_id: id,
  version,
});

/** The message of an order; orders of one endpoint do not delay those of another. */
export const messageOf = (order: DeliveryOrder, delaySeconds = 0): QueueMessage => ({
  body: order,
  delaySeconds,
  group: order.endpoint_id,
});
