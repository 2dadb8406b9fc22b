import * as z from 'zod';

import { listSchema, pageMembers } from '../../kernel/pagination.ts';
import { timestamp } from '../../kernel/values.ts';
import type { DeliveryRecord } from './entity.ts';
import { type Attempt, deliveryStates, dropReasons } from './rules.ts';

export const ListDeliveries = z.object({
  state: z.enum(deliveryStates).optional(),
  ...pageMembers('webhook_delivery'),
});

const members = {
  object: z.literal('webhook_delivery'),
  id: z.string(),
  webhook_endpoint_id: z.string(),
  event_id: z.string(),
  event: z.string(),
  state: z.enum(deliveryStates),
  /** The reason why it is not attempted again before all attempts are used. */
  drop_reason: z.enum(dropReasons).nullable(),
  attempt_count: z.int(),
  next_attempt_at: timestamp.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
};

const DeliveryAttempt = z
  .object({
    /** The number of the attempt, 1 for the first. */
    number: z.int(),
    started_at: timestamp,
    duration_ms: z.int(),
    /** The HTTP status of the response; null if there was none. */
    status: z.int().nullable(),
    /** The reason why there was no response, such as `timeout` or `address_refused`. */
    error: z.string().nullable(),
    /** The first KiB of the response. */
    response_body: z.string().nullable(),
  })
  .meta({ id: 'WebhookDeliveryAttempt' });

export const Delivery = z.object(members).meta({ id: 'WebhookDelivery' });
export const DeliveryList = listSchema(Delivery).meta({ id: 'WebhookDeliveryList' });
export const DeliveryDetails = z
  .object({ ...members, attempts: z.array(DeliveryAttempt) })
  .meta({ id: 'WebhookDeliveryDetails' });

export function presentDelivery(record: DeliveryRecord): z.input<typeof Delivery> {
  return {
    object: 'webhook_delivery',
    id: record.id,
    webhook_endpoint_id: record.endpointId,
    event_id: record.eventId,
    event: record.eventName,
    state: record.state,
    drop_reason: record.dropReason ?? null,
    attempt_count: record.attemptCount,
    next_attempt_at: record.nextAttemptAt ?? null,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

export const presentDeliveryDetails = (record: DeliveryRecord): z.input<typeof DeliveryDetails> => ({
  ...presentDelivery(record),
  attempts: record.attempts.map(presentAttempt),
});

const presentAttempt = (attempt: Attempt): z.input<typeof DeliveryAttempt> => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  status: attempt.status,
  error: attempt.error,
  response_body: attempt.response,
});
