import { beforeEach, describe, expect, test } from '@jest/globals';

import { createDelivery } from '../../../functions/outbound/webhooks/delivery/entity.ts';
import {
  type Attempt,
  computeDelays,
  type Wait,
  withResend,
  withWait,
} from '../../../functions/outbound/webhooks/delivery/rules.ts';
import { type Receiver, receiver } from '../../support/receiver.ts';
import { addFault, advance, call, clearFaults, eventually, idle, reset } from '../../support/service.ts';
import { commitRows } from '../../support/user-rows.ts';
import { environment } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import {
  base,
  deliveries,
  type Delivery,
  type Endpoint,
  only,
  organization,
  passToNextAttempt,
  subscribe,
} from './steps.ts';

interface Period {
  reason: string;
  attempt: number;
  from: string;
  until: string | null;
  duration_ms: number | null;
}
interface EventDeliveries {
  data: (Delivery & { webhook_endpoint_id: string; waits: Period[] })[];
  event_created_at: string;
  listed_from: string;
  awaiting: string[];
}
interface Resent {
  dry_run: boolean;
  data: Delivery[];
  has_more: boolean;
}

/** The horizon of the service for tests (`test/support/service.ts`). */
const TEST_HORIZON_MS = 20;

let hooks: Receiver;
beforeEach(async () => {
  await reset({ calm: true });
  hooks = await receiver();
});

async function explain(eventId: string): Promise<EventDeliveries> {
  const { status, body } = await call<EventDeliveries>('GET', `/x/events/${eventId}/deliveries`);
  expect([status, body]).toMatchObject([200, { object: 'list' }]);
  return body;
}
const newestEvent = async (): Promise<string> => {
  await idle();
  const { body } = await call<{ data: { id: string }[] }>(
    'GET',
    '/events?events=organization.created&order=desc&limit=1',
  );
  return body.data[0]?.id ?? '';
};
const readWaits = async (eventId: string): Promise<Period[]> => (await explain(eventId)).data[0]?.waits ?? [];
const enable = (endpoint: Endpoint, status: 'enabled' | 'disabled') =>
  call('PATCH', `/webhook_endpoints/${endpoint.id}`, { status });

