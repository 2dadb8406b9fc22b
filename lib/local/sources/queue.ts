import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { setTimeout as delay } from 'node:timers/promises';

import { type Engine, callAws } from '../aws-call.ts';
import { account, region } from '../aws-json.ts';
import { Abandoned } from '../invocations.ts';
import type { Source } from './source.ts';

/** Default batch size and concurrency of workers for which the topology has no values. */
const BATCH = 10;
const CONCURRENCY = 10;
const LONG_POLL_SECONDS = 20;
const AFTER_ERROR_MS = 200;
const MAX_KEPT = 10_000;

interface Message {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  MD5OfBody: string;
  Attributes?: Record<string, string>;
}

/** The options of a queue source. */
export interface QueueSourceOptions {
  sqs: Engine;
  /** A queue by its name in the topology and its URL for calls of SQS. */
  name: string;
  url: string;
  /** Maximum concurrent batches; ten by default. */
  concurrency: number | undefined;
  /** Reports whether a received message still exists. */
  exists: (receiptHandle: string) => boolean;
  invoke: (event: SQSEvent) => Promise<unknown>;
  onError: (message: string, error: unknown) => void;
}

/**
 * Delivers a queue's messages to a function. A message is deleted after the function succeeded. A failed one returns after
 * the queue's visibility time-out, and is moved to the dead letters after the maximum number of receives.
 */
export class QueueSource implements Source {
  readonly #options: QueueSourceOptions;
  readonly #held = new Set<string>();
  readonly #failed = new Set<string>();
  readonly #abort = new AbortController();
  readonly #loop: Promise<void>;
  #batches = 0;
  #isClosed = false;
  #freed: (() => void) | undefined;

  constructor(options: QueueSourceOptions) {
    this.#options = options;
    this.#loop = this.#work();
  }

  isIdle(): boolean {
    return this.#batches === 0;
  }

  /** No action is needed, because the long poll returns messages as they become visible. */
  wake(): void {}

  /** Discards all state: work in progress was abandoned, and its messages are deleted. */
  reset(): void {
    this.#held.clear();
    this.#failed.clear();
  }

  /** Reports whether the function failed with this message, which waits for a retry. */
  hasFailed(receiptHandle: string): boolean {
    return this.#failed.has(receiptHandle);
  }

  /** Reports whether the function is processing this message. */
  isProcessing(receiptHandle: string): boolean {
    return this.#held.has(receiptHandle);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#abort.abort();
    await this.#loop;
  }

  async #work(): Promise<void> {
    const { name, onError, concurrency = CONCURRENCY } = this.#options;
    while (!this.#isClosed) {
      if (this.#batches >= concurrency) {
        await new Promise<void>((resolve) => (this.#freed = resolve));
        continue;
      }
      try {
        const messages = await this.#receive();
        if (messages.length > 0) void this.#hand(messages);
      } catch (error) {
        if (this.#isClosed) return;
        onError(`queue ${name} cannot be read`, error);
        await delay(AFTER_ERROR_MS);
      }
    }
  }

  async #receive(): Promise<Message[]> {
    const input = {
      QueueUrl: this.#options.url,
      MaxNumberOfMessages: BATCH,
      WaitTimeSeconds: LONG_POLL_SECONDS,
      AttributeNames: ['All'],
    };
    const { sqs } = this.#options;
    const { Messages } = await callAws<{ Messages?: Message[] }>(sqs, 'ReceiveMessage', input, this.#abort.signal);
    // A long poll may last longer than a reset: messages that the reset has deleted are not delivered, later ones are.
    return (Messages ?? []).filter(({ ReceiptHandle }) => this.#options.exists(ReceiptHandle));
  }

  async #hand(messages: Message[]): Promise<void> {
    const { invoke, name, onError } = this.#options;
    this.#batches += 1;
    const open = new Set(messages.map(({ ReceiptHandle }) => ReceiptHandle));
    for (const handle of open) this.#held.add(handle);
    if (this.#failed.size > MAX_KEPT) this.#failed.clear();
    try {
      const response = (await invoke({ Records: messages.map((message) => asLambda(name, message)) })) as
        | SQSBatchResponse
        | undefined;
      const failed = new Set(response?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
      const done = messages.filter(({ MessageId }) => !failed.has(MessageId));
      await this.#remove(done);
      for (const { ReceiptHandle } of done) open.delete(ReceiptHandle);
    } catch (error) {
      if (!(error instanceof Abandoned)) onError(`messages of queue ${name} failed`, error);
    } finally {
      for (const handle of open) this.#failed.add(handle);
      for (const { ReceiptHandle } of messages) this.#held.delete(ReceiptHandle);
      this.#batches -= 1;
      this.#freed?.();
    }
  }

  async #remove(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    const { sqs, url } = this.#options;
    await callAws(sqs, 'DeleteMessageBatch', {
      QueueUrl: url,
      Entries: messages.map(({ ReceiptHandle }, at) => ({ Id: String(at), ReceiptHandle })),
    });
  }
}

function asLambda(name: string, message: Message): SQSRecord {
  const { MessageId, ReceiptHandle, Body, MD5OfBody, Attributes = {} } = message;
  return {
    messageId: MessageId,
    receiptHandle: ReceiptHandle,
    body: Body,
    attributes: Attributes as unknown as SQSRecord['attributes'],
    messageAttributes: {},
    md5OfBody: MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${region}:${account}:${name}`,
    awsRegion: region,
  };
}
