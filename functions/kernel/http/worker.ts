import type {
  Context,
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  EventBridgeEvent,
  SQSBatchResponse,
  SQSEvent,
} from 'aws-lambda';

import { log, withLogContext } from '../log.ts';

/** An event as it travels on the bus: `detail` of an EventBridge event. */
export interface BusDetail {
  environment_id: string;
  id: string;
  event: string;
  /** Absent when the payload is too large to travel: read the row by environment and id. */
  data?: unknown;
  /** Absent, like the payload, when the event is too large to travel. */
  context?: unknown;
  organization_id?: string;
  created_at: string;
}

/** The Lambda entry of a worker. */
export type WorkerHandler<Event, Result = void> = (event: Event, context: Context) => Promise<Result>;

/** Builds the entry of a worker that a rule of the bus starts; a thrown error makes EventBridge try again. */
export function eventEntry(
  name: string,
  work: (detail: BusDetail) => Promise<void>,
): WorkerHandler<EventBridgeEvent<string, BusDetail>> {
  return ({ detail }) =>
    withLogContext({ worker: name, event_id: detail.id, environment_id: detail.environment_id }, () => work(detail));
}

/**
 * Builds the entry of the worker that reads the table's stream.
 * @param work Returns the sequence numbers of records that failed; they and what follows them come again.
 */
export function streamEntry(
  name: string,
  work: (records: readonly DynamoDBRecord[]) => Promise<readonly string[]>,
): WorkerHandler<DynamoDBStreamEvent, DynamoDBBatchResponse> {
  return ({ Records }) =>
    withLogContext({ worker: name }, async () => {
      const failed = await work(Records);
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
    });
}

/** Builds the entry of a scheduled worker. */
export function scheduleEntry(name: string, work: () => Promise<void>): WorkerHandler<unknown> {
  return () => withLogContext({ worker: name }, work);
}

/**
 * Builds the entry of a worker that reads a queue: each message alone, in parallel; those that failed are reported and
 * come back after the queue's visibility time-out.
 */
export function queueEntry<Message>(
  name: string,
  work: (message: Message, attempt: number) => Promise<void>,
): WorkerHandler<SQSEvent, SQSBatchResponse> {
  return async ({ Records }) => {
    const failed = await Promise.all(
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
    return { batchItemFailures: failed.filter((item) => item !== undefined) };
  };
}
