import type { ReceivedRequest } from '../../support/receiver.ts';
import { advance, call, eventually, idle, now } from '../../support/service.ts';

export interface Endpoint {
  id: string;
  secret: string;
  next_secret: string;
}
export interface Delivery {
  id: string;
  event_id: string;
  subject_id?: string | null;
  state: string;
  drop_reason: string | null;
  attempt_count: number;
  next_attempt_at: string | null;
  attempts: {
    number: number;
    status: number | null;
    error: string | null;
    response_body: string;
    duration_ms: number;
  }[];
}

/** The event in a webhook. */
export const parsed = ({ body }: ReceivedRequest) =>
  JSON.parse(body) as { id: string; event: string; data: { id: string } };

export const subscribe = async (url: string, events = ['organization.created']): Promise<Endpoint> => {
  const { status, body } = await call<Endpoint>('POST', '/webhook_endpoints', {
    endpoint_url: url,
    events,
  });
  if (status !== 201) throw new Error(`The endpoint was not made: ${status}`);
  return body;
};
export const organization = async (name = 'Acme'): Promise<string> =>
  (await call<{ id: string }>('POST', '/organizations', { name })).body.id;
export const base = (endpoint: Endpoint) => `/x/webhook_endpoints/${endpoint.id}/deliveries`;
export const deliveries = async (endpoint: Endpoint, query = ''): Promise<Delivery[]> =>
  (await call<{ data: Delivery[] }>('GET', `${base(endpoint)}${query}`)).body.data;
export const only = async (
  endpoint: Endpoint,
  isReached: (delivery: Delivery) => boolean,
  ms?: number,
): Promise<Delivery> => {
  const found = await eventually(
    () => deliveries(endpoint),
    ([first]) => first !== undefined && isReached(first),
    ms,
  );
  return (await call<Delivery>('GET', `${base(endpoint)}/${found[0]?.id}`)).body;
};
export const details = (endpoint: Endpoint) =>
  call<{ status: string; disabled_reason: string }>('GET', `/x/webhook_endpoints/${endpoint.id}`);

/** Reports whether the newest delivery of an endpoint is waiting for another attempt. */
export const isPending = async (endpoint: Endpoint): Promise<boolean> =>
  (await deliveries(endpoint))[0]?.state === 'pending';

/** Moves the clock beyond the next attempt of the newest delivery and the next run of the worker. */
export async function passToNextAttempt(endpoint: Endpoint): Promise<void> {
  const [delivery] = await deliveries(endpoint);
  const wait = Date.parse(delivery?.next_attempt_at ?? '') - (await now());
  await advance(Math.ceil(Math.max(wait, 0) / 1_000) + 61);
  await idle();
}