describe('the deliveries of an event', () => {
  test('show the time until the first attempt, the schedule, and the time in the queue', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 500 });
    await organization();
    const event = await newestEvent();
    await only(endpoint, ({ attempt_count: count }) => count === 1);
    await advance(7);
    await only(endpoint, ({ attempt_count: count }) => count === 2);
    hooks.respondWith({ status: 200 });
    await passToNextAttempt(endpoint);
    await only(endpoint, ({ state }) => state === 'succeeded');
    const { data, event_created_at: createdAt, listed_from: listedFrom, awaiting } = await explain(event);
    expect(data).toMatchObject([{ webhook_endpoint_id: endpoint.id, event_id: event, state: 'succeeded' }]);
    const waits = data[0]?.waits ?? [];
    const find = (reason: string, attempt: number) =>
      waits.find((one) => one.reason === reason && one.attempt === attempt)?.duration_ms;
    // The second attempt comes from the queue's own delay, which may end in the millisecond of its time.
    expect(waits.filter(({ reason, attempt }) => reason !== 'queue' || attempt !== 2)).toMatchObject([
      { reason: 'relay', attempt: 1 },
      { reason: 'schedule', attempt: 2 },
      { reason: 'schedule', attempt: 3 },
      { reason: 'queue', attempt: 3 },
    ]);
    expect([waits[0]?.from, awaiting]).toEqual([createdAt, []]);
    expect(find('schedule', 2)).toBeGreaterThanOrEqual(5_000);
    expect(find('schedule', 2)).toBeLessThanOrEqual(8_000);
    expect(find('schedule', 3)).toBeGreaterThanOrEqual(300_000);
    expect(find('schedule', 3)).toBeLessThanOrEqual(1.2 * 300_000);
    expect(find('queue', 3)).toBeLessThan(130_000);
    expect(Date.parse(listedFrom)).toBeGreaterThan(Date.parse(createdAt));
    for (const { from, until } of waits) expect(Date.parse(until ?? '')).toBeGreaterThanOrEqual(Date.parse(from));
  });

  test('name the share of the relay while the bus is down, and the horizon from which the event is listed', async () => {
    const endpoint = await subscribe(hooks.url);
    const fault = await addFault({ target: 'bus', kind: 'unavailable' });
    await organization();
    await advance(600);
    await clearFaults(fault.id);
    await idle();
    await only(endpoint, ({ state }) => state === 'succeeded');
    const { data, event_created_at: createdAt, listed_from: listedFrom } = await explain(await newestEvent());
    const [relay, ...others] = data[0]?.waits ?? [];
    expect([relay?.reason, relay?.from, others]).toEqual(['relay', createdAt, []]);
    expect(relay?.duration_ms).toBeGreaterThanOrEqual(600_000);
    expect(relay?.duration_ms).toBeLessThan(660_000);
    expect(Date.parse(listedFrom) - Date.parse(createdAt)).toBe(TEST_HORIZON_MS);
  });

  test('name a Retry-After of the receiver', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 429, headers: { 'retry-after': '3600' } });
    await organization();
    await only(endpoint, ({ attempt_count: count }) => count === 1);
    const wait = (await readWaits(await newestEvent())).at(-1);
    expect(wait).toMatchObject({ reason: 'retry_after', attempt: 2 });
    expect(wait?.duration_ms).toBeGreaterThanOrEqual(3_600_000);
    expect(wait?.duration_ms).toBeLessThan(4_000_000);
  });

  test('name the open circuit of a failing endpoint once, even if it postpones several attempts', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 500 });
    // Attempts at the same time do not see the failures of each other, so each is made after the one before it.
    for (let at = 1; at <= 5; at += 1) {
      await organization(`Acme ${at}`);
      await eventually(
        () => deliveries(endpoint, '?limit=100'),
        (found) => found.length === at && found.every(({ attempt_count: count }) => count > 0),
      );
    }
    await organization('Late');
    const event = await newestEvent();
    const waits = await eventually(
      () => readWaits(event),
      (found) => found.length > 1,
    );
    expect(waits.map(({ reason, attempt }) => [reason, attempt])).toEqual([
      ['relay', 1],
      ['circuit', 1],
    ]);
    hooks.respondWith({ status: 200 });
    for (let run = 0; run < 12 && (await explain(event)).data[0]?.state !== 'succeeded'; run += 1) {
      await advance(120);
      await idle();
    }
    const last = (await explain(event)).data[0];
    expect(last).toMatchObject({ state: 'succeeded', attempt_count: 1 });
    expect(last?.waits.filter(({ reason }) => reason === 'circuit')).toHaveLength(1);
  });

  test('have the reason `slow_endpoint` if attempts are paced because the endpoint is slow', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ delayMs: 3_300 });
    await organization('First');
    await eventually(
      () => deliveries(endpoint),
      (found) => found[0]?.state === 'succeeded',
    );
    hooks.respondWith({ status: 200 });
    await Promise.all(Array.from({ length: 4 }, (_, at) => organization(`Next ${at}`)));
    await idle();
    const found = await eventually(
      () => deliveries(endpoint, '?limit=100'),
      (all) => all.length === 5,
    );
    const waits = await Promise.all(found.map(({ event_id: id }) => readWaits(id)));
    expect(waits.flat().map(({ reason }) => reason)).toContain('slow_endpoint');
  }, 30_000);

  test('name a disabled endpoint until its delivery is resent, and the time until a resend', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 500 });
    await organization();
    await only(endpoint, ({ attempt_count: count }) => count === 1);
    await enable(endpoint, 'disabled');
    await passToNextAttempt(endpoint);
    const dropped = await only(endpoint, ({ state }) => state === 'dropped');
    expect((await readWaits(dropped.event_id)).at(-1)).toMatchObject({
      reason: 'disabled',
      until: null,
      duration_ms: null,
    });
    await enable(endpoint, 'enabled');
    hooks.respondWith({ status: 200 });
    await advance(600);
    await call('POST', `${base(endpoint)}/${dropped.id}/resend`);
    await idle();
    const disabled = (await readWaits(dropped.event_id)).find(({ reason }) => reason === 'disabled');
    expect(disabled?.duration_ms).toBeGreaterThanOrEqual(600_000);
    await only(endpoint, ({ state }) => state === 'succeeded');
    await advance(900);
    await call('POST', `${base(endpoint)}/${dropped.id}/resend`);
    await idle();
    const resent = (await readWaits(dropped.event_id)).find(({ reason }) => reason === 'resent');
    expect(resent?.duration_ms).toBeGreaterThanOrEqual(900_000);
  });

  test('are empty for an event without a subscribed endpoint, and name the endpoints that an event has not reached yet', async () => {
    await organization();
    const event = await newestEvent();
    expect(await explain(event)).toMatchObject({ data: [], awaiting: [] });
    await subscribe(hooks.url);
    expect(await explain(event)).toMatchObject({ data: [], awaiting: [] });
  });

  test('are not found for an unknown, an expired or a foreign event', async () => {
    await organization();
    const event = await newestEvent();
    const { apiKey } = await otherEnvironment();
    expect((await call('GET', `/x/events/${event}/deliveries`, undefined, { apiKey })).status).toBe(404);
    for (const id of ['event_01JX0000000000000000000000', 'event_x', 'org_01JX0000000000000000000000', 'x#y']) {
      expect((await call('GET', `/x/events/${encodeURIComponent(id)}/deliveries`)).status).toBe(404);
    }
    await advance(91 * 86_400);
    expect((await call('GET', `/x/events/${event}/deliveries`)).status).toBe(404);
  });
});

