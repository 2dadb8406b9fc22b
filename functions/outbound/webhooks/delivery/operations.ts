import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, notFound } from '../../../kernel/errors.ts';
import { findEvent } from '../../../kernel/events/entity.ts';
import { isId } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { endpoints } from '../endpoint/entity.ts';
import { endpointDisabled, endpointNotFound } from '../endpoint/errors.ts';
import { healths } from '../health/entity.ts';
import { openUntil } from '../health/rules.ts';
import { findDelivery, listDeliveries, makeEventId } from './entity.ts';
import { stageResend } from './stage.ts';
import { DeliveryDetails, DeliveryList, ListDeliveries, presentDelivery, presentDeliveryDetails } from './schema.ts';

const deliveryNotFound = notFound('delivery of this webhook endpoint', 'entity_not_found');

const eventGone = declareError({
  status: 409,
  code: 'event_expired',
  message: 'The event is past its retention and no longer stored.',
});

export const listWebhookDeliveries = operation({
  id: 'webhook_deliveries.list',
  method: 'GET',
  path: '/x/webhook_endpoints/{id}/deliveries',
  summary: 'List the deliveries of a webhook endpoint',
  description:
    'Lists them in the order of their events. Deliveries are kept for 30 days after their last change. A page of one ' +
    '`state` may have fewer than `limit` entries while its cursor is not null: continue with the cursor.',
  auth: apiKey,
  query: ListDeliveries,
  responses: { 200: DeliveryList },
  errors: [endpointNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, query, fail }) {
    let gateAt = 0;
    const list = async (window: Window) => {
      const [records, health] = await awaitAll([
        listDeliveries(environmentId, params.id, query.state, window),
        healths.get(environmentId, params.id),
      ]);
      gateAt = openUntil(health);
      return records;
    };
    const [endpoint, body] = await awaitAll([
      endpoints.get(environmentId, params.id),
      readPage(query, list, (record) => presentDelivery(record, gateAt)),
    ]);
    if (endpoint === undefined) throw fail(endpointNotFound);
    return { status: 200, body };
  },
});

export const getWebhookDelivery = operation({
  id: 'webhook_deliveries.get',
  method: 'GET',
  path: '/x/webhook_endpoints/{id}/deliveries/{delivery_id}',
  summary: 'Get a delivery with its latest attempts',
  auth: apiKey,
  responses: { 200: DeliveryDetails },
  errors: [deliveryNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const [endpoint, delivery, health] = await awaitAll([
      endpoints.get(environmentId, params.id),
      findDelivery(environmentId, params.id, params.delivery_id),
      healths.get(environmentId, params.id),
    ]);
    if (endpoint === undefined || delivery === undefined) throw fail(deliveryNotFound);
    return { status: 200, body: presentDeliveryDetails(delivery, openUntil(health)) };
  },
});

export const resendWebhookDelivery = operation({
  id: 'webhook_deliveries.resend',
  method: 'POST',
  path: '/x/webhook_endpoints/{id}/deliveries/{delivery_id}/resend',
  summary: 'Resend a delivery, in any state',
  description:
    'The event is sent at once, with the same event id, even while the other deliveries of a failing endpoint wait. If that fails, the schedule of retries starts again.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 202: DeliveryDetails },
  errors: [deliveryNotFound, endpointDisabled, eventGone],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    if (!isId('webhook_delivery', params.delivery_id)) throw fail(deliveryNotFound);
    const [endpoint, delivery, event] = await awaitAll([
      endpoints.get(environmentId, params.id),
      findDelivery(environmentId, params.id, params.delivery_id),
      findEvent(environmentId, makeEventId(params.delivery_id)),
    ]);
    if (endpoint === undefined || delivery === undefined) throw fail(deliveryNotFound);
    if (endpoint.status === 'disabled') throw fail(endpointDisabled);
    if (event === undefined || (event.expiresAt ?? 0) <= clock.seconds()) throw fail(eventGone);
    const record = stageResend(unit, delivery, { isRequested: true });
    return { status: 202, body: presentDeliveryDetails(record) };
  },
});

export const deliveryOperations = [listWebhookDeliveries, getWebhookDelivery, resendWebhookDelivery] as const;
