import { createHmac } from 'node:crypto';

import type { Connection } from '../support/connection.ts';
import type { Arrival, Consumer } from '../support/webhook-consumer.ts';
import { EVENT_NAMES } from './events.ts';
import { must } from './scenario.ts';

/** A webhook endpoint at a consumer. */
export interface Subscription {
  id: string;
  path: string;
  secret: string;
}

/** Registers an endpoint for the events that the scenarios cause. */
export async function subscribe(
  connection: Connection,
  consumer: Consumer,
  path: string,
  events: readonly string[] = EVENT_NAMES,
): Promise<Subscription> {
  const body = { endpoint_url: consumer.url(path), events };
  const endpoint = await connection.demand<{ id: string; secret: string }>({
    method: 'POST',
    path: '/webhook_endpoints',
    body,
  });
  return { id: endpoint.id, path, secret: endpoint.secret };
}

/** The deliveries to a subscription, by the event's id. @throws Error for an invalid signature */
export function computeArrivals({ received }: Consumer, { path, secret }: Subscription): Map<string, Arrival[]> {
  const arrivals = new Map<string, Arrival[]>();
  for (const arrival of received.filter((one) => one.path === path)) {
    const id = verified(arrival, secret);
    arrivals.set(id, [...(arrivals.get(id) ?? []), arrival]);
  }
  return arrivals;
}

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);

/**
 * Checks both signatures as their specifications describe them, without the age, since scenarios move the clock.
 * @returns the id of the event
 */
function verified({ headers, text }: Arrival, secret: string): string {
  const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']].map(String);
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = `v1,${hmac(key, `${id}.${time}.${text}`).digest('base64')}`;
  must(headers['webhook-signature'] === standard, `The Standard Webhooks signature of ${id} does not hold`);
  const [, at, signature] = /^t=(\d+), v1=([0-9a-f]{64})$/.exec(String(headers['gatehouse-signature'])) ?? [];
  must(signature === hmac(secret, `${at}.${text}`).digest('hex'), `The vendor-style signature of ${id} does not hold`);
  must((JSON.parse(text) as { id: string }).id === id, `webhook-id and the body of ${id} differ`);
  return id ?? '';
}

/** Deliveries in addition to the first of each event. */
export const duplicatesIn = (arrivals: ReadonlyMap<string, readonly Arrival[]>): number =>
  [...arrivals.values()].reduce((sum, { length }) => sum + length - 1, 0);

/** Waits for all work in progress, then moves the clock to the next retries, until a condition is true. */
export async function advanceUntil(
  connection: Connection,
  stepSeconds: number,
  mostSteps: number,
  isReached: () => boolean | Promise<boolean>,
): Promise<number> {
  for (let step = 0; step <= mostSteps; step += 1) {
    await connection.control('GET', 'idle?wait_ms=15000');
    if (await isReached()) return step * stepSeconds;
    await connection.control('POST', 'clock', { advance_seconds: stepSeconds });
  }
  return mostSteps * stepSeconds;
}
