import { beforeEach, describe, expect, test } from '@jest/globals';

import { healths } from '../../../functions/outbound/webhooks/health/entity.ts';
import { type ReceivedRequest, type Receiver, receiver } from '../../support/receiver.ts';
import { addFault, advance, call, clearFaults, eventually, idle, now, reset } from '../../support/service.ts';
import { environment } from '../../support/users.ts';
import { base, deliveries, type Delivery, organization, parsed, subscribe } from './steps.ts';

let hooks: Receiver;
beforeEach(async () => {
  await reset();
  hooks = await receiver();
});
/**
 * Moves the clock until a condition is true. A backlog needs a limited number of runs of the worker, not of seconds: a busy
 * machine takes longer for each run, but needs no more of them.
 */
async function afterRuns<T>(
  most: number,
  stepSeconds: number,
  read: () => Promise<T>,
  isReached: (value: T) => boolean,
) {
  for (let run = 1; ; run += 1) {
    await advance(stepSeconds);
    await idle();
    const value = await read();
    if (isReached(value)) return;
    if (run === most) throw new Error(`Not within ${most} runs; last: ${JSON.stringify(value)}`);
  }
}

const at = (path: string): string => new URL(path, hooks.url).href;

describe('webhook deliveries', () => {
  test('that wait at a failing endpoint name no next attempt that is past', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 500 });
    for (let at = 1; at <= 7; at += 1) {
      await organization(`Acme ${at}`);
      await eventually(
        () => deliveries(endpoint, '?limit=100'),
        (found) => found.length === at,
      );
    }
    for (let run = 0; run < 4; run += 1) {
      await advance(120);
      await idle();
      const earliest = (await now()) - 60_000;
      const found = await deliveries(endpoint, '?limit=100');
      const late = found.filter(({ next_attempt_at: at }) => at !== null && Date.parse(at) < earliest);
      expect(late).toEqual([]);
      expect(found.every(({ state }) => state === 'pending')).toBe(true);
      const one = await call<{ next_attempt_at: string | null }>(
        'GET',
        `/x/webhook_endpoints/${endpoint.id}/deliveries/${found[0]?.id ?? ''}`,
      );
      expect(one.body.next_attempt_at === null || Date.parse(one.body.next_attempt_at) >= earliest).toBe(true);
    }
  });

  describe('most of whose records are throttled', () => {
    const throttle = () =>
      addFault({ target: 'table', kind: 'throttle', operations: ['PutItem', 'UpdateItem'], probability: 0.8 });
    const countPosts = (eventId: string) => hooks.requests.filter((one) => parsed(one).id === eventId).length;

    test('are posted once if the receiver responds', async () => {
      const endpoint = await subscribe(hooks.url);
      await throttle();
      for (let at = 1; at <= 20; at += 1) await organization(`Acme ${at}`);
      await afterRuns(
        100,
        15,
        () => deliveries(endpoint, '?limit=100'),
        (found) => found.length === 20 && found.every(({ state }) => state === 'succeeded'),
      );
      await clearFaults();
      const found = await deliveries(endpoint, '?limit=100');
      expect(found.map(({ attempt_count: attempts }) => attempts)).toEqual(Array(20).fill(1));
      expect(hooks.requests).toHaveLength(20);
      expect(found.map(({ event_id: eventId }) => countPosts(eventId))).toEqual(Array(20).fill(1));
    });

    test('have each post as an attempt if the receiver fails, and count it once in the health of the endpoint', async () => {
      const endpoint = await subscribe(hooks.url);
      hooks.respondWith({ status: 500 });
      await throttle();
      for (let at = 1; at <= 3; at += 1) await organization(`Acme ${at}`);
      for (let run = 0; run < 4; run += 1) {
        await advance(2);
        await idle();
      }
      await clearFaults();
      await afterRuns(
        10,
        20,
        () => deliveries(endpoint),
        (found) =>
          found.length === 3 &&
          found.every(({ event_id: eventId, attempt_count: attempts }) => attempts === countPosts(eventId)),
      );
      const health = await healths.get(await environment(), endpoint.id);
      expect(health?.failures).toBe(hooks.requests.length);
    });
  });

  test('of a slow endpoint do not delay those of another', async () => {
    const slow = await subscribe(at('/slow'));
    await subscribe(at('/fast'));
    hooks.respondWith(({ path }) => ({ delayMs: path === '/slow' ? 8_000 : 0 }));
    const startedAt = Date.now();
    for (let at = 0; at < 60; at += 10) {
      await Promise.all(Array.from({ length: 10 }, (_, one) => organization(`Acme ${at + one}`)));
    }
    const fast = await eventually(
      () => hooks.requests.filter(({ path }) => path === '/fast'),
      (received) => received.length === 60,
    );
    expect(new Set(fast.map((one) => parsed(one).id)).size).toBe(60);
    console.log(`60 events beside a slow endpoint took ${Date.now() - startedAt} ms`);
    await call('DELETE', `/webhook_endpoints/${slow.id}`);
  });

  test('continue one by one without loss when a failing endpoint recovers', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 500 });
    const count = 30;
    for (let at = 0; at < count; at += 1) await organization(`Acme ${at}`);
    await eventually(
      () => deliveries(endpoint, '?limit=100'),
      (found) => found.length === count,
    );
    const failed = hooks.requests.length;
    hooks.respondWith({ status: 200 });
    // A delivery that failed twice before the recovery waits for five minutes; the others need three runs.
    await afterRuns(
      10,
      120,
      () => deliveries(endpoint, '?limit=100'),
      (found) => found.every(({ state }) => state === 'succeeded'),
    );
    const taken = hooks.requests.slice(failed).map((one) => parsed(one).id);
    expect([taken.length, new Set(taken).size]).toEqual([count, count]);
  });

  test('can be listed in pages with filters, and resent with the same event id', async () => {
    const endpoint = await subscribe(hooks.url);
    for (let at = 0; at < 5; at += 1) await organization(`Acme ${at}`);
    await eventually(
      () => deliveries(endpoint, '?state=succeeded'),
      (found) => found.length === 5,
    );
    const page = await call<{ data: Delivery[]; list_metadata: { after: string } }>('GET', `${base(endpoint)}?limit=2`);
    expect(page.body.data).toHaveLength(2);
    const rest = await deliveries(endpoint, `?limit=10&after=${page.body.list_metadata.after}`);
    expect(rest).toHaveLength(3);
    const [one] = page.body.data;
    expect((await call('POST', `${base(endpoint)}/${one?.id}/resend`)).status).toBe(202);
    await hooks.until(6);
    expect(parsed(hooks.requests[5] as ReceivedRequest).id).toBe(one?.event_id);
  });

  test('are not lost when any part of the service fails', async () => {
    const endpoint = await subscribe(hooks.url);
    await addFault({ target: 'bus', kind: 'unavailable', count: 3 });
    await addFault({ target: 'bus', kind: 'partial', count: 2 });
    await addFault({ target: 'keys', kind: 'unavailable', count: 4 });
    await addFault({ target: 'queues', kind: 'unavailable', operations: ['SendMessageBatch'], count: 3 });
    await addFault({ target: 'table', kind: 'throttle', operations: ['GetItem', 'PutItem'], probability: 0.2 });
    const made: string[] = [];
    for (let at = 0; at < 10; at += 1) {
      const { body } = await eventually(
        () => call<{ id: string }>('POST', '/organizations', { name: `Acme ${at}` }),
        ({ status }) => status === 201,
      );
      made.push(body.id);
    }
    await clearFaults();
    await afterRuns(
      10,
      60,
      async () => new Set(hooks.requests.map((one) => parsed(one).data.id)),
      (found) => made.every((id) => found.has(id)),
    );
    expect((await deliveries(endpoint, '?limit=100')).length).toBeGreaterThanOrEqual(made.length);
  });
});
