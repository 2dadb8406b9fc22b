import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import {
  BatchGetCommand,
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';

import { type HandlerFactory, useRequestHandlers } from '../../functions/kernel/aws-requests.ts';
import { closeTableClient, tableClient } from '../../functions/kernel/storage/client.ts';
import type { AwsReply, InProcessCall } from '../../lib/local/in-process-call.ts';
import { shortHandlers } from '../../lib/local/document-calls.ts';
import { inProcessHandlers } from '../../lib/local/in-process-handler.ts';
import { Invocations } from '../../lib/local/invocations.ts';
import { openEngine } from '../../lib/local/table/store.ts';
import { runOperation } from '../../lib/local/dynamodb/engine.ts';
import { Policies } from '../../lib/local/policy/policies.ts';
import { Counters } from '../../lib/local/proxy/counters.ts';
import { Faults } from '../../lib/local/proxy/faults.ts';
import { EngineCalls } from '../../lib/local/proxy/engine-calls.ts';
import { topology } from '../../lib/topology/index.ts';

const URL_HERE = 'http://table-here.invalid';

let sent: InProcessCall[] = [];
/** The responses and failures of the next attempts; afterwards each succeeds. */
let next: (AwsReply | Error)[] = [];
/** Runs while a call is carried out. */
let onCall: (() => void) | undefined;
let former: HandlerFactory;

async function carryOut(call: InProcessCall): Promise<AwsReply> {
  sent.push(call);
  onCall?.();
  const reply = next.shift() ?? { status: 200, body: { Item: { id: { S: 'a' }, at: { N: '1' } } } };
  if (reply instanceof Error) throw reply;
  return reply;
}

const byTheSdk = (): HandlerFactory => inProcessHandlers({ [URL_HERE]: carryOut });
const shortened = (): HandlerFactory => shortHandlers(URL_HERE, { [URL_HERE]: carryOut });

const useCalls = (make: () => HandlerFactory): void => {
  useRequestHandlers(make());
  useAddress(URL_HERE);
};

const useAddress = (url: string): void => {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: url,
  });
  closeTableClient();
};

beforeEach(() => {
  [sent, next, onCall] = [[], [], undefined];
  former = useRequestHandlers(byTheSdk());
  useAddress(URL_HERE);
});
afterEach(() => void useRequestHandlers(former));
afterAll(() => closeTableClient());

const get = new GetCommand({ TableName: 'records', Key: { id: 'a' } });
const put = new PutCommand({ TableName: 'records', Item: { id: 'a', name: 'Zoë', left: undefined } });
const failure = (members: object): Error => Object.assign(new Error('failed'), members);
const rejection = (status: number, type: string): AwsReply => ({
  status,
  body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'why' },
});

describe.each([
  ['that the SDK serializes', byTheSdk],
  ['that are shortened', shortened],
])('calls of the table client to an address within the process %s', (_, handlers) => {
  beforeEach(() => useCalls(handlers));

  test('are carried out in the form of the protocol, with the time limit of the client', async () => {
    const { Item } = await tableClient().send(get);
    await tableClient().send(put);
    expect(Item).toEqual({ id: 'a', at: 1 });
    expect(sent).toEqual([
      { operation: 'GetItem', input: { TableName: 'records', Key: { id: { S: 'a' } } }, requestMs: 5_000 },
      {
        operation: 'PutItem',
        input: { TableName: 'records', Item: { id: { S: 'a' }, name: { S: 'Zoë' } } },
        requestMs: 5_000,
      },
    ]);
  });

  test.each([
    ['throttles', rejection(400, 'ProvisionedThroughputExceededException')],
    ['has an internal error', rejection(500, 'InternalServerError')],
    ['does not respond in time', failure({ name: 'TimeoutError' })],
    ['closes the connection', failure({ code: 'ECONNRESET' })],
  ])('are attempted again by the SDK if the table %s', async (_case, first) => {
    next = [first];
    await tableClient().send(get);
    expect(sent).toHaveLength(2);
  });

  test('fail with the name and the number of attempts of the last response', async () => {
    next = [rejection(500, 'InternalServerError'), rejection(400, 'ConditionalCheckFailedException')];
    await expect(tableClient().send(put)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
      message: 'why',
      $metadata: { httpStatusCode: 400, attempts: 2 },
    });
  });

  test('fail if their caller aborts them, before or during the call', async () => {
    const early = tableClient().send(get, { abortSignal: AbortSignal.abort() });
    await expect(early).rejects.toMatchObject({ name: 'AbortError' });
    expect(sent).toEqual([]);
    const abort = new AbortController();
    onCall = () => abort.abort();
    const late = tableClient().send(get, { abortSignal: abort.signal });
    await expect(late).rejects.toMatchObject({ name: 'AbortError' });
    expect(sent).toHaveLength(1);
  });
});

