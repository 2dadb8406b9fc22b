import { randomUUID } from 'node:crypto';

import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';

import type { QueueName } from './area.ts';
import { clientOptions } from './aws-requests.ts';
import { awaitAll } from './concurrency.ts';
import { perSettings, settings } from './settings.ts';
import { StorageUnavailable } from './storage/faults.ts';

/** The limits of SQS for a SendMessageBatch: number of entries, and bytes of all bodies. */
const BATCH_ENTRIES = 10;
export const BATCH_BYTES = 262_144;

/** A message for a worker. */
export interface QueueMessage {
  /** The body, sent as {@link messageText}, of at most 256 KiB. */
  body: unknown;
  /** Time in seconds until it can be received, 0 to 900. */
  delaySeconds?: number;
  /** The message group: messages of one group do not delay those of another (SQS fair queues). */
  group?: string;
}

const queueClient = perSettings(
  () => new SQSClient({ maxAttempts: 3, ...clientOptions() }),
  (former) => former.destroy(),
);

const VARIABLES = {
  deliveries: 'GATEHOUSE_QUEUE_DELIVERIES',
  messages: 'GATEHOUSE_QUEUE_MESSAGES',
  'audit-logs': 'GATEHOUSE_QUEUE_AUDIT_LOGS',
} as const satisfies Record<QueueName, string>;

const readAddress = (queue: QueueName): string => settings()[VARIABLES[queue]];

/** Characters that SQS rejects in a body (it accepts those of XML 1.0), and all characters beyond the basic plane. */
const ESCAPED = /[\ud800-\udfff\ufffe\uffff]/g;

/**
 * The body of a message: JSON in characters that every SQS accepts. SQS rejects U+FFFE and U+FFFF, and the local one
 * rejects emoji, so they are written as escapes of JSON; parsing gives the same text.
 */
export const messageText = (body: unknown): string =>
  JSON.stringify(body).replace(ESCAPED, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/**
 * Sends messages, with one request for each ten messages or 256 KiB, in parallel.
 * @throws StorageUnavailable if some of them were not accepted; others may have been
 */
export async function enqueue(queue: QueueName, messages: readonly QueueMessage[]): Promise<void> {
  const entries = messages.map(({ body, delaySeconds, group }) => ({
    Id: randomUUID(),
    MessageBody: messageText(body),
    ...(delaySeconds === undefined ? {} : { DelaySeconds: Math.min(900, Math.max(0, Math.round(delaySeconds))) }),
    ...(group === undefined ? {} : { MessageGroupId: group }),
  }));
  const batches = splitBatches(
    entries,
    ({ MessageBody }) => Buffer.byteLength(MessageBody),
    BATCH_ENTRIES,
    BATCH_BYTES,
  );
  const responses = await awaitAll(
    batches.map((Entries) =>
      queueClient().send(new SendMessageBatchCommand({ QueueUrl: readAddress(queue), Entries })),
    ),
  );
  const failed = responses.flatMap(({ Failed }) => Failed ?? []);
  if (failed.length > 0) throw new StorageUnavailable(`SQS did not take ${failed.length} messages: ${failed[0]?.Code}`);
}

/**
 * Splits items into batches, in order, limited by their number and their total size. An item that is larger is in a batch
 * of its own.
 */
export function splitBatches<T>(
  items: readonly T[],
  sizeOf: (item: T) => number,
  mostItems: number,
  mostBytes: number,
): T[][] {
  const batches: T[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    const open = batches.at(-1);
    if (open === undefined || open.length >= mostItems || bytes + size > mostBytes) {
      batches.push([item]);
      bytes = size;
    } else {
      open.push(item);
      bytes += size;
    }
  }
  return batches;
}
