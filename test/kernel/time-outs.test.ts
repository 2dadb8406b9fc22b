import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { mock } from 'node:test';
import { setTimeout as realDelay } from 'node:timers/promises';

import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { putBlob, readBlob } from '../../functions/kernel/blobs/store.ts';
import { closeBlobClient } from '../../functions/kernel/blobs/client.ts';
import { putEvents } from '../../functions/kernel/bus.ts';
import { keyPurpose } from '../../functions/kernel/keys/key-wrapper.ts';
import { envelopes } from '../../functions/kernel/keys/shared.ts';
import { evidenceSigner } from '../../functions/kernel/keys/signer.ts';
import { enqueue } from '../../functions/kernel/queues.ts';
import { forgetSettings, settings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { environments } from '../../functions/kernel/storage/environment.ts';
import { isTransient } from '../../functions/kernel/storage/faults.ts';
import { noteWriter } from '../../functions/kernel/storage/epoch.ts';
import { Unit } from '../../functions/kernel/storage/unit.ts';
import { closeChannels, isFinal, sendEmail, sendSms } from '../../functions/outbound/messages/channels.ts';
import { type SilentEndpoint, startSilentEndpoint } from '../support/silent-endpoint.ts';

let endpoint: SilentEndpoint;
beforeAll(async () => {
  endpoint = await startSilentEndpoint();
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL: endpoint.url,
    GATEHOUSE_TABLE: 'records',
    GATEHOUSE_BUS: 'bus',
    GATEHOUSE_QUEUE_DELIVERIES: `${endpoint.url}/000000000000/deliveries`,
    GATEHOUSE_KMS_KEY: 'alias/key',
    GATEHOUSE_EVIDENCE_KEY: 'alias/evidence',
    GATEHOUSE_BUCKET_AUDIT: 'audit',
  });
  forgetSettings();
  closeTableClient();
});
afterAll(async () => {
  closeTableClient();
  closeBlobClient();
  await closeChannels();
  await endpoint.close();
});
beforeEach(() => {
  endpoint.clear();
  endpoint.mode = 'nothing';
  // The kernel and the SDK run outside of Jest, whose timers are not theirs.
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
});
afterEach(() => mock.timers.reset());

const STEP_MS = 1_000;
const REAL_STEP_MS = 10;

/** The result of a call, and the time in ms of the fake timers until it. */
async function ending(
  call: Promise<unknown>,
  limitMs: number,
): Promise<{ value?: unknown; error?: unknown; ms: number }> {
  let end: { value?: unknown; error?: unknown } | undefined;
  call.then(
    (value) => (end = { value }),
    (error: unknown) => (end = { error }),
  );
  let ms = 0;
  // The first request loads packages and connects, which takes a busy machine longer than a step.
  for (let at = 0; at < 100 && endpoint.requests === 0; at += 1) await realDelay(5);
  for (; end === undefined && ms < limitMs; ms += STEP_MS) {
    // Sockets use the real time, so the data must arrive between two steps.
    await realDelay(REAL_STEP_MS);
    mock.timers.tick(STEP_MS);
  }
  await realDelay(5);
  if (end === undefined) throw new Error(`No end after ${ms} ms and ${endpoint.requests} requests`);
  return { ...end, ms };
}

const mail = { subject: 's', text: 't', html: 'h' };
const brand = { name: 'Acme' } as Parameters<typeof sendEmail>[0]['brand'];
const event = { environment_id: 'e', id: 'event_1', event: 'user.created', data: {}, created_at: '2026-01-01' };

async function readWhole(): Promise<void> {
  for await (const _ of readBlob('audit', 'key')) continue;
}

describe('if an AWS service accepts requests and never responds,', () => {
  test.each([
    ['a read of the table', () => environments.get('e', 'e'), 2, 5_000],
    ['a key of KMS', () => envelopes().seal({ environmentId: 'e', purpose: keyPurpose('p') }, 'id', 'text'), 2, 5_000],
    ['a signature of KMS', () => evidenceSigner().sign('text'), 3, 5_000],
    ['a message of SQS', () => enqueue('deliveries', [{ body: {} }]), 3, 5_000],
    ['a write of S3', () => putBlob('audit', 'key', 'text', { contentType: 'text/plain' }), 3, 60_000],
    ['a read of S3', readWhole, 3, 60_000],
  ])('%s fails with a transient error, after its attempts', async (_, call, attempts, limitMs) => {
    const { error, ms } = await ending(call(), 300_000);
    expect(isTransient(error)).toBe(true);
    expect(endpoint.requests).toBe(attempts);
    expect(ms).toBeGreaterThanOrEqual(attempts * limitMs - STEP_MS);
    // The limit includes the waits between the attempts, each rounded up to a step.
    expect(ms).toBeLessThan(attempts * (limitMs + 2 * STEP_MS));
  });

  test('sending events to the bus reports them as not accepted, after three attempts', async () => {
    const { value } = await ending(putEvents([event, event]), 300_000);
    expect(value).toEqual([0, 1]);
    expect(endpoint.requests).toBe(3);
  });

  test.each([
    ['a mail', () => sendEmail({ to: 'ada@example.com', mail, brand, tags: {} })],
    ['an SMS', () => sendSms('+15555550100', 'text')],
  ])('%s fails after one attempt, as retryable', async (_, call) => {
    const { error, ms } = await ending(call(), 300_000);
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(isFinal(error)).toBe(false);
    expect(endpoint.requests).toBe(1);
    expect(ms).toBeLessThanOrEqual(11_000);
  });

  test.each([
    ['a read of the table', () => environments.get('e', 'e')],
    ['a read of S3', readWhole],
  ])('%s also fails if the service stops within its response', async (_, call) => {
    endpoint.mode = 'half a response';
    // The sockets' own timers use the real time and are not advanced here.
    const { error } = await ending(call(), 5_000_000);
    expect(isTransient(error)).toBe(true);
  });
});

test('a commit of one event and of two events ends by its deadline, before a reader of events stops waiting for them', async () => {
  mock.timers.reset();
  await noteWriter('e', {});
  const commit = async (count: number): Promise<void> => {
    const unit = new Unit('e', systemActor);
    for (let at = 0; at < count; at += 1) unit.emit('organization.deleted', { id: 'org_1' } as never);
    await expect(unit.commit()).rejects.toMatchObject({ name: 'AbortError' });
  };
  const startedAt = performance.now();
  await Promise.all([commit(1), commit(2)]);
  expect(performance.now() - startedAt).toBeLessThan(settings().GATEHOUSE_EVENT_HORIZON_MS);
  expect(endpoint.requests).toBe(2);
});

test('every AWS client of the functions has these time-outs', () => {
  const made = globSync('functions/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/new [A-Za-z0-9]+Client\([^;]*;/g)].map(([code]) => code),
  );
  expect(made.length).toBeGreaterThanOrEqual(8);
  for (const code of made) expect(code).toMatch(/clientOptions|CHANNEL_OPTIONS/);
});
