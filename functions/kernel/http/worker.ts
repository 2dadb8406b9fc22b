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
import { type BusDetail, makeDetail } from '../events/detail.ts';
import { findEvent } from '../events/entity.ts';
import { log, withLogContext } from '../log.ts';
import { countFaults } from '../metrics.ts';
import { settings } from '../settings.ts';
import { isPing } from './ping.ts';

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

/** The detail of an event with its payload, which is read from the event's row if it is too large for the bus. */
async function completeDetail(detail: BusDetail): Promise<BusDetail> {
  if (detail.data !== undefined) return detail;
  const row = await findEvent(detail.environment_id, detail.id);
  return row === undefined ? detail : makeDetail(row);
}

/**
 * Makes the entry of a worker that a rule of the bus triggers; an error makes EventBridge retry. The worker gets the payload
 * of every event whose row exists.
 */
export function eventEntry(
  name: string,
  work: (detail: BusDetail) => Promise<void>,
): WorkerHandler<EventBridgeEvent<string, BusDetail>> {
  return withPing(({ detail }) =>
    withLogContext({ worker: name, event_id: detail.id, environment_id: detail.environment_id }, async () =>
      work(await completeDetail(detail)),
    ),
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
