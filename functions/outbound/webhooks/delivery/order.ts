import type { BusDetail } from '../../../kernel/events/detail.ts';
import { messageText, type QueueMessage } from '../../../kernel/queues.ts';
import { makeDeliveryId, type DeliveryRecord } from './entity.ts';
import type { Outcome } from './rules.ts';

/** An attempt that was made, until it is in the delivery's row. */
export interface Attempted {
  /** The time when it started, in milliseconds since the epoch. */
  startedAt: number;
  outcome: Outcome;
  /** True if the endpoint's row counts its failure. */
  isNoted: boolean;
}

/** A message of the deliveries queue, which asks for an attempt of this delivery now. */
export interface DeliveryOrder {
  environment_id: string;
  endpoint_id: string;
  delivery_id: string;
  /**
   * The version of the delivery's row when the message was made, 0 if there was none. If the row has changed since, the
   * message is ignored, so that a message that arrives twice, or late, sends nothing.
   */
  version: number;
  /** The event, if it is small enough for the message; otherwise its row is read. */
  detail?: BusDetail;
  /** The attempt that this message asked for, if it was made and only its record is missing: it is not posted again. */
  attempted?: Attempted;
  /** Number of times the message was postponed because a part of the service did not respond. */
  put_back?: number;
  /** True for a delivery that a caller resends: it does not wait for the circuit of a failing endpoint, and is its next probe. */
  is_requested?: boolean;
}

/**
 * Maximum bytes of an event in the message; a larger one is read from its row. With this limit ten messages fit into one
 * SendMessageBatch of 256 KiB.
 */
const CARRIED_BYTES = 24_000;

/** Makes the messages for the first attempt of an event at endpoints. */
export function firstOrders(detail: BusDetail, endpointIds: readonly string[]): QueueMessage[] {
  const isCarried = detail.data !== undefined && Buffer.byteLength(messageText(detail)) <= CARRIED_BYTES;
  return endpointIds.map((endpointId) => ({
    body: {
      environment_id: detail.environment_id,
      endpoint_id: endpointId,
      delivery_id: makeDeliveryId(detail.id),
      version: 0,
      ...(isCarried ? { detail } : {}),
    } satisfies DeliveryOrder,
    group: endpointId,
  }));
}

/** Makes the message for another attempt of a delivery. */
export const orderOf = ({ environmentId, endpointId, id, version }: DeliveryRecord): DeliveryOrder => ({
  environment_id: environmentId,
  endpoint_id: endpointId,
  delivery_id: id,
  version,
});

/** The queue message of a job. Messages of one endpoint do not delay those of another. */
export const messageOf = (order: DeliveryOrder, delaySeconds = 0): QueueMessage => ({
  body: order,
  delaySeconds,
  group: order.endpoint_id,
});
