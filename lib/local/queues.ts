import { join } from 'node:path';

import { buildApp } from 'fauxqs';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import type { Bucket, Queue } from '../topology/model.ts';
import type { Engine } from './aws-call.ts';
import { account, region } from './aws-json.ts';
import { damaged, makePrivate } from './data-folder.ts';

type Stores = NonNullable<NonNullable<Parameters<typeof buildApp>[0]>['stores']>;
type SqsQueue = NonNullable<ReturnType<Stores['sqsStore']['getQueueByName']>>;

/** The storage class of fauxqs, which its package does not export. */
interface Persistence {
  db: { exec: (sql: string) => void };
  load: (...stores: unknown[]) => void;
  close: () => void;
}

/** Time in seconds for which messages are kept, as SQS keeps dead letters. */
const DEAD_LETTER_RETENTION_SECONDS = 14 * 86_400;

/** Numbers of messages that are visible, in flight, waiting after a failure, or delayed by their sender. */
export interface PendingMessages {
  ready: number;
  held: number;
  failed: number;
  delayed: number;
}

/** Running queues and object store. */
export interface Queues {
  sqs: Engine;
  /** The URL of a queue by its name; the dead letters of `deliveries` are in `deliveries-dead`. */
  urlOf: (name: string, origin: string) => string;
  /** Messages by their state, without dead letters. Failed ones wait for their visibility time-out. */
  pending: (hasFailed: (receiptHandle: string) => boolean) => PendingMessages;
  /** Reports whether a received message still exists: false after it was deleted or purged. */
  exists: (receiptHandle: string) => boolean;
  /** Advances the clock of delays, and of the visibility of messages that no worker has any more. */
  advance: (milliseconds: number, isInFlight: (receiptHandle: string) => boolean) => void;
  reset: () => void;
  close: () => Promise<void>;
}

/**
 * Starts SQS and S3 for one machine (fauxqs). Its own start function listens on every address and does not expose its
 * stores; these queues contain customers' events, so the server is built from its parts and only listens on loopback.
 * @param dataFolder the folder of `fauxqs.db`; in memory if absent
 */
export async function startQueues(
  dataFolder: string | undefined,
  queues: readonly Queue[],
  buckets: readonly Pick<Bucket, 'name'>[],
): Promise<Queues> {
  const [{ SqsStore }, { SnsStore }, { S3Store }, { PersistenceManager }] = await awaitAll([
    part<{ SqsStore: new () => Stores['sqsStore'] }>('sqs/sqsStore.js'),
    part<{ SnsStore: new () => Stores['snsStore'] }>('sns/snsStore.js'),
    part<{ S3Store: new () => Stores['s3Store'] }>('s3/s3Store.js'),
    part<{ PersistenceManager: new (folder: string) => Persistence }>('persistence.js'),
  ]);
  const sqsStore = new SqsStore();
  const s3Store = new S3Store();
  const snsStore = new SnsStore();
  let persistence: Persistence | undefined;
  if (dataFolder !== undefined) {
    try {
      makePrivate(join(dataFolder, 'fauxqs.db'));
      persistence = new PersistenceManager(dataFolder);
      // The data survive any end of the process; writing each message to disk at once would cost milliseconds.
      persistence.db.exec('PRAGMA synchronous = NORMAL');
      persistence.load(sqsStore, snsStore, s3Store);
    } catch (error) {
      throw damaged(dataFolder, error);
    }
    Object.assign(sqsStore, { persistence });
    Object.assign(s3Store, { persistence });
    for (const queue of sqsStore.allQueues()) Object.assign(queue, { persistence });
  }
  for (const queue of queues) makeQueue(sqsStore, queue);
  for (const queue of sqsStore.allQueues()) pollOnlyWhenNeeded(queue);
  for (const bucket of buckets) s3Store.createBucket(bucketNameOf(bucket));
  // Messages that were received before this start have no worker any more, so they become visible at once.
  for (const queue of sqsStore.allQueues()) advance(queue, 0, () => false, 0);
  const app = buildApp({ logger: false, stores: { sqsStore, snsStore, s3Store } });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const all = () => queues.map(({ name }) => sqsStore.getQueueByName(name)).filter((queue) => queue !== undefined);
  return {
    sqs: { url, service: 'AmazonSQS', version: '1.0' },
    urlOf: (name, origin) => `${origin}/${account}/${name}`,
    pending: (hasFailed) => {
      const hidden = all().flatMap((queue) => [...queue.inflightMessages.keys()]);
      const failed = hidden.filter(hasFailed).length;
      return {
        ready: sum(all(), (queue) => queue.messages.length),
        held: hidden.length - failed,
        failed,
        delayed: sum(all(), (queue) => queue.delayedMessages.length),
      };
    },
    exists: (receiptHandle) => all().some((queue) => queue.inflightMessages.has(receiptHandle)),
    advance: (milliseconds, isInFlight) => all().forEach((queue) => advance(queue, milliseconds, isInFlight)),
    reset: () => {
      sqsStore.clearMessages();
      for (const { name } of s3Store.listBuckets()) s3Store.emptyBucket(name);
    },
    close: async () => {
      sqsStore.shutdown();
      await app.close();
      persistence?.close();
    },
  };
}

