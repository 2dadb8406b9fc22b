import { DeleteMessageCommand, GetQueueUrlCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

import { clientOptions } from '../../../kernel/aws-requests.ts';
import { putEvents } from '../../../kernel/bus.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';

/** Number of messages received at a time, which is the limit of SQS. */
const BATCH = 10;
/**
 * Visibility time-out in seconds, longer than a batch takes. Messages that are not deleted by then become visible again.
 */
const HIDDEN_SECONDS = 60;

/** The result of a redrive. */
export interface Redriven {
  /** Number of events that were sent to the bus again. */
  events: number;
  /** Number of messages without an event, which stay in the queue. */
  unreadable: number;
}

/**
 * Sends the events in a dead-letter queue of workers to the bus again and deletes them from the queue. SQS itself cannot do
 * this: its redrive sends messages to a queue, and these came from EventBridge and Lambda. Every worker of such an event
 * gets it again, including those that had succeeded, so workers accept duplicates.
 * @throws StorageUnavailable when the bus rejects them; rejected events stay in the queue
 */
export async function redriveEvents(queueName: string): Promise<Redriven> {
  const client = new SQSClient({ maxAttempts: 3, ...clientOptions() });
  try {
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: queueName }));
    const counted: Redriven = { events: 0, unreadable: 0 };
    for (;;) {
      const { Messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl,
          MaxNumberOfMessages: BATCH,
          VisibilityTimeout: HIDDEN_SECONDS,
          WaitTimeSeconds: 1,
        }),
      );
      if (Messages.length === 0) return counted;
      for (const { Body = '', ReceiptHandle } of Messages) {
        const detail = readEvent(Body);
        counted[detail === undefined ? 'unreadable' : 'events'] += 1;
        await putAndDelete(client, detail, { QueueUrl, ReceiptHandle });
      }
    }
  } finally {
    client.destroy();
  }
}

async function putAndDelete(
  client: SQSClient,
  detail: BusDetail | undefined,
  message: { QueueUrl: string | undefined; ReceiptHandle: string | undefined },
): Promise<void> {
  if (detail === undefined) return;
  if ((await putEvents([detail])).length > 0) throw new StorageUnavailable('The bus rejected an event');
  await client.send(new DeleteMessageCommand(message));
}

/**
 * The event in a dead letter: in the form of EventBridge if it could not deliver the event, or in Lambda's record of the
 * failed run (`requestPayload`).
 */
function readEvent(body: string): BusDetail | undefined {
  try {
    const letter = JSON.parse(body) as { detail?: unknown; requestPayload?: { detail?: unknown } };
    const detail = (letter.requestPayload ?? letter).detail as Partial<BusDetail> | undefined;
    const { environment_id, id, event } = detail ?? {};
    return [environment_id, id, event].every((each) => typeof each === 'string') ? (detail as BusDetail) : undefined;
  } catch {
    return undefined;
  }
}
