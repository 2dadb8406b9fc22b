import { createHmac } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';

import { receiver, type Receiver } from '../../support/receiver.ts';
import { addFault, advance, call, clearFaults, idle, reset, sdk } from '../../support/service.ts';
import { defineAction, newOrganization, record, recordMany, sealHour } from './record.ts';

let organization: string;
let target: Receiver;

beforeEach(async () => {
  await reset();
  organization = await newOrganization();
  await defineAction();
  target = await receiver('/logs');
});

const path = (): string => `/x/organizations/${organization}/audit_log_stream`;

interface StreamResponse {
  id: string;
  state: string;
  secret?: string;
  last_error: string | null;
  last_synced_at: string | null;
  destination: string;
}

const put = (body: Record<string, unknown>) => call<StreamResponse>('PUT', path(), body);

/** Waits until recorded events are settled and sent. */
async function deliver(): Promise<void> {
  await idle();
  await advance(61);
  await idle();
}

const readNumbers = (events: readonly { metadata: { n: number } }[]): number[] =>
  events.map(({ metadata }) => metadata.n).sort((a, b) => a - b);

const bodies = <T>(): T[] => target.requests.map(({ body }) => JSON.parse(body) as T);

describe('a log stream over HTTPS', () => {
  test('sends every event once, in order, with a signature like that of a webhook', async () => {
    const { status, body } = await put({ type: 'GenericHttps', url: target.url });
    expect([status, body.state]).toEqual([200, 'active']);
    await recordMany(organization, 30);
    await deliver();
    const [first] = await target.until(1);
    const events = bodies<{ data: { id: string; metadata: { n: number } }[] }>().flatMap(({ data }) => data);
    expect(readNumbers(events)).toEqual(Array.from({ length: 30 }, (_, n) => n));
    expect(events.map(({ id }) => id)).toEqual(events.map(({ id }) => id).sort());
    const secret = body.secret ?? '';
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)).toBeTruthy();
    const [, time, signature] = /^t=(\d+), v1=([0-9a-f]+)$/.exec(String(first?.headers['gatehouse-signature'])) ?? [];
    expect(createHmac('sha256', secret).update(`${time}.${first?.body}`).digest('hex')).toBe(signature);
  });

  test('continues at its position after the end of an hour, and sends no event twice', async () => {
    await put({ type: 'GenericHttps', url: target.url });
    await recordMany(organization, 5);
    await deliver();
    await recordMany(organization, 5, 5);
    await deliver();
    await sealHour();
    await deliver();
    await recordMany(organization, 5, 10);
    await deliver();
    await sealHour();
    await deliver();
    const events = bodies<{ data: { metadata: { n: number } }[] }>().flatMap(({ data }) => data);
    expect(readNumbers(events)).toEqual(Array.from({ length: 15 }, (_, n) => n));
  });

  test('retries until the receiver accepts, and has the state `error` until then', async () => {
    await put({ type: 'GenericHttps', url: target.url });
    target.respondWith({ status: 500, body: 'out of order' });
    await recordMany(organization, 3);
    for (let turn = 0; turn < 4; turn += 1) {
      await idle();
      await advance(400);
    }
    await idle();
    const failing = (await call<StreamResponse>('GET', path())).body;
    expect(failing).toMatchObject({ state: 'error', last_error: 'responded with 500', last_synced_at: null });
    const configuration = await call('GET', `/organizations/${organization}/audit_log_configuration`);
    expect(configuration.body).toMatchObject({
      log_stream: { type: 'GenericHttps', state: 'error', last_synced_at: null },
    });
    target.clear();
    target.respondWith({ status: 204 });
    await advance(4_000);
    await idle();
    const events = bodies<{ data: { metadata: { n: number } }[] }>().flatMap(({ data }) => data);
    expect(readNumbers(events)).toEqual([0, 1, 2]);
    expect((await call<StreamResponse>('GET', path())).body).toMatchObject({ state: 'active', last_error: null });
  });

  test('sends events that were sealed while its receiver was unavailable', async () => {
    await put({ type: 'GenericHttps', url: target.url });
    target.respondWith({ status: 503 });
    await recordMany(organization, 4);
    await sealHour();
    await recordMany(organization, 4, 4);
    await sealHour();
    target.clear();
    target.respondWith({ status: 200 });
    await advance(4_000);
    await idle();
    const events = bodies<{ data: { metadata: { n: number } }[] }>().flatMap(({ data }) => data);
    expect(readNumbers(events)).toEqual(Array.from({ length: 8 }, (_, n) => n));
  });

  test('whose credentials are rejected has the state `invalid`', async () => {
    await put({ type: 'GenericHttps', url: target.url });
    target.respondWith({ status: 401 });
    await record(organization);
    await deliver();
    expect((await call<StreamResponse>('GET', path())).body.state).toBe('invalid');
  });

  test('that is inactive or deleted sends nothing', async () => {
    await put({ type: 'GenericHttps', url: target.url, state: 'inactive' });
    await record(organization);
    await deliver();
    expect(target.requests).toEqual([]);
    await put({ type: 'GenericHttps', url: target.url });
    await deliver();
    expect(target.requests).toHaveLength(1);
    expect((await call('DELETE', path())).status).toBe(204);
    await record(organization);
    await deliver();
    expect(target.requests).toHaveLength(1);
    expect((await call('GET', path())).status).toBe(404);
  });

  test('sends only events of its own organization', async () => {
    const other = await newOrganization('Other');
    await put({ type: 'GenericHttps', url: target.url });
    await record(other, { metadata: { n: 99 } });
    await record(organization, { metadata: { n: 1 } });
    await deliver();
    const events = bodies<{ data: { metadata: { n: number } }[] }>().flatMap(({ data }) => data);
    expect(readNumbers(events)).toEqual([1]);
  });

  test('loses no event when a part of the service fails', async () => {
    await put({ type: 'GenericHttps', url: target.url });
    await recordMany(organization, 10);
    await addFault({ target: 'table', kind: 'throttle', operations: ['PutItem', 'Query'], probability: 0.3 });
    for (let turn = 0; turn < 4; turn += 1) await advance(61);
    await clearFaults();
    await advance(6_000);
    await idle();
    await advance(1_300);
    await idle();
    const events = bodies<{ data: { metadata: { n: number } }[] }>().flatMap(({ data }) => data);
    expect([...new Set(readNumbers(events))]).toEqual(Array.from({ length: 10 }, (_, n) => n));
  });
});

