import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';

import { eventually, type Received, type Receiver, type Running, startGatehouse, startReceiver } from './running.ts';
import { type Delivery, parsed, stepsOn } from './steps.ts';

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

const { answering, arrived, base, deliveries, organization, subscribe } = stepsOn(
  () => gatehouse,
  () => receiver,
);
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
