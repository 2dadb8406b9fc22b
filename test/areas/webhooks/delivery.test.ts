import { beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

import { type ReceivedRequest, type Receiver, receiver } from '../../support/receiver.ts';
import { advance, call, eventually, idle, messages, reset, sdk } from '../../support/service.ts';
import {
  base,
  deliveries,
  details,
  type Endpoint,
  isPending,
  only,
  passToNextAttempt,
  organization,
  parsed,
  subscribe,
} from './steps.ts';

let hooks: Receiver;
beforeEach(async () => {
  await reset();
  hooks = await receiver();
});
const at = (path: string): string => new URL(path, hooks.url).href;

/** Headers without duplicates, as libraries of receivers expect them. */
const textOf = (request: ReceivedRequest | undefined) => ({
  body: request?.body ?? '',
  headers: request?.headers as Record<string, string>,
});

describe('a webhook', () => {
  test('arrives once, verified by the official SDK and by a Standard Webhooks library', async () => {
    const endpoint = await subscribe(hooks.url);
    const id = await organization('Acmé');
    const [first] = await hooks.until(1);
    const { body, headers } = textOf(first);
    const event = await sdk().webhooks.constructEvent({
      payload: JSON.parse(body) as Record<string, unknown>,
      sigHeader: headers['gatehouse-signature'] ?? '',
      secret: endpoint.secret,
    });
    expect(event).toMatchObject({ event: 'organization.created', data: { id, name: 'Acmé' } });
    // The call is written as in the SDK's documentation.
    const documented = await sdk().webhooks.constructEvent({
      payload: JSON.parse(body) as Record<string, unknown>,
      sigHeader: headers['workos-signature'] ?? '',
      secret: endpoint.secret,
    });
    expect(documented).toEqual(event);
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
    expect(hooks.requests).toHaveLength(1);
  });

  test('is sent only to the enabled endpoints that subscribe to its name', async () => {
    await subscribe(at('/all'), ['organization.created', 'organization.updated', 'organization.deleted']);
    await subscribe(at('/deleted'), ['organization.deleted']);
    const off = await subscribe(at('/off'));
    await call('PATCH', `/webhook_endpoints/${off.id}`, { status: 'disabled' });
    const id = await organization();
    await call('DELETE', `/organizations/${id}`);
    await hooks.until(3);
    await delay(200);
    expect(hooks.requests.map((one) => `${one.path} ${parsed(one).event}`).sort()).toEqual([
      '/all organization.created',
      '/all organization.deleted',
      '/deleted organization.deleted',
    ]);
  });

  test('is sent soon after the commit', async () => {
    await subscribe(hooks.url);
    const times: number[] = [];
    for (let at = 0; at < 15; at += 1) {
      await organization(`Acme ${at}`);
      const committedAt = Date.now();
      const received = await hooks.until(at + 1);
      times.push((received[at]?.at ?? Infinity) - committedAt);
    }
    times.sort((one, other) => one - other);
    console.log(`commit -> first attempt: median ${times[7]} ms, slowest ${times[14]} ms`);
    expect(hooks.requests).toHaveLength(15);
  });

  test('is signed with both secrets during a rotation', async () => {
    const endpoint = await subscribe(hooks.url);
    const rotation = await call<Endpoint>('POST', `/x/webhook_endpoints/${endpoint.id}/rotate_secret`);
    await organization();
    const [first] = await hooks.until(1);
    const { body, headers } = textOf(first);
    new Webhook(endpoint.secret).verify(body, headers);
    new Webhook(rotation.body.next_secret).verify(body, headers);
    await sdk().webhooks.constructEvent({
      payload: JSON.parse(body) as Record<string, unknown>,
      sigHeader: headers['gatehouse-signature'] ?? '',
      secret: endpoint.secret,
    });
  });
});

describe('a failing endpoint', () => {
  test('gets its delivery again at growing intervals, with the same id and bytes, until it responds with success', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 500, body: 'x'.repeat(5_000) });
    await organization();
    await only(endpoint, ({ attempt_count: count }) => count === 1);
    await advance(7);
    const second = await only(endpoint, ({ attempt_count: count }) => count === 2);
    expect(second).toMatchObject({ state: 'pending', attempts: [{ status: 500 }, { status: 500 }] });
    expect(second.attempts[0]?.response_body).toHaveLength(1_024);
    expect(second.next_attempt_at).not.toBeNull();
    hooks.respondWith({ status: 204 });
    await advance(7 * 60);
    expect(await only(endpoint, ({ state }) => state === 'succeeded')).toMatchObject({ attempt_count: 3 });
    expect(hooks.requests).toHaveLength(3);
    expect(new Set(hooks.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(hooks.requests.map(({ body }) => body)).size).toBe(1);
  });

  test('gets no more than ten attempts in three days; the delivery can be resent', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 503 });
    await organization();
    await only(endpoint, ({ attempt_count: count }) => count === 1);
    for (let tries = 0; tries < 40 && (await isPending(endpoint)); tries += 1) await passToNextAttempt(endpoint);
    const failed = await only(endpoint, ({ state }) => state === 'failed');
    expect(failed).toMatchObject({ attempt_count: 10, next_attempt_at: null });
    expect(await deliveries(endpoint, '?state=failed')).toHaveLength(1);
    expect(await deliveries(endpoint, '?state=succeeded')).toEqual([]);
    hooks.respondWith({ status: 200 });
    expect((await call('POST', `${base(endpoint)}/${failed.id}/resend`)).status).toBe(202);
    expect(await only(endpoint, ({ state }) => state === 'succeeded')).toMatchObject({ attempt_count: 11 });
  });

  test('is attempted at once by a resend, even while the deliveries of a failing endpoint wait', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 503 });
    for (let made = 0; made < 6; made += 1) await organization();
    const waiting = await eventually(
      () => deliveries(endpoint, '?state=pending'),
      (all) => all.length === 6 && all.filter(({ attempt_count: count }) => count > 0).length >= 5,
    );
    const [first, ...others] = waiting;
    const before = hooks.requests.length;
    expect((await call('POST', `${base(endpoint)}/${first?.id}/resend`)).status).toBe(202);
    await idle();
    expect(hooks.requests).toHaveLength(before + 1);
    hooks.respondWith({ status: 200 });
    expect((await call('POST', `${base(endpoint)}/${first?.id}/resend`)).status).toBe(202);
    await idle();
    const after = await deliveries(endpoint, '?state=succeeded');
    expect(after.map(({ id }) => id)).toEqual([first?.id]);
    // The success has closed the circuit, so the others need no resend.
    await advance(61);
    await eventually(
      () => deliveries(endpoint, '?state=succeeded'),
      (all) => all.length === others.length + 1,
    );
  });

  test('gets no attempt before its Retry-After', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 429, headers: { 'retry-after': '3600' } });
    await organization();
    const { next_attempt_at: next } = await only(endpoint, ({ attempt_count: count }) => count === 1);
    const wait = Date.parse(next ?? '') - Date.now();
    expect(wait).toBeGreaterThan(3_590_000);
    expect(wait).toBeLessThan(4_000_000);
    hooks.respondWith({ status: 200 });
    await advance(3_000);
    await delay(300);
    expect(hooks.requests).toHaveLength(1);
    await advance(1_000);
    await only(endpoint, ({ state }) => state === 'succeeded');
  });

  test('is disabled when it responds with 410, and a later event has no delivery to it', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 410 });
    await organization();
    await only(endpoint, ({ state }) => state === 'failed');
    const { body } = await eventually(
      () => details(endpoint),
      (response) => response.body.status === 'disabled',
    );
    expect(body.disabled_reason).toBe('gone');
    const [mail] = await messages('developer@gatehouse.example');
    expect(mail?.subject).toBe('A webhook endpoint of Local was disabled');
    expect(mail?.text).toContain(hooks.url);
    await organization('Later');
    await delay(300);
    expect(hooks.requests).toHaveLength(1);
    expect(await deliveries(endpoint)).toHaveLength(1);
  });

  test('is disabled after five days of failures, and its pending deliveries are dropped', async () => {
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 500 });
    for (let at = 0; at < 12; at += 1) await organization(`Acme ${at}`);
    await eventually(
      () => deliveries(endpoint, '?limit=100'),
      (found) => found.length === 12,
    );
    for (let hours = 0; hours < 6 * 24; hours += 12) {
      await advance(12 * 3_600);
      await idle();
    }
    await organization('Six days later');
    const { body } = await eventually(
      async () => {
        await advance(3_600);
        await idle();
        return details(endpoint);
      },
      (response) => response.body.status === 'disabled',
    );
    expect(body.disabled_reason).toBe('failing');
    await eventually(
      async () => {
        await advance(24 * 3_600);
        await idle();
        return deliveries(endpoint, '?limit=100');
      },
      (found) => found.every(({ state }) => state !== 'pending'),
    );
    const dropped = await deliveries(endpoint, '?limit=100&state=dropped');
    expect(dropped.map((one) => one.drop_reason)).toContain('endpoint_disabled');
    expect(await call('POST', `${base(endpoint)}/${dropped[0]?.id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'endpoint_disabled' },
    });
  });

  test('can be resent until its event expires after 90 days', async () => {
    const endpoint = await subscribe(hooks.url);
    await organization();
    const { id } = await only(endpoint, ({ state }) => state === 'succeeded');
    const resend = () => call('POST', `${base(endpoint)}/${id}/resend`);
    // A delivery is stored for 30 days after its last change.
    for (let month = 1; month <= 3; month += 1) {
      await advance(29 * 86_400);
      expect((await resend()).status).toBe(202);
      await idle();
    }
    await advance(4 * 86_400);
    expect(await resend()).toMatchObject({ status: 409, body: { code: 'event_expired' } });
  });

  test('is not followed when it redirects', async () => {
    const target = await receiver('/elsewhere');
    const endpoint = await subscribe(hooks.url);
    hooks.respondWith({ status: 307, headers: { location: target.url } });
    await organization();
    expect(await only(endpoint, ({ attempt_count: count }) => count === 1)).toMatchObject({
      state: 'pending',
      attempts: [{ status: 307 }],
    });
    expect(target.requests).toEqual([]);
  });

  test('has a recorded reason if it does not respond', async () => {
    const endpoint = await subscribe(hooks.url);
    await hooks.close();
    await organization();
    expect(await only(endpoint, ({ attempt_count: count }) => count === 1)).toMatchObject({
      attempts: [{ status: null, error: 'connection_failed', response_body: null }],
    });
  });
});