describe('other log streams', () => {
  test('send logs to Datadog with its API key', async () => {
    await put({ type: 'Datadog', url: target.url, api_key: 'dd-secret' });
    await record(organization, { metadata: { n: 1 } });
    await deliver();
    const [request] = await target.until(1);
    expect(request?.headers['dd-api-key']).toBe('dd-secret');
    expect(JSON.parse(request?.body ?? '')).toMatchObject([
      {
        ddsource: 'gatehouse',
        message: 'user.signed_in',
        event: { metadata: { n: 1 }, organization_id: organization },
      },
    ]);
  });

  test('send events to Splunk’s collector with its token', async () => {
    await put({ type: 'Splunk', url: target.url, token: 'splunk-secret' });
    await recordMany(organization, 2);
    await deliver();
    const [request] = await target.until(1);
    expect(request?.headers.authorization).toBe('Splunk splunk-secret');
    const lines = target.requests
      .flatMap(({ body }) => body.split('\n'))
      .map((line) => JSON.parse(line) as { event: { metadata: { n: number } } });
    expect(readNumbers(lines.map(({ event }) => event))).toEqual([0, 1]);
  });

  test('upload to S3 under names with the date and hour, each by a presigned URL, and never send the secret key', async () => {
    const { origin } = new URL(target.url);
    await put({
      type: 'S3',
      endpoint: origin,
      bucket: 'customer-logs',
      region: 'eu-west-1',
      prefix: 'audit/',
      access_key_id: 'AKIATEST',
      secret_access_key: 's3-secret',
    });
    await recordMany(organization, 2);
    await deliver();
    const [request] = await target.until(1);
    expect(request?.method).toBe('PUT');
    expect(request?.path).toMatch(
      new RegExp(`^/customer-logs/audit/${organization}/\\d{4}/\\d{2}/\\d{2}/\\d{2}/audit_log_event_\\w+\\.jsonl\\?`),
    );
    expect(request?.path).toContain('X-Amz-Credential=AKIATEST%2F');
    expect(JSON.stringify(request)).not.toContain('s3-secret');
    expect(target.requests.flatMap(({ body }) => body.trim().split('\n'))).toHaveLength(2);
  });

  test('are shown by the configuration, without secrets', async () => {
    await put({ type: 'Datadog', url: target.url, api_key: 'dd-secret' });
    const { body } = await call('GET', `/organizations/${organization}/audit_log_configuration`);
    expect(body).toMatchObject({ state: 'active', log_stream: { type: 'Datadog', state: 'active' } });
    expect(JSON.stringify([body, (await call('GET', path())).body])).not.toContain('dd-secret');
    expect(sdk()).toBeTruthy();
  });

  test.each([
    ['an address that is none', { type: 'GenericHttps', url: 'nowhere' }],
    ['a private address', { type: 'GenericHttps', url: 'https://10.0.0.1/logs' }],
    ['a metadata address', { type: 'Splunk', url: 'http://169.254.169.254/latest', token: 'x' }],
    ['a password in it', { type: 'GenericHttps', url: 'https://user:pass@example.com/' }],
    ['an unknown type', { type: 'Carrier', url: 'https://example.com' }],
    ['no credentials', { type: 'Splunk', url: 'https://example.com' }],
    [
      'a bucket that is none',
      { type: 'S3', bucket: '../x', region: 'eu-west-1', access_key_id: 'a', secret_access_key: 'b' },
    ],
  ])('with %s are rejected with 422', async (_what, body) => {
    expect((await put(body)).status).toBe(422);
    expect((await call('GET', path())).status).toBe(404);
  });

  test('of an unknown organization result in 404', async () => {
    organization = 'org_01JX0000000000000000000000';
    expect((await put({ type: 'GenericHttps', url: target.url })).status).toBe(404);
    expect((await call('DELETE', path())).status).toBe(404);
  });
});
