import { awaitAll } from '../../../kernel/concurrency.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { declareError, notFound, orFail } from '../../../kernel/errors.ts';
import { findEvent } from '../../../kernel/events/entity.ts';
import { isId } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { wholeList } from '../../../kernel/pagination.ts';
import { settings } from '../../../kernel/settings.ts';
import { type EndpointRecord, endpoints, findEndpoints } from '../endpoint/entity.ts';
import { endpointDisabled, endpointNotFound } from '../endpoint/errors.ts';
import { findDeliveriesBetween, findEventDeliveries } from './entity.ts';
import {
  EventDeliveryList,
  presentDelivery,
  presentDeliveryDetails,
  ResendFailed,
  ResentDeliveries,
} from './schema.ts';
import { healths } from '../health/entity.ts';
import { openUntil } from '../health/rules.ts';
import { stageResend } from './stage.ts';

const eventNotFound = notFound('event', 'entity_not_found');

const emptyRange = declareError({
  status: 400,
  code: 'invalid_range',
  message: 'The range is empty: from must be before until.',
});

/**
 * An event that has no delivery yet counts as on its way for this time in ms, for which the rows of deliveries are kept too.
 */
const KEPT_MS = 30 * DAY_MS;

export const listEventDeliveries = operation({
  id: 'event_deliveries.list',
  method: 'GET',
  path: '/x/events/{id}/deliveries',
  summary: 'List the deliveries of an event, with the reason for each wait',
  description:
    'Returns one entry for each endpoint, with its attempts and the reason for each wait between them. Use it to find out why a ' +
    'webhook was late or did not arrive. Deliveries are kept for 30 days after their last change.',
  auth: apiKey,
  responses: { 200: EventDeliveryList },
  errors: [eventNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    if (!isId('event', params.id)) throw fail(eventNotFound);
    const [event, all] = await awaitAll([findEvent(environmentId, params.id), findEndpoints(environmentId)]);
    if (event === undefined || (event.expiresAt ?? 0) <= clock.seconds()) throw fail(eventNotFound);
    const ids = all.map(({ id }) => id);
    const [deliveries, health] = await awaitAll([
      findEventDeliveries(environmentId, event.id, ids),
      healths.getMany(environmentId, ids),
    ]);
    const gates = new Map(health.map((one) => [one.id, openUntil(one)]));
    const tried = new Set(deliveries.map(({ endpointId }) => endpointId));
    const at = Date.parse(event.createdAt);
    const isRecent = clock.now() - at < KEPT_MS;
    const isAwaited = (one: EndpointRecord): boolean =>
      !tried.has(one.id) &&
      one.status === 'enabled' &&
      one.events.includes(event.name) &&
      Date.parse(one.createdAt) <= at;
    return {
      status: 200,
      body: {
        ...wholeList(deliveries.map((one) => presentDeliveryDetails(one, gates.get(one.endpointId)))),
        event_created_at: event.createdAt,
        listed_from: new Date(at + settings().GATEHOUSE_EVENT_HORIZON_MS).toISOString(),
        awaiting: isRecent ? all.filter(isAwaited).map(({ id }) => id) : [],
      },
    };
  },
});

/** Deliveries of one call: each is two writes of the transaction. */
const MOST_RESENT = 40;

export const resendFailedDeliveries = operation({
  id: 'webhook_deliveries.resend_failed',
  method: 'POST',
  path: '/x/webhook_endpoints/{id}/resend_failed',
  summary: 'Resend what failed at a webhook endpoint between two times',
  description:
    'Sends the failed and dropped deliveries of events of that time again, at most 40 in a call, the oldest first, and each with a new ' +
    'schedule of retries. Try `dry_run` first. Without it, repeat the call while `has_more` is true: what was sent again is no longer failed.',
  auth: apiKey,
  operator: 'people.support',
  body: ResendFailed,
  responses: { 200: ResentDeliveries },
  errors: [endpointNotFound, endpointDisabled, emptyRange],
  emits: [],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, body, unit, fail }) {
    const [from, to] = [Date.parse(body.from), Date.parse(body.until)];
    if (from >= to) throw fail(emptyRange);
    const endpoint = await orFail(endpoints.get(environmentId, params.id), () => fail(endpointNotFound));
    if (endpoint.status === 'disabled') throw fail(endpointDisabled);
    const range = { from, to, limit: MOST_RESENT + 1 };
    const found = await findDeliveriesBetween(environmentId, endpoint.id, ['failed', 'dropped'], range);
    const chosen = found.slice(0, MOST_RESENT);
    const after = body.dry_run ? chosen : chosen.map((delivery) => stageResend(unit, delivery));
    return {
      status: 200,
      body: {
        object: 'resent_webhook_deliveries' as const,
        dry_run: body.dry_run,
        data: after.map((delivery) => presentDelivery(delivery)),
        has_more: found.length > chosen.length,
      },
    };
  },
});

export const eventDeliveryOperations = [listEventDeliveries, resendFailedDeliveries] as const;
