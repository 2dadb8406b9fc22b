import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { readTime } from '../../../kernel/id-format.ts';
import { timestamp, timestampInput } from '../../../kernel/values.ts';
import type { DeliveryRecord } from './entity.ts';
import { type Attempt, computeDelays, type Delay, deliveryStates, dropReasons, waitReasons } from './rules.ts';

export const ListDeliveries = z.object({
  state: z.enum(deliveryStates).optional().describe('Only deliveries in this state.'),
  ...pageMembers('webhook_delivery'),
});

const members = {
  object: z.literal('webhook_delivery'),
  id: z.string(),
  webhook_endpoint_id: z.string(),
  event_id: z.string(),
  event: z.string(),
  subject_id: z
    .string()
    .nullable()
    .describe(
      'The id of the user that the event concerns, otherwise of the organization; null if it concerns neither, and for deliveries of an earlier release.',
    ),
  state: z.enum(deliveryStates),
  /** The reason why it is not attempted again before all attempts are used. */
  drop_reason: z.enum(dropReasons).nullable(),
  attempt_count: z.int(),
  next_attempt_at: timestamp
    .nullable()
    .describe(
      'The earliest time of the next attempt; null if there is none. The attempt begins at most a minute later. If the endpoint has failed five times in a row, ' +
        'only one of the waiting deliveries is attempted at that time. If it succeeds, the others follow; otherwise all wait for the next such time.',
    ),
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

const DeliveryWait = z
  .object({
    reason: z
      .enum(['relay', ...waitReasons, 'queue'])
      .describe(
        'The reason: `relay` is the way from the commit of the event to its first attempt; `schedule` the wait after a failed attempt; ' +
          '`retry_after` a longer one that the receiver asked for; `circuit` the wait for an endpoint that has failed five times in a row; `slow_endpoint` the wait for its turn at a slow ' +
          'endpoint; `disabled` a disabled endpoint; `resent` the time until it was sent again by request; `queue` the time ' +
          'between the end of a wait and its attempt.',
      ),
    attempt: z.int().describe('The number of the attempt before which it waited.'),
    from: timestamp,
    until: timestamp
      .nullable()
      .describe('The end; null for a delivery that was dropped because its endpoint was disabled, until it is resent.'),
    duration_ms: z.int().nullable(),
  })
  .meta({ id: 'WebhookDeliveryWait' });

export const Delivery = z.object(members).meta({ id: 'WebhookDelivery' });
export const DeliveryList = listSchema(Delivery).meta({ id: 'WebhookDeliveryList' });
export const DeliveryDetails = z
  .object({
    ...members,
    attempts: z.array(DeliveryAttempt),
    waits: z
      .array(DeliveryWait)
      .describe(
        'The latest waits, in their order. For deliveries of an earlier release they are computed from the attempts.',
      ),
  })
  .meta({ id: 'WebhookDeliveryDetails' });

/**
 * A delivery as callers see it.
 * @param gateAt the time in ms before which the open circuit of its endpoint allows no attempt
 */
export function presentDelivery(record: DeliveryRecord, gateAt = 0): z.input<typeof Delivery> {
  const { nextAttemptAt } = record;
  return {
    object: 'webhook_delivery',
    id: record.id,
    webhook_endpoint_id: record.endpointId,
    event_id: record.eventId,
    event: record.eventName,
    subject_id: record.subjectId ?? null,
    state: record.state,
    drop_reason: record.dropReason ?? null,
    attempt_count: record.attemptCount,
    next_attempt_at:
      nextAttemptAt === undefined ? null : new Date(Math.max(Date.parse(nextAttemptAt), gateAt)).toISOString(),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

export const presentDeliveryDetails = (record: DeliveryRecord, gateAt = 0): z.input<typeof DeliveryDetails> => ({
  ...presentDelivery(record, gateAt),
  attempts: record.attempts.map(presentAttempt),
  waits: computeDelays(new Date(readTime(record.eventId)).toISOString(), record.attempts, record.waits ?? []).map(
    presentDelay,
  ),
});

const presentDelay = ({ reason, attempt, from, until }: Delay): z.input<typeof DeliveryWait> => ({
  reason,
  attempt,
  from,
  until: until ?? null,
  duration_ms: until === undefined ? null : Math.max(0, Date.parse(until) - Date.parse(from)),
});

export const EventDeliveryList = listSchema(DeliveryDetails)
  .extend({
    event_created_at: timestamp.describe('The time of the event.'),
    listed_from: timestamp.describe(
      'The time from which `GET /events` lists the event: a few seconds after it happened.',
    ),
    awaiting: z
      .array(z.string())
      .describe(
        'Ids of endpoints that existed at the time of the event, are enabled, subscribe to the event and have no entry in `data`. ' +
          'Shortly after the event it is on its way to them. An endpoint that is still listed later does not get it: it was disabled, or did not subscribe, when the ' +
          'event occurred. Empty from 30 days after the event on.',
      ),
  })
  .meta({ id: 'EventDeliveryList' });

export const ResendFailed = z
  .object({
    from: timestampInput.describe('The start: selects deliveries of events from this time on.'),
    until: timestampInput.describe('The end: selects deliveries of events before this time.'),
    dry_run: z.boolean().default(false).describe('True to only list what would be sent again.'),
  })
  .meta({ id: 'ResendFailedDeliveries' });

export const ResentDeliveries = z
  .object({
    object: z.literal('resent_webhook_deliveries'),
    dry_run: z.boolean(),
    data: z.array(Delivery).describe('The deliveries, the oldest event first, as they are after the call.'),
    has_more: z
      .boolean()
      .describe(
        'True if there are more: repeat the call, which continues with the next. With `dry_run` it lists the same ones again, because nothing was sent.',
      ),
  })
  .meta({ id: 'ResentWebhookDeliveries' });

const presentAttempt = (attempt: Attempt): z.input<typeof DeliveryAttempt> => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: attempt.durationMs,
  status: attempt.status,
  error: attempt.error,
  response_body: attempt.response,
});
