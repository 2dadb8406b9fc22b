import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  EventBridgeEvent,
  SQSBatchResponse,
  SQSEvent,
} from 'aws-lambda';

import { awaitAll } from '../concurrency.ts';
import { log, withLogContext } from '../log.ts';
import { countFaults } from '../metrics.ts';
import { settings } from '../settings.ts';
import { isPing } from './ping.ts';

/** An event in the form of the bus: `detail` of an EventBridge event. */
export interface BusDetail {
  environment_id: string;
  id: string;
  event: string;
  /** The payload; absent if it is too large for the bus, and then the row is read by environment and id. */
  data?: unknown;
  /** The context; absent, like the payload, if the event is too large for the bus. */
  context?: unknown;
  organization_id?: string;
  created_at: string;
}

/** The Lambda entry of a worker. */
export type WorkerHandler<Event, Result = void> = (event: Event, context: Context) => Promise<Result>;

/** Makes a worker respond to the call of a deployment, which shows that its code and settings can be loaded, without doing work. */
const withPing =
  <Event, Result>(work: WorkerHandler<Event, Result>): WorkerHandler<Event, Result> =>
  async (event, context) => {
    if (!isPing(event)) return work(event, context);
    settings();
    return undefined as Result;
  };

/** Makes the entry of a worker that a rule of the bus triggers; an error makes EventBridge retry. */
export function eventEntry(
  name: string,
  work: (detail: BusDetail) => Promise<void>,
): WorkerHandler<EventBridgeEvent<string, BusDetail>> {
  return withPing(({ detail }) =>
    withLogContext({ worker: name, event_id: detail.id, environment_id: detail.environment_id }, () => work(detail)),
  );
}

/**
 * Makes the entry of the worker that reads the table's stream.
 * @param work Returns the sequence numbers of failed records; they and the following ones are delivered again.
 */
export function streamEntry(
  name: string,
  work: (records: readonly DynamoDBRecord[]) => Promise<readonly string[]>,
): WorkerHandler<DynamoDBStreamEvent, DynamoDBBatchResponse> {
  return withPing(({ Records }) =>
    withLogContext({ worker: name }, async () => {
      const failed = await work(Records);
      countFaults(failed.length);
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
    }),
  );
}

/** Makes the entry of a scheduled worker. */
export function scheduleEntry(name: string, work: () => Promise<void>): WorkerHandler<unknown> {
  return () => withLogContext({ worker: name }, work);
}

/**
 * Makes the entry of a worker that reads a queue: each message separately, in parallel; failed ones are reported and
 * return after the queue's visibility time-out.
 */
export function queueEntry<Message>(
  name: string,
  work: (message: Message, attempt: number) => Promise<void>,
): WorkerHandler<SQSEvent, SQSBatchResponse> {
  return withPing(async ({ Records }) => {
    const failed = await awaitAll(
      Records.map(({ messageId, body, attributes }) =>
        withLogContext({ worker: name, message_id: messageId }, async () => {
          try {
            await work(JSON.parse(body) as Message, Number(attributes.ApproximateReceiveCount));
            return undefined;
          } catch (error) {
            log.warn('message failed', { error });
            return { itemIdentifier: messageId };
          }
        }),
      ),
    );
    const batchItemFailures = failed.filter((item) => item !== undefined);
    countFaults(batchItemFailures.length);
    return { batchItemFailures };
  });
}
