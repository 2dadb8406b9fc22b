import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { redriveEvents } from '../../../functions/record/events/relay/redrive.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';

const given = { ...process.env };
let server: Server;
let waiting: { id: string; body: string }[] = [];
let hidden: string[] = [];
let deleted: string[] = [];
let put: { DetailType: string; Detail: string }[] = [];
let rejectsEvents = false;

type Input = Record<string, unknown>;
/** The part of SQS and EventBridge that the command uses. */
const responses: Readonly<Record<string, (input: Input) => object>> = {
  GetQueueUrl: ({ QueueName }) => ({ QueueUrl: `${process.env.AWS_ENDPOINT_URL_SQS ?? ''}/1/${String(QueueName)}` }),
  ReceiveMessage: () => {
    const Messages = waiting
      .filter(({ id }) => !hidden.includes(id) && !deleted.includes(id))
      .slice(0, 10)
      .map(({ id, body }) => ({
        MessageId: id,
        ReceiptHandle: id,
        Body: body,
        MD5OfBody: createHash('md5').update(body).digest('hex'),
      }));
    hidden.push(...Messages.map(({ MessageId }) => MessageId));
    return { Messages };
  },
  DeleteMessage: ({ ReceiptHandle }) => {
    deleted.push(String(ReceiptHandle));
    return {};
  },
  PutEvents: ({ Entries }) => {
    const entries = Entries as typeof put;
    if (rejectsEvents) return { FailedEntryCount: 1, Entries: entries.map(() => ({ ErrorCode: 'InternalFailure' })) };
    put.push(...entries);
    return { FailedEntryCount: 0, Entries: entries.map((_, at) => ({ EventId: `e${at}` })) };
  },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const action = String(request.headers['x-amz-target']).split('.').at(-1) ?? '';
      response.setHeader('content-type', 'application/x-amz-json-1.0');
      response.end(JSON.stringify(responses[action]?.(JSON.parse(body) as Input)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoint,
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    GATEHOUSE_BUS: 'gatehouse-prod',
    GATEHOUSE_LOG_LEVEL: 'silent',
  });
  forgetSettings();
});
beforeEach(() => {
  [waiting, hidden, deleted, put, rejectsEvents] = [[], [], [], [], false];
});
afterAll(() => {
  process.env = given;
  forgetSettings();
  server.close();
});

const event = (id: string) => ({
  source: 'gatehouse',
  'detail-type': 'user.deleted',
  detail: {
    environment_id: 'environment_1',
    id,
    event: 'user.deleted',
    created_at: '2026-01-15T12:00:00.000Z',
    data: {},
  },
});

describe('redriving the dead letters of workers', () => {
  test('sends each event to the bus again, whether EventBridge or Lambda failed, and deletes the dead letter', async () => {
    waiting = [
      { id: 'a', body: JSON.stringify(event('event_1')) },
      { id: 'b', body: JSON.stringify({ version: '1.0', requestContext: {}, requestPayload: event('event_2') }) },
      ...Array.from({ length: 12 }, (_, at) => ({ id: `c${at}`, body: JSON.stringify(event(`event_c${at}`)) })),
    ];
    expect(await redriveEvents('gatehouse-prod-workers-dead-letters')).toEqual({ events: 14, unreadable: 0 });
    expect(deleted).toHaveLength(14);
    expect(
      put.slice(0, 2).map(({ DetailType, Detail }) => [DetailType, (JSON.parse(Detail) as { id: string }).id]),
    ).toEqual([
      ['user.deleted', 'event_1'],
      ['user.deleted', 'event_2'],
    ]);
  });

  test('keeps dead letters without an event, and reports their number', async () => {
    waiting = ['{', '{}', '{"detail":{"id":1}}'].map((body, at) => ({ id: `x${at}`, body }));
    expect(await redriveEvents('dead')).toEqual({ events: 0, unreadable: 3 });
    expect(deleted).toEqual([]);
  });

  test('keeps the dead letter if the bus rejects the event', async () => {
    waiting = [{ id: 'a', body: JSON.stringify(event('event_1')) }];
    rejectsEvents = true;
    await expect(redriveEvents('dead')).rejects.toThrow(/rejected/);
    expect(deleted).toEqual([]);
  });
});
