import { setTimeout as delay } from 'node:timers/promises';

import type { Connection } from '../support/connection.ts';
import { startConsumer } from '../support/webhook-consumer.ts';
import { createOrganization } from './cases/organizations.ts';
import { type Counts, computeCounts, readCounters, readShared, type SharedUnits } from './counts.ts';
import { quantile } from './table.ts';

/** The latency from a committed change to the first webhook attempt, with the calls. */
export interface DeliveryFigures {
  /** Milliseconds from the change's response to the arrival of the request. */
  p50: number;
  p99: number;
  /** The calls for an event, by function of its delivery to one endpoint. */
  functions: Record<string, Counts>;
  /** The units of an event on keys of webhooks that other events use too. */
  shared: SharedUnits;
}

const LIMIT_MS = 10_000;
const WARM_UP = 3;
const STAGES = ['events-relay', 'webhooks-dispatch', 'webhooks-deliver'];

/**
 * Changes something and waits for its webhook, repeatedly.
 * @throws Error when one does not arrive
 */
export async function measureDelivery(connection: Connection, changes: number): Promise<DeliveryFigures> {
  await connection.control('POST', 'reset');
  const consumer = await startConsumer();
  const body = { endpoint_url: consumer.url('/bench'), events: ['organization.created'] };
  await connection.demand({ method: 'POST', path: '/webhook_endpoints', body });
  const latencies: number[] = [];
  for (let at = -WARM_UP; at < changes; at += 1) {
    if (at === 0) await connection.control('DELETE', 'counters');
    const { id } = await createOrganization(connection);
    const respondedAt = performance.now();
    const deadline = respondedAt + LIMIT_MS;
    const arrival = () => consumer.received.find(({ text }) => text.includes(id));
    while (arrival() === undefined) {
      if (performance.now() > deadline) throw new Error(`A change had no webhook within ${LIMIT_MS} ms`);
      await delay(1);
    }
    // The request can arrive before the response to the change that caused it.
    if (at >= 0) latencies.push(Math.max(0, (arrival()?.at ?? NaN) - respondedAt));
    consumer.received.length = 0;
  }
  await connection.control('GET', 'idle?wait_ms=5000');
  const counters = await readCounters(connection);
  const shared = await readShared(connection, changes, /webhook/);
  await consumer.close();
  return {
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    shared,
    functions: Object.fromEntries(STAGES.map((name) => [name, computeCounts(counters[name], changes)])),
  };
}
