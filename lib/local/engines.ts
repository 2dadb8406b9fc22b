import type { InboundQueueName } from '../../functions/kernel/area.ts';
import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { messageText } from '../../functions/kernel/queues.ts';
import type { Topology } from '../topology/model.ts';
import { callAws } from './aws-call.ts';
import { type EventBus, startBus } from './bus/server.ts';
import { type DataFolder, damaged } from './data-folder.ts';
import { type Keys, startKeys } from './keys/server.ts';
import type { Deliver } from './bus/deliverer.ts';
import type { Outbox } from './messages/outbox.ts';
import { startMailCapture, startSmsCapture } from './messages/server.ts';
import { bucketNameOf, startQueues, type Queues } from './queues.ts';
import { BUS_NAME, busRules } from './sources/rules.ts';
import type { TableEngine } from './table/engine.ts';
import { type EmptiedStream, openTables } from './table/store.ts';

/** The options of the engines. */
export interface EnginesOptions {
  folder: DataFolder;
  topology: Topology;
  /** The local clock, in milliseconds since the epoch. */
  now: () => number;
  /** Receives the bus's deliveries. */
  deliver: Deliver;
  outbox: Outbox;
  /** The address of the developer's own DynamoDB; if absent, one is started. */
  foreignTable: string | undefined;
}

/** All local replacements of AWS services. */
export interface Engines {
  /** The table engine. */
  table: () => TableEngine;
  queues: Queues;
  bus: EventBus;
  keys: Keys;
  /** The address of each engine, to which the proxies forward. */
  addresses: Readonly<Record<'table' | 'keys' | 'bus' | 'queues' | 'blobs' | 'mail' | 'sms', () => string>>;
  /** The environment variables that point functions to the engines. */
  variables: (queueOrigin: string) => Record<string, string>;
  /** Delivers a report of SES about a mail. */
  report: (event: object) => Promise<unknown>;
  /** Empties all of them. */
  reset: () => Promise<EmptiedStream>;
  close: () => Promise<void>;
}

const FEEDBACK: InboundQueueName = 'mail-feedback';
const KEY_ALIAS = 'alias/gatehouse-local';

/** Starts the engines on the data folder, or in memory. @throws StartError */
export async function startEngines(options: EnginesOptions): Promise<Engines> {
  const { folder, topology, now, deliver, outbox, foreignTable: foreign } = options;
  const started: { close: () => Promise<unknown> }[] = [];
  const keep = async <T extends { close: () => Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
    const one = await starting;
    started.push(one);
    return one;
  };
  const dataFolder = folder.path;
  const readable = <T>(starting: Promise<T>): Promise<T> =>
    starting.catch((error: unknown) => {
      throw error instanceof Error && error.name === 'StartError' ? error : damaged(dataFolder, error);
    });
  const close = async (): Promise<void> => {
    await awaitAll(started.map((one) => one.close()));
    // The deliveries of the others may still call the tables.
    await (await opening.catch(() => undefined))?.close();
  };
  const opening = readable(openTables({ tables: topology.tables, folder: dataFolder, foreign }));
  try {
    // All engines start in parallel, since most have a port of their own. After a failure the others are awaited,
    // so that all can be closed.
    const outcomes = await Promise.allSettled([
      opening,
      keep(readable(startQueues(dataFolder, topology.queues, topology.buckets))),
      keep(readable(startBus({ name: BUS_NAME, rules: busRules(topology), dataFolder, now, deliver }))),
      keep(readable(startKeys({ dataFolder, now }))),
      keep(startMailCapture(outbox)),
      keep(startSmsCapture(outbox)),
    ]);
    const failed = outcomes.find(({ status }) => status === 'rejected');
    if (failed !== undefined) throw (failed as PromiseRejectedResult).reason;
    const [tables, queues, bus, keys, mail, sms] = outcomes.map(
      (outcome) => (outcome as PromiseFulfilledResult<unknown>).value,
    ) as [
      Awaited<ReturnType<typeof openTables>>,
      Queues,
      EventBus,
      Keys,
      Awaited<ReturnType<typeof startMailCapture>>,
      Awaited<ReturnType<typeof startSmsCapture>>,
    ];
    const report = (event: object): Promise<unknown> =>
      callAws(queues.sqs, 'SendMessage', {
        QueueUrl: queues.urlOf(FEEDBACK, queues.sqs.url),
        MessageBody: messageText(event),
      });
    const [key, signing] = await awaitAll([
      keys.ensureKey({ alias: KEY_ALIAS }),
      awaitAll(topology.signingKeys.map(({ name, spec }) => keys.ensureKey({ alias: `${KEY_ALIAS}-${name}`, spec }))),
    ]);
    return {
      table: () => tables.engine,
      queues,
      bus,
      keys,
      addresses: {
        table: () => tables.engine.url,
        keys: () => keys.url,
        bus: () => bus.url,
        queues: () => queues.sqs.url,
        blobs: () => queues.sqs.url,
        mail: () => mail.url,
        sms: () => sms.url,
      },
      variables: (queueOrigin) => ({
        ...tables.variables,
        GATEHOUSE_BUS: BUS_NAME,
        GATEHOUSE_KMS_KEY: key.arn,
        ...Object.fromEntries(topology.signingKeys.map(({ variable }, at) => [variable, signing[at]?.arn ?? ''])),
        ...Object.fromEntries(topology.buckets.map((bucket) => [bucket.variable, bucketNameOf(bucket)])),
        ...Object.fromEntries(
          topology.queues.flatMap(({ name, variable }) =>
            variable === undefined ? [] : [[variable, queues.urlOf(name, queueOrigin)]],
          ),
        ),
      }),
      report,
      reset: async () => {
        queues.reset();
        bus.reset();
        keys.reset();
        outbox.clear();
        return tables.reset();
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
