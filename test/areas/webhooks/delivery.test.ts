import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

import { eventually, type Received, type Receiver, type Running, startGatehouse, startReceiver } from './running.ts';

interface Endpoint {
  id: string;
  secret: string;
  next_secret: string;
}
interface Delivery {
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

let gatehouse: Running;
let receiver: Receiver;
beforeAll(async () => {
  gatehouse = await startGatehouse();
});
beforeEach(async () => {
  await gatehouse.reset();
  receiver = await startReceiver();
});
afterEach(async () => {
  await gatehouse.clearFaults();
  await receiver.close();
});
afterAll(() => gatehouse.stop());

const subscribe = async (url = receiver.url(), events = ['organization.created']): Promise<Endpoint> => {
  const { status, body } = await gatehouse.call<Endpoint>('POST', '/webhook_endpoints', { endpoint_url: url, events });
  expect(status).toBe(201);
  return body;
};
const organization = async (name = 'Acme'): Promise<string> =>
  (await gatehouse.call<{ id: string }>('POST', '/organizations', { name })).body.id;
const arrived = (count: number, ms?: number): Promise<Received[]> =>
  eventually(
    () => receiver.received,
    (received) => received.length >= count,
    ms,
  );
const parsed = ({ body }: Received) => JSON.parse(body) as { id: string; event: string; data: { id: string } };
const base = (endpoint: Endpoint) => `/x/webhook_endpoints/${endpoint.id}/deliveries`;
const deliveries = async (endpoint: Endpoint, query = ''): Promise<Delivery[]> =>
  (await gatehouse.call<{ data: Delivery[] }>('GET', `${base(endpoint)}${query}`)).body.data;
const only = async (endpoint: Endpoint, holds: (delivery: Delivery) => boolean, ms?: number): Promise<Delivery> => {
  const found = await eventually(
    () => deliveries(endpoint),
    ([first]) => first !== undefined && holds(first),
    ms,
  );
  return (await gatehouse.call<Delivery>('GET', `${base(endpoint)}/${found[0]?.id}`)).body;
};
const answering = (status: number, headers: Record<string, string> = {}, body = '') => {
  receiver.answer = (_, response) => void response.writeHead(status, headers).end(body);
};
const details = (endpoint: Endpoint) =>
  gatehouse.call<{ status: string; disabled_reason: string }>('GET', `/x/webhook_endpoints/${endpoint.id}`);

describe('a webhook', () => {
  test('arrives once, verified by the official SDK and by a Standard Webhooks library', async () => {
    const endpoint = await subscribe();
    const id = await organization('Acmé');
    const [first] = await arrived(1);
    const { body, headers } = first as Received;
    const event = await gatehouse.sdk().webhooks.constructEvent({
      payload: JSON.parse(body) as Record<string, unknown>,
      sigHeader: headers['gatehouse-signature'] ?? '',
      secret: endpoint.secret,
    });
    expect(event).toMatchObject({ event: 'organization.created', data: { id, name: 'Acmé' } });
    expect(new Webhook(endpoint.secret).verify(body, headers)).toMatchObject({
      object: 'event',
      data: { id },
      context: { actor: { source: 'api' } },
    });
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
    expect(await only(endpoint, ({ state }) => state === 'succeeded')).toMatchObject({
      event_id: event.id,
      attempt_count: 1,
      next_attempt_at: null,
      attempts: [{ number: 1, status: 200, error: null }],
    });
    await delay(300);
    expect(receiver.received).toHaveLength(1);
  });

  test('goes to the enabled endpoints that subscribe to its name, and to no other', async () => {
    await subscribe(receiver.url('/all'), ['organization.created', 'organization.updated', 'organization.deleted']);
    await subscribe(receiver.url('/deleted'), ['organization.deleted']);
    const off = await subscribe(receiver.url('/off'));
    await gatehouse.call('PATCH', `/webhook_endpoints/${off.id}`, { status: 'disabled' });
    const id = await organization();
    await gatehouse.call('DELETE', `/organizations/${id}`);
    await arrived(3);
    await delay(200);
    expect(receiver.received.map((one) => `${one.path} ${parsed(one).event}`).sort()).toEqual([
      '/all organization.created',
      '/all organization.deleted',
      '/deleted organization.deleted',
    ]);
  });

  test('is on its way soon after the commit, event by event', async () => {
    await subscribe();
    const times: number[] = [];
    for (let at = 0; at < 15; at += 1) {
      await organization(`Acme ${at}`);
      const committedAt = Date.now();
      const received = await arrived(at + 1);
      times.push((received[at]?.at ?? Infinity) - committedAt);
    }
    times.sort((one, other) => one - other);
    console.log(`commit -> first attempt: median ${times[7]} ms, slowest ${times[14]} ms`);
    expect(receiver.received).toHaveLength(15);
  });

  test('is signed with both secrets during a rotation', async () => {
    const endpoint = await subscribe();
    const rotation = await gatehouse.call<Endpoint>('POST', `/x/webhook_endpoints/${endpoint.id}/rotate_secret`);
    await organization();
    const [first] = await arrived(1);
    const { body, headers } = first as Received;
    new Webhook(endpoint.secret).verify(body, headers);
    new Webhook(rotation.body.next_secret).verify(body, headers);
    await gatehouse.sdk().webhooks.constructEvent({
      payload: JSON.parse(body) as Record<string, unknown>,
      sigHeader: headers['gatehouse-signature'] ?? '',
      secret: endpoint.secret,
    });
  });
});

describe('a failing endpoint', () => {
  test('gets its delivery again after 5 s, 5 min and on, with the same id and bytes, until it takes it', async () => {
    const endpoint = await subscribe();
    answering(500, {}, 'x'.repeat(5_000));
    await organization();
    await only(endpoint, ({ attempt_count: count }) => count === 1);
    await gatehouse.advance(7);
    const second = await only(endpoint, ({ attempt_count: count }) => count === 2);
    expect(second).toMatchObject({ state: 'pending', attempts: [{ status: 500 }, { status: 500 }] });
    expect(second.attempts[0]?.response_body).toHaveLength(1_024);
    expect(second.next_attempt_at).not.toBeNull();
    answering(204);
    await gatehouse.advance(7 * 60);
    expect(await only(endpoint, ({ state }) => state === 'succeeded')).toMatchObject({ attempt_count: 3 });
    expect(receiver.received).toHaveLength(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  test('is given up after ten attempts in three days; the delivery can be resent', async () => {
    const endpoint = await subscribe();
    answering(503);
    await organization();
    await only(endpoint, ({ attempt_count: count }) => count === 1);
    for (let hours = 0, attempts = 1; attempts < 10 && hours < 200; hours += 1) {
      await gatehouse.advance(hours < 3 ? 400 : 3_600);
      await delay(60);
      [{ attempt_count: attempts } = { attempt_count: attempts }] = await deliveries(endpoint);
    }
    const failed = await only(endpoint, ({ state }) => state === 'failed');
    expect(failed).toMatchObject({ attempt_count: 10, next_attempt_at: null });
    expect(await deliveries(endpoint, '?state=failed')).toHaveLength(1);
    expect(await deliveries(endpoint, '?state=succeeded')).toEqual([]);
    answering(200);
    // The circuit is open by now: the resend waits for its probe.
    expect((await gatehouse.call('POST', `${base(endpoint)}/${failed.id}/resend`)).status).toBe(202);
    await only(endpoint, ({ state }) => state === 'pending');
    await gatehouse.advance(1_000);
    await gatehouse.advance(60);
    expect(await only(endpoint, ({ state }) => state === 'succeeded')).toMatchObject({ attempt_count: 11 });
  });

  test('is not bothered before the time it asks for with Retry-After', async () => {
    const endpoint = await subscribe();
    answering(429, { 'retry-after': '3600' });
    await organization();
    const { next_attempt_at: next } = await only(endpoint, ({ attempt_count: count }) => count === 1);
    const wait = Date.parse(next ?? '') - Date.now();
    expect(wait).toBeGreaterThan(3_590_000);
    expect(wait).toBeLessThan(4_000_000);
    answering(200);
    await gatehouse.advance(3_000);
    await delay(300);
    expect(receiver.received).toHaveLength(1);
    await gatehouse.advance(1_000);
    await only(endpoint, ({ state }) => state === 'succeeded');
  });

  test('is disabled when it answers 410', async () => {
    const endpoint = await subscribe();
    answering(410);
    await organization();
    await only(endpoint, ({ state }) => state === 'failed');
    const { body } = await eventually(
      () => details(endpoint),
      (answer) => answer.body.status === 'disabled',
    );
    expect(body.disabled_reason).toBe('gone');
    await organization('Later');
    await delay(300);
    expect(receiver.received).toHaveLength(1);
  });

  test('is disabled after five days of failures, and what waits for it is dropped', async () => {
    const endpoint = await subscribe();
    answering(500);
    for (let at = 0; at < 12; at += 1) await organization(`Acme ${at}`);
    await eventually(
      () => deliveries(endpoint, '?limit=100'),
      (found) => found.length === 12,
    );
    for (let hours = 0; hours < 6 * 24; hours += 3) {
      await gatehouse.advance(3 * 3_600);
      await delay(40);
    }
    await organization('Six days later');
    const { body } = await eventually(
      async () => {
        await gatehouse.advance(3_600);
        return details(endpoint);
      },
      (answer) => answer.body.status === 'disabled',
    );
    expect(body.disabled_reason).toBe('failing');
    await eventually(
      async () => {
        await gatehouse.advance(24 * 3_600);
        return deliveries(endpoint, '?limit=100');
      },
      (found) => found.every(({ state }) => state !== 'pending'),
    );
    const dropped = await deliveries(endpoint, '?limit=100&state=dropped');
    expect(dropped.map((one) => one.drop_reason)).toContain('endpoint_disabled');
    expect(await gatehouse.call('POST', `${base(endpoint)}/${dropped[0]?.id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'endpoint_disabled' },
    });
  });

  test('is not followed where it redirects to', async () => {
    const target = await startReceiver();
    const endpoint = await subscribe();
    answering(307, { location: target.url('/elsewhere') });
    await organization();
    expect(await only(endpoint, ({ attempt_count: count }) => count === 1)).toMatchObject({
      state: 'pending',
      attempts: [{ status: 307 }],
    });
    expect(target.received).toEqual([]);
    await target.close();
  });

  test('has the reason told where it gives no answer', async () => {
    const endpoint = await subscribe();
    receiver.answer = (_, response) => void response.destroy();
    await organization();
    expect(await only(endpoint, ({ attempt_count: count }) => count === 1)).toMatchObject({
      attempts: [{ status: null, error: 'connection_failed', response_body: null }],
    });
  });
});

describe('deliveries', () => {
  test('of a slow endpoint do not delay those of another', async () => {
    const slow = await subscribe(receiver.url('/slow'));
    await subscribe(receiver.url('/fast'));
    receiver.answer = async ({ path }, response) => {
      if (path === '/slow') await delay(8_000, undefined, { ref: false });
      response.writeHead(200).end();
    };
    const startedAt = Date.now();
    for (let at = 0; at < 60; at += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, one) => organization(`Acme ${at + one}`)));
    }
    const fast = await eventually(
      () => receiver.received.filter(({ path }) => path === '/fast'),
      (received) => received.length === 60,
      6_000,
    );
    expect(new Set(fast.map((one) => parsed(one).id)).size).toBe(60);
    console.log(`60 events beside a slow endpoint took ${Date.now() - startedAt} ms`);
    await gatehouse.call('DELETE', `/webhook_endpoints/${slow.id}`);
  });

  test('come back one by one when a broken endpoint recovers, none of them lost', async () => {
    const endpoint = await subscribe();
    answering(500);
    const count = 30;
    for (let at = 0; at < count; at += 1) await organization(`Acme ${at}`);
    await eventually(
      () => deliveries(endpoint, '?limit=100'),
      (found) => found.length === count,
    );
    const failed = receiver.received.length;
    answering(200);
    await eventually(
      async () => {
        await gatehouse.advance(120);
        await delay(150);
        return deliveries(endpoint, '?limit=100');
      },
      (found) => found.every(({ state }) => state === 'succeeded'),
      15_000,
    );
    const taken = receiver.received.slice(failed).map((one) => parsed(one).id);
    expect([taken.length, new Set(taken).size]).toEqual([count, count]);
  });

  test('are paged and filtered, and resent with the same event id', async () => {
    const endpoint = await subscribe();
    for (let at = 0; at < 5; at += 1) await organization(`Acme ${at}`);
    await eventually(
      () => deliveries(endpoint, '?state=succeeded'),
      (found) => found.length === 5,
    );
    const page = await gatehouse.call<{ data: Delivery[]; list_metadata: { after: string } }>(
      'GET',
      `${base(endpoint)}?limit=2`,
    );
    expect(page.body.data).toHaveLength(2);
    const rest = await deliveries(endpoint, `?limit=10&after=${page.body.list_metadata.after}`);
    expect(rest).toHaveLength(3);
    const [one] = page.body.data;
    expect((await gatehouse.call('POST', `${base(endpoint)}/${one?.id}/resend`)).status).toBe(202);
    await arrived(6);
    expect(parsed(receiver.received[5] as Received).id).toBe(one?.event_id);
  });

  test('survive faults of every part of the service', async () => {
    const endpoint = await subscribe();
    await gatehouse.fault({ target: 'bus', kind: 'unavailable', count: 3 });
    await gatehouse.fault({ target: 'bus', kind: 'partial', count: 2 });
    await gatehouse.fault({ target: 'keys', kind: 'unavailable', count: 4 });
    await gatehouse.fault({ target: 'queues', kind: 'unavailable', operations: ['SendMessageBatch'], count: 3 });
    await gatehouse.fault({ target: 'table', kind: 'throttle', operations: ['GetItem', 'PutItem'], probability: 0.2 });
    const made: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      const { body } = await eventually(
        () => gatehouse.call<{ id: string }>('POST', '/organizations', { name: `Acme ${at}` }),
        ({ status }) => status === 201,
      );
      made.push(body.id);
    }
    await gatehouse.clearFaults();
    await eventually(
      async () => {
        await gatehouse.advance(60);
        await delay(100);
        return new Set(receiver.received.map((one) => parsed(one).data.id));
      },
      (found) => made.every((id) => found.has(id)),
      15_000,
    );
    expect((await deliveries(endpoint, '?limit=100')).length).toBeGreaterThanOrEqual(made.length);
  });
});
