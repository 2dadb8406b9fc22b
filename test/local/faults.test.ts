import { DynamoDBClient, GetItemCommand, PutItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { eventually } from '../support/service.ts';
import { startTrial, type Trial } from './trial/start.ts';

/** Faults as AWS clients see them, with one attempt for each call. */
let trial: Trial;
let calls: Record<string, (abortSignal?: AbortSignal) => Promise<unknown>> = {};
const clients: { destroy: () => void }[] = [];

const TableName = 'gatehouse-local-records';
const options = (abortSignal?: AbortSignal) => (abortSignal === undefined ? {} : { abortSignal });
const item = (pk: string) => ({ TableName, Item: { pk: { S: pk }, sk: { S: 'record' } } });

beforeAll(async () => {
  trial = await startTrial();
  const of = (dependency: string) => ({
    endpoint: trial.endpoints[dependency] ?? '',
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    maxAttempts: 1,
  });
  const table = new DynamoDBClient(of('table'));
  const bus = new EventBridgeClient(of('bus'));
  const kms = new KMSClient(of('keys'));
  const s3 = new S3Client({ ...of('blobs'), forcePathStyle: true });
  const ses = new SESv2Client(of('mail'));
  const sns = new SNSClient(of('sms'));
  const sqs = new SQSClient(of('queues'));
  clients.push(table, bus, kms, s3, ses, sns, sqs);
  const entry = { EventBusName: 'gatehouse-local', Source: 'test', DetailType: 'nobody.cares', Detail: '{}' };
  const email = {
    FromEmailAddress: 'a@example.com',
    Destination: { ToAddresses: ['b@example.com'] },
    Content: { Simple: { Subject: { Data: 's' }, Body: { Text: { Data: 't' } } } },
  };
  calls = {
    table: (abortSignal) => table.send(new PutItemCommand(item('a')), options(abortSignal)),
    read: () => table.send(new GetItemCommand({ TableName, Key: item('a').Item })),
    transaction: (abortSignal) =>
      table.send(
        new TransactWriteItemsCommand({ TransactItems: [{ Put: item('a') }, { Put: item('b') }] }),
        options(abortSignal),
      ),
    keys: () => kms.send(new GenerateDataKeyCommand({ KeyId: 'alias/gatehouse-local', KeySpec: 'AES_256' })),
    bus: () => bus.send(new PutEventsCommand({ Entries: [entry, entry, entry] })),
    queues: () =>
      sqs.send(
        new SendMessageCommand({ QueueUrl: `${of('queues').endpoint}/000000000000/messages`, MessageBody: '{}' }),
      ),
    blobs: () => s3.send(new ListBucketsCommand({})),
    mail: () => ses.send(new SendEmailCommand(email)),
    sms: () => sns.send(new PublishCommand({ PhoneNumber: '+15555550100', Message: 'm' })),
  };
});
afterAll(() => clients.forEach((client) => client.destroy()));
beforeEach(() => trial.local('POST', 'reset'));

const fault = (body: object) => trial.local('POST', 'faults', body);
const dependencies = ['table', 'keys', 'bus', 'queues', 'blobs', 'mail', 'sms'];

describe('an injected fault', () => {
  test.each(dependencies)('does not affect %s by default', async (target) => {
    await calls[target]?.();
  });

  test.each([
    ['table', 'ProvisionedThroughputExceededException', 'InternalServerError', 'AccessDeniedException'],
    ['keys', 'ThrottlingException', 'KMSInternalException', 'AccessDeniedException'],
    ['bus', 'ThrottlingException', 'InternalException', 'AccessDeniedException'],
    ['queues', 'RequestThrottled', 'InternalFailure', 'AccessDenied'],
    ['blobs', 'SlowDown', 'InternalError', 'AccessDenied'],
    ['mail', 'TooManyRequestsException', 'InternalServiceErrorException', 'MessageRejected'],
    ['sms', 'Throttling', 'InternalError', 'AuthorizationError'],
  ])('of %s throttles, fails and rejects with its own errors', async (target, throttle, unavailable, rejected) => {
    for (const [kind, name] of Object.entries({ throttle, unavailable, refuse: rejected })) {
      await fault({ target, kind, count: 1 });
      const error = await calls[target]?.().catch((reason: unknown) => reason);
      const { name: errorName, Code } = error as { name: string; Code?: string };
      expect([kind, errorName === name || Code === name ? name : errorName]).toEqual([kind, name]);
      await calls[target]?.();
    }
  });

  test('of kind conflict cancels a transaction and says which writes conflict, and rejects a write outside of a transaction', async () => {
    await fault({ target: 'table', kind: 'conflict', count: 2 });
    await expect(calls.transaction?.()).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    });
    await calls.read?.();
    await expect(calls.table?.()).rejects.toMatchObject({ name: 'TransactionConflictException' });
    await calls.table?.();
  });

  test('of kind hold holds as many calls as it counts until it is removed', async () => {
    const { id } = await fault({ target: 'table', kind: 'hold', count: 1, operations: ['PutItem'] });
    const order: string[] = [];
    const held = calls.table?.().then(() => order.push('held'));
    await eventually(
      () => trial.local('GET', 'faults'),
      ({ data }) => JSON.stringify(data).includes('"met":1'),
    );
    await calls.table?.();
    order.push('another');
    await trial.local('DELETE', `faults?id=${id}`);
    await held;
    expect(order).toEqual(['another', 'held']);
  });

  test('of kind delay delays the call', async () => {
    await fault({ target: 'table', kind: 'delay', delay_ms: 300, count: 1 });
    const startedAt = performance.now();
    await calls.table?.();
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(290);
  });

  test.each([
    ['a write', 'table'],
    ['a transaction', 'transaction'],
  ])('of kind delay does not execute %s whose caller has disconnected', async (_, target) => {
    await fault({ target: 'table', kind: 'delay', operations: ['PutItem', 'TransactWriteItems'], delay_ms: 300 });
    await expect(calls[target]?.(AbortSignal.timeout(100))).rejects.toMatchObject({ name: 'AbortError' });
    // The read began later and takes longer, so an abandoned write that was still made would be visible to it.
    await fault({ target: 'table', kind: 'delay', operations: ['GetItem'], delay_ms: 400 });
    expect(await calls.read?.()).not.toHaveProperty('Item');
  });

  test('of kind lost_response executes the call and closes the connection', async () => {
    await fault({ target: 'table', kind: 'lost_response', count: 1 });
    await expect(calls.table?.()).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(await calls.read?.()).toMatchObject({ Item: { pk: { S: 'a' } } });
  });

  test('of kind partial makes every other event of a batch fail', async () => {
    await fault({ target: 'bus', kind: 'partial', count: 1 });
    const result = (await calls.bus?.()) as {
      FailedEntryCount: number;
      Entries: { ErrorCode?: string; EventId?: string }[];
    };
    expect(result.FailedEntryCount).toBe(2);
    expect(result.Entries.map(({ ErrorCode }) => ErrorCode !== undefined)).toEqual([true, false, true]);
  });

  test('affects the named operations, for the given number of calls, and counts them', async () => {
    await fault({ target: 'table', kind: 'throttle', operations: ['GetItem'], count: 3 });
    await calls.table?.();
    await expect(calls.read?.()).rejects.toThrow();
    await expect(calls.read?.()).rejects.toThrow();
    expect((await trial.local('GET', 'faults')).data).toMatchObject([{ kind: 'throttle', met: 2 }]);
    await expect(calls.read?.()).rejects.toThrow();
    expect((await trial.local('GET', 'faults')).data).toEqual([]);
  });

  test('affects a share of the calls until it is removed', async () => {
    const { id } = await fault({ target: 'table', kind: 'throttle', probability: 0.5 });
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, async () => calls.table?.()));
    const failed = outcomes.filter(({ status }) => status === 'rejected').length;
    expect(failed).toBeGreaterThan(5);
    expect(failed).toBeLessThan(55);
    await trial.local('DELETE', `faults?id=${id}`);
    await calls.table?.();
  });

  test.each([
    { target: 'moon', kind: 'throttle' },
    { target: 'mail', kind: 'conflict' },
    { target: 'bus', kind: 'late_expiry' },
    { target: 'table', kind: 'partial' },
    { target: 'table', kind: 'throttle', probability: 0 },
    { target: 'table', kind: 'throttle', often: true },
  ])('is rejected if it is invalid: %j', async (body) => {
    expect((await trial.call('POST', '/_local/faults', body)).status).toBe(422);
  });
});

