import { subscribableEventNames } from '../../../kernel/events/catalogue/names.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { enqueue } from '../../../kernel/queues.ts';
import { loadEndpoints } from '../endpoint/set.ts';
import { firstOrders } from './order.ts';

const subscribable = new Set<string>(subscribableEventNames);
/** Allowed difference of clocks in ms: a new endpoint accepts events that seem a little older than it. */
const CLOCK_SKEW_MS = 60_000;

/** Enqueues the delivery of an event to each enabled endpoint that subscribes to its name. */
export async function dispatchEvent(detail: BusDetail): Promise<void> {
  if (!subscribable.has(detail.event)) return;
  const createdAt = Date.parse(detail.created_at);
  const subscribed = (await loadEndpoints(detail.environment_id)).filter(
    (endpoint) =>
      endpoint.status === 'enabled' &&
      endpoint.events.includes(detail.event) &&
      // A replayed event is not delivered to an endpoint that was created after the event.
      Date.parse(endpoint.createdAt) - CLOCK_SKEW_MS <= createdAt,
  );
  await enqueue(
    'deliveries',
    firstOrders(
      detail,
      subscribed.map(({ id }) => id),
    ),
  );
}