const sum = (queues: readonly SqsQueue[], size: (queue: SqsQueue) => number): number =>
  queues.reduce((total, queue) => total + size(queue), 0);

const part = <T>(path: string): Promise<T> => import(new URL(path, import.meta.resolve('fauxqs')).href) as Promise<T>;

/** The local name of a bucket. */
export const bucketNameOf = ({ name }: Pick<Bucket, 'name'>): string => `gatehouse-local-${name}`;

function makeQueue(store: Stores['sqsStore'], { name, visibilitySeconds, maxReceives }: Queue): void {
  const composeArn = (queue: string) => `arn:aws:sqs:${region}:${account}:${queue}`;
  const dead = `${name}-dead`;
  const wanted = {
    [dead]: { MessageRetentionPeriod: String(DEAD_LETTER_RETENTION_SECONDS) },
    [name]: {
      VisibilityTimeout: String(visibilitySeconds),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: composeArn(dead), maxReceiveCount: maxReceives }),
    },
  };
  for (const [queue, attributes] of Object.entries(wanted)) {
    const known = store.getQueueByName(queue);
    if (known === undefined)
      store.createQueue(queue, `http://local/${account}/${queue}`, composeArn(queue), attributes);
    else known.setAttributes(attributes);
  }
}

/** The intervals in ms at which a waiting queue looks for messages that become visible, and for such messages at all. */
const POLL_MS = 20;
const IDLE_POLL_MS = 500;

/** The members of fauxqs's queue that its package does not export. */
interface Polling {
  pollTimer: NodeJS.Timeout | undefined;
  startPollTimerIfNeeded: () => void;
}

/**
 * fauxqs looks fifty times a second for messages that become visible, in each queue that a worker waits for, which is most of
 * the CPU time of an idle service. A new message wakes its worker without that, and delays are at least a second, so a queue
 * without hidden messages is looked at twice a second.
 */
function pollOnlyWhenNeeded(queue: SqsQueue): void {
  const polling = queue as unknown as Polling;
  const schedule = (): void => {
    const hidden = queue.delayedMessages.length + queue.inflightMessages.size;
    polling.pollTimer = setTimeout(poll, hidden > 0 ? POLL_MS : IDLE_POLL_MS);
  };
  const poll = (): void => {
    queue.processTimers();
    // Without a timer no worker waits any more.
    if (polling.pollTimer !== undefined) schedule();
  };
  polling.startPollTimerIfNeeded = () => {
    if (polling.pollTimer === undefined) schedule();
  };
}

function advance(
  queue: SqsQueue,
  milliseconds: number,
  isInFlight: (receiptHandle: string) => boolean,
  visibleAt?: number,
): void {
  for (const message of queue.delayedMessages) {
    if (message.delayUntil !== undefined) message.delayUntil -= milliseconds;
  }
  for (const [handle, entry] of queue.inflightMessages) {
    if (!isInFlight(handle)) entry.visibilityDeadline = visibleAt ?? entry.visibilityDeadline - milliseconds;
  }
  queue.processTimers();
}