describe('resending what failed', () => {
  /** An endpoint with failed deliveries of events that were never sent. */
  async function failing(count: number): Promise<Endpoint> {
    const endpoint = await subscribe(hooks.url);
    await enable(endpoint, 'disabled');
    for (let at = 0; at < count; at += 15) {
      await Promise.all(Array.from({ length: Math.min(15, count - at) }, (_, one) => organization(`Acme ${at + one}`)));
    }
    await idle();
    const { body } = await call<{ data: { id: string }[] }>('GET', '/events?events=organization.created&limit=100');
    const environmentId = await environment();
    const rows = body.data.map(({ id: eventId }) =>
      createDelivery(
        { environmentId, endpointId: endpoint.id, eventId, eventName: 'organization.created' },
        { state: 'failed', attempts: [], attemptCount: 10, failures: 10 },
      ),
    );
    for (let at = 0; at < rows.length; at += 40) {
      await commitRows(
        environmentId,
        rows.slice(at, at + 40).map(({ write }) => write),
      );
    }
    await enable(endpoint, 'enabled');
    return endpoint;
  }
  const range = { from: '2020-01-01T00:00:00Z', until: '2100-01-01T00:00:00Z' };
  const resend = (endpoint: Endpoint, body: object = range, apiKey?: string) =>
    call<Resent>(
      'POST',
      `/x/webhook_endpoints/${endpoint.id}/resend_failed`,
      body,
      apiKey === undefined ? {} : { apiKey },
    );

  test('lists in a dry run and changes nothing, then sends each once, also for two calls at the same time', async () => {
    const endpoint = await failing(45);
    const dry = await resend(endpoint, { ...range, dry_run: true });
    expect(dry.body).toMatchObject({ dry_run: true, has_more: true });
    expect(dry.body.data).toHaveLength(40);
    await idle();
    expect(hooks.requests).toHaveLength(0);
    expect(await deliveries(endpoint, '?state=failed&limit=100')).toHaveLength(45);
    const both = await Promise.all([resend(endpoint), resend(endpoint)]);
    expect(both.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual([]);
    for (let run = 0; run < 3; run += 1) await resend(endpoint);
    await idle();
    await hooks.until(45);
    expect(new Set(hooks.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(45);
    expect(hooks.requests).toHaveLength(45);
    expect((await resend(endpoint)).body).toMatchObject({ dry_run: false, data: [], has_more: false });
  });

  test('selects the events of the range only', async () => {
    const endpoint = await failing(2);
    const nothing = { from: '2020-01-01T00:00:00Z', until: '2020-01-02T00:00:00Z' };
    expect((await resend(endpoint, nothing)).body.data).toEqual([]);
  });

  test('is rejected for an empty range, a disabled endpoint, and one of another environment', async () => {
    const endpoint = await failing(1);
    expect(await resend(endpoint, { from: range.until, until: range.from })).toMatchObject({
      status: 400,
      body: { code: 'invalid_range' },
    });
    expect((await resend(endpoint, { from: 'yesterday', until: range.until })).status).toBe(422);
    const { apiKey } = await otherEnvironment();
    expect((await resend(endpoint, range, apiKey)).status).toBe(404);
    await enable(endpoint, 'disabled');
    expect(await resend(endpoint)).toMatchObject({ status: 409, body: { code: 'endpoint_disabled' } });
    expect(await deliveries(endpoint, '?state=failed')).toHaveLength(1);
  });
});

describe('the periods between an event and its attempts', () => {
  const time = (seconds: number): string => new Date(Date.UTC(2026, 0, 15, 12, 0, seconds)).toISOString();
  const attempt = (number: number, at: number): Attempt => ({
    number,
    startedAt: time(at),
    durationMs: 5,
    status: 500,
    error: null,
    response: null,
  });
  const wait = (reason: Wait['reason'], before: number, from: number, until?: number): Wait => ({
    reason,
    attempt: before,
    from: time(from),
    ...(until === undefined ? {} : { until: time(until) }),
  });

  test('contain only the relay for an event that was not dispatched yet', () => {
    expect(computeDelays(time(0), [], [])).toEqual([]);
    expect(computeDelays(time(0), [attempt(1, 2)], [])).toEqual([
      { reason: 'relay', attempt: 1, from: time(0), until: time(2) },
    ]);
  });

  test('end with an attempt that began before its planned time', () => {
    const periods = computeDelays(time(0), [attempt(1, 1), attempt(2, 10)], [wait('schedule', 2, 1, 30)]);
    expect(periods.at(-1)).toEqual({ reason: 'schedule', attempt: 2, from: time(1), until: time(10) });
  });

  test('are merged if a reason repeats before the same attempt, and only the last forty are kept', () => {
    const merged = withWait(withWait([], wait('circuit', 1, 1, 5)), wait('circuit', 1, 6, 9));
    expect(merged).toEqual([wait('circuit', 1, 1, 9)]);
    let many: Wait[] = [];
    for (let at = 1; at <= 50; at += 1) many = withWait(many, wait('schedule', at, at, at + 1));
    expect([many.length, many[0]?.attempt]).toEqual([40, 11]);
  });

  test('end the period of a disabled endpoint at the resend, without a second period', () => {
    const resent = withResend([wait('disabled', 2, 5)], { since: time(6), attempt: 2 }, time(60));
    expect(resent).toEqual([wait('disabled', 2, 5, 60)]);
    expect(withResend([], { since: time(6), attempt: 3 }, time(60))).toEqual([wait('resent', 3, 6, 60)]);
  });
});