describe('injected late expiry', () => {
  test('keeps rows after their TTL, until the fault is removed', async () => {
    const { body } = await trial.call('POST', '/x/trial/notes', { text: 'short', expires_in: 60 });
    const statusOfNote = async () => (await trial.call('GET', `/x/trial/notes/${body.id}`)).status;
    await fault({ target: 'table', kind: 'late_expiry' });
    await trial.local('POST', 'clock', { advance_seconds: 120 });
    await trial.idle();
    expect(await statusOfNote()).toBe(200);
    await trial.local('DELETE', 'faults');
    await trial.local('POST', 'clock', { advance_seconds: 1 });
    const deadline = Date.now() + 30_000;
    while ((await statusOfNote()) === 200 && Date.now() < deadline) continue;
    expect(await statusOfNote()).toBe(404);
  });
});

describe('injected stale lists', () => {
  const write = async (text: string) => (await trial.call('POST', '/x/trial/notes', { text })).body.id;
  const list = async () => (await trial.call('GET', '/x/trial/notes?limit=100')).body.data.map(({ text }) => text);

  test('do not show the last writes, and show them later', async () => {
    await write('before');
    await fault({ target: 'table', kind: 'stale_lists', delay_ms: 2_000 });
    const id = await write('after');
    expect(await list()).toEqual(['before']);
    expect((await trial.call('GET', `/x/trial/notes/${id}`)).status).toBe(200);
    await trial.idle();
    expect(await list()).toEqual(['after', 'before']);
    await trial.local('DELETE', 'faults');
    await write('at once');
    expect(await list()).toEqual(['at once', 'after', 'before']);
  });

  test('show earlier writes after the clock was moved', async () => {
    await fault({ target: 'table', kind: 'stale_lists', delay_ms: 300 });
    await write('before');
    await trial.local('POST', 'clock', { advance_seconds: 1 });
    expect(await list()).toEqual(['before']);
  });
});

describe('API calls under faults', () => {
  test('return 503 with Retry-After while the table throttles, and succeed after transient conflicts', async () => {
    await fault({ target: 'table', kind: 'throttle' });
    const { status, headers } = await trial.call('POST', '/x/trial/notes', { text: 'x' });
    expect([status, headers.get('retry-after')]).toEqual([503, '1']);
    await trial.local('DELETE', 'faults');
    await fault({ target: 'table', kind: 'conflict', count: 2 });
    expect((await trial.call('POST', '/x/trial/notes', { text: 'x' })).status).toBe(201);
  });

  test('are counted: round trips, operations and capacity for each function', async () => {
    await trial.call('POST', '/x/trial/notes', { text: 'warm' });
    await trial.local('DELETE', 'counters');
    await trial.call('POST', '/x/trial/notes', { text: 'x', silent: true });
    const { data } = (await trial.local('GET', 'counters')) as unknown as { data: Record<string, unknown> };
    expect(data['trial-http']).toMatchObject({
      calls: { 'table.PutItem': 1 },
      invocations: 1,
      serialRoundTrips: 1,
      writeUnits: 2,
    });
  });
});