describe('a shortened call', () => {
  beforeEach(() => useCalls(shortened));

  test('has the same form and the same result as one of the SDK, with values of every type', async () => {
    const Item = {
      text: '\uFFFF 🚀',
      number: 1.5,
      large: 2n ** 60n,
      bytes: new Uint8Array([0, 255]),
      flags: [true, false, null],
      nested: { empty: {}, list: [{ bytes: new Uint8Array([1]) }], left: undefined },
      texts: new Set(['a', 'b']),
      numbers: new Set([1, 2]),
    };
    const commands = [
      new PutCommand({ TableName: 'records', Item, ExpressionAttributeValues: { ':list': [1], ':map': { a: 'b' } } }),
      new QueryCommand({ TableName: 'records', ExclusiveStartKey: { id: 'a' }, Limit: undefined }),
      new BatchGetCommand({ RequestItems: { records: { Keys: [{ id: 'a' }, { id: 'b' }], ConsistentRead: true } } }),
      new BatchWriteCommand({
        RequestItems: { records: [{ PutRequest: { Item } }, { DeleteRequest: { Key: { id: 'a' } } }] },
      }),
      new TransactWriteCommand({
        ClientRequestToken: 'token',
        TransactItems: [{ Put: { TableName: 'records', Item } }],
      }),
    ];
    const attributes = {
      id: { S: 'a' },
      bytes: { B: 'AP8=' },
      set: { BS: ['AQ=='] },
      list: { L: [{ M: { n: { N: '7' } } }] },
    };
    const body = {
      Item: attributes,
      Items: [attributes],
      Attributes: attributes,
      LastEvaluatedKey: { id: { S: 'a' } },
      Responses: { records: [attributes, attributes] },
      UnprocessedKeys: { records: { Keys: [{ id: { S: 'b' } }] } },
      UnprocessedItems: { records: [{ PutRequest: { Item: attributes } }] },
    };
    const run = async (handlers: () => HandlerFactory) => {
      useCalls(handlers);
      sent = [];
      const results = [];
      for (const command of commands) {
        next = [{ status: 200, body }];
        const { $metadata: _metadata, ...result } = await tableClient().send(command as never);
        const known = Object.entries(result).filter(([, value]) => value !== undefined);
        results.push(Object.fromEntries(known));
      }
      return { sent: sent.map(({ operation, input }) => ({ operation, input })), results };
    };
    const short = await run(shortened);
    const whole = await run(byTheSdk);
    expect(short.sent).toEqual(whole.sent);
    // The SDK drops members that a response of the operation cannot have.
    whole.results.forEach((result, at) => expect(short.results[at]).toMatchObject(result));
  });

  test('sends a transaction again with its token if its response is lost', async () => {
    next = [failure({ code: 'ECONNRESET' })];
    const TransactItems = [{ Put: { TableName: 'records', Item: { id: 'a' } } }];
    await tableClient().send(new TransactWriteCommand({ TransactItems }));
    const [first, second] = sent.map(({ input }) => JSON.stringify(input));
    expect([sent.length, second]).toEqual([2, first]);
    expect(first).toMatch(/"ClientRequestToken":"[0-9a-f-]{36}"/);
  });
});

test('calls of another address take the network', async () => {
  useCalls(shortened);
  const targets: unknown[] = [];
  const server = createServer((request, response) => {
    targets.push(request.headers['x-amz-target']);
    request.resume();
    response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  useAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await tableClient().send(get);
  closeTableClient();
  server.closeAllConnections();
  server.close();
  expect([targets, sent]).toEqual([['DynamoDB_20120810.GetItem'], []]);
});

describe('a delayed call of the table', () => {
  const faults = new Faults();
  const invocations = new Invocations();
  const operations: string[] = [];
  const calls = new EngineCalls({
    dependency: 'table',
    run: (operation, input) => runOperation((...call) => openEngine(undefined).run(...call), operation, input),
    invocations,
    faults,
    counters: new Counters(),
    policies: new Policies(topology, { kmsKey: 'kms', evidenceKey: 'evidence' }),
    rewrite: (operation, input) => {
      operations.push(operation);
      return input;
    },
    onDone: () => undefined,
  });
  const call = { operation: 'ListTables', input: {}, requestMs: 20, signal: undefined };
  beforeEach(() => {
    operations.length = 0;
    faults.clear();
    faults.add({ target: 'table', kind: 'delay', delay_ms: 60_000, probability: 1 });
  });
  afterAll(() => invocations.close());

  test('ends at the time limit of the client and is never carried out', async () => {
    await expect(calls.callWithin(call)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(operations).toEqual([]);
  });

  test('ends when its caller aborts it', async () => {
    const abort = new AbortController();
    const calling = calls.callWithin({ ...call, requestMs: 5_000, signal: abort.signal });
    abort.abort();
    await expect(calling).rejects.toMatchObject({ name: 'AbortError' });
    expect(operations).toEqual([]);
  });
});
