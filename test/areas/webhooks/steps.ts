import { eventually, type Received, type Receiver, type Running } from './running.ts';

export interface Endpoint {
  id: string;
  secret: string;
  next_secret: string;
}
export interface Delivery {
  id: string;
  event_id: string;
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

/** The event that a webhook carries. */
export const parsed = ({ body }: Received) => JSON.parse(body) as { id: string; event: string; data: { id: string } };

/** What tests of webhooks do again and again, on the Gatehouse and the receiver of the moment. */
export function stepsOn(gatehouse: () => Running, receiver: () => Receiver) {
  const subscribe = async (url = receiver().url(), events = ['organization.created']): Promise<Endpoint> => {
    const { status, body } = await gatehouse().call<Endpoint>('POST', '/webhook_endpoints', {
      endpoint_url: url,
      events,
    });
    if (status !== 201) throw new Error(`The endpoint was not made: ${status}`);
    return body;
  };
  const organization = async (name = 'Acme'): Promise<string> =>
    (await gatehouse().call<{ id: string }>('POST', '/organizations', { name })).body.id;
  const arrived = (count: number, ms?: number): Promise<Received[]> =>
    eventually(
      () => receiver().received,
      (received) => received.length >= count,
      ms,
    );
  const base = (endpoint: Endpoint) => `/x/webhook_endpoints/${endpoint.id}/deliveries`;
  const deliveries = async (endpoint: Endpoint, query = ''): Promise<Delivery[]> =>
    (await gatehouse().call<{ data: Delivery[] }>('GET', `${base(endpoint)}${query}`)).body.data;
  const only = async (endpoint: Endpoint, holds: (delivery: Delivery) => boolean, ms?: number): Promise<Delivery> => {
    const found = await eventually(
      () => deliveries(endpoint),
      ([first]) => first !== undefined && holds(first),
      ms,
    );
    return (await gatehouse().call<Delivery>('GET', `${base(endpoint)}/${found[0]?.id}`)).body;
  };
  const answering = (status: number, headers: Record<string, string> = {}, body = '') => {
    receiver().answer = (_, response) => void response.writeHead(status, headers).end(body);
  };
  const details = (endpoint: Endpoint) =>
    gatehouse().call<{ status: string; disabled_reason: string }>('GET', `/x/webhook_endpoints/${endpoint.id}`);
  return { subscribe, organization, arrived, deliveries, only, answering, details, base };
}
