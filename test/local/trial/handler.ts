import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type {
  APIGatewayProxyEventV2,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  EventBridgeEvent,
  SQSBatchResponse,
  SQSEvent,
} from 'aws-lambda';
import { appendFileSync } from 'node:fs';

import { readDeparture } from '../../../functions/record/events/relay/departure.ts';
import { putEvents } from '../../../functions/kernel/bus.ts';
import { EVENT_ROW } from '../../../functions/kernel/events/entity.ts';
import { eventEntry } from '../../../functions/kernel/http/worker.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { httpEntry } from '../../../functions/kernel/http/entry.ts';
import { performWork, WORK_ROW } from '../../../functions/kernel/storage/work.ts';
import { steps, trialArea } from './area.ts';

/** Records what a worker received, in a file that outlives this process and that a test reads. */
function note(worker: string, text: string, more: object = {}): void {
  const line = { worker, text, at: performance.timeOrigin + performance.now(), ...more };
  appendFileSync(process.env.TRIAL_LOG ?? '/dev/null', `${JSON.stringify(line)}\n`);
}

export const http = httpEntry(trialArea);

const bus = new EventBridgeClient({ maxAttempts: 1 });
const sqs = new SQSClient({ maxAttempts: 1 });
const ses = new SESv2Client({ maxAttempts: 1 });
const sns = new SNSClient({ maxAttempts: 1 });
const failed = new Set<string>();

/** Fails once for each text that requests a failure. */
function failsNow(worker: string, text: string): boolean {
  const key = `${worker} ${text}`;
  if (!text.startsWith(`fail in ${worker}`) || failed.has(key)) return false;
  failed.add(key);
  return true;
}

/** Relays work twice, since a bus may deliver more than once. */
async function relayWork(record: DynamoDBRecord): Promise<void> {
  const departure = record.dynamodb?.NewImage?.__edb_e__?.S === WORK_ROW ? readDeparture(record) : undefined;
  if (departure?.kind === 'event') await putEvents([departure.detail, departure.detail]);
}

export async function relay({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  for (const record of Records) {
    const { eventName, dynamodb } = record;
    if (eventName !== 'INSERT') throw new Error('Only inserts were asked for');
    if (dynamodb?.NewImage?.__edb_e__?.S !== EVENT_ROW) {
      await relayWork(record);
      continue;
    }
    const text = JSON.parse(dynamodb?.NewImage?.data?.S ?? '{}') as { email: string };
    note('relay', text.email);
    if (failsNow('relay', text.email)) {
      return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }] };
    }
    const { FailedEntryCount } = await bus.send(
      new PutEventsCommand({
        Entries: [
          {
            EventBusName: process.env.GATEHOUSE_BUS,
            Source: 'gatehouse',
            DetailType: dynamodb?.NewImage?.name?.S,
            Detail: JSON.stringify({ text: text.email }),
          },
        ],
      }),
    );
    if (FailedEntryCount !== 0) throw new Error('The bus took it in part');
  }
  return { batchItemFailures: [] };
}

export async function dispatch({ detail }: EventBridgeEvent<string, { text: string }>): Promise<void> {
  note('dispatch', detail.text);
  if (failsNow('dispatch', detail.text)) throw new Error('asked to fail');
  await sqs.send(
    new SendMessageCommand({ QueueUrl: process.env.GATEHOUSE_QUEUE_DELIVERIES, MessageBody: JSON.stringify(detail) }),
  );
}

export const work = eventEntry('trial-work', (detail) =>
  performWork(detail, [
    steps.by(async ({ data, progress }) => {
      const at = Number(progress ?? 0);
      note('work', data.text, { step: at });
      await new Promise((resolve) => setTimeout(resolve, data.pause));
      const text = `fail in work ${data.text}`;
      if (at === data.fails && failsNow('work', text)) throw new Error('asked to fail');
      return at + 1 < data.steps ? String(at + 1) : undefined;
    }),
  ]),
);

export async function hear({ detail }: EventBridgeEvent<string, { text?: string }>): Promise<void> {
  note('hear', detail.text ?? '');
}

export async function other(): Promise<void> {
  note('other', '');
}

let delivering = 0;

export async function deliver({ Records }: SQSEvent): Promise<SQSBatchResponse> {
  delivering += 1;
  const most = delivering;
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const { body, messageId, attributes } of Records) {
    const { text } = JSON.parse(body) as { text: string };
    note('deliver', text, { most, receives: Number(attributes.ApproximateReceiveCount) });
    if (text.startsWith('pause')) await new Promise((resolve) => setTimeout(resolve, 50));
    if (text === 'fail always' || failsNow('deliver', text)) batchItemFailures.push({ itemIdentifier: messageId });
    if (text.includes('@')) await mail(text);
    if (text.startsWith('+')) await sns.send(new PublishCommand({ PhoneNumber: text, Message: 'Your code is 123456' }));
  }
  delivering -= 1;
  return { batchItemFailures };
}

async function mail(to: string): Promise<void> {
  const Simple = {
    Subject: { Data: 'Welcome' },
    Body: {
      Text: { Data: 'Code 654321, or open https://app.example/accept?token=111111&x=2 now' },
      Html: { Data: '<a href="https://app.example/accept?token=111111&amp;x=2">Open</a> 654321' },
    },
  };
  await ses.send(
    new SendEmailCommand({
      FromEmailAddress: 'Gatehouse <no-reply@gatehouse.invalid>',
      Destination: { ToAddresses: [to] },
      Content: { Simple },
    }),
  );
}

export async function tick(): Promise<void> {
  note('tick', clock.timestamp());
}

/** Returns the event, or the response that the query's `result` describes. */
export async function mirror(event: APIGatewayProxyEventV2): Promise<unknown> {
  const result = event.queryStringParameters?.result;
  if (result === 'throw') throw new Error('asked to fail');
  if (result !== undefined) return JSON.parse(result) as unknown;
  return { statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(event) };
}
