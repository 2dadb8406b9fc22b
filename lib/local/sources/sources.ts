import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import type { Topology } from '../../topology/model.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import type { DataFolder } from '../data-folder.ts';
import type { Engines } from '../engines.ts';
import type { PendingMessages } from '../queues.ts';
import { type Positions, StreamReader } from '../table/stream-reader.ts';
import type { EmptiedStream } from '../table/store.ts';
import { tableNameOf } from '../table/tables.ts';
import { QueueSource } from './queue.ts';
import { Schedule } from './schedule.ts';
import type { Source } from './source.ts';
import { StreamSource } from './stream.ts';

/** All event sources except requests and the bus. */
export interface Sources {
  /** Runs after a write to the table. */
  onWrite: () => void;
  /** Runs after the clock was moved. */
  advance: (milliseconds: number) => void;
  /** Runs after the clock was set back, since a schedule waits for the next multiple of its interval. */
  onSetBack: () => void;
  /** Reports whether every stream is read to its end and no schedule or queue has its function running. */
  isIdle: () => boolean;
  pendingMessages: () => PendingMessages;
  /** Discards all work. @param stream the table's stream after the reset */
  reset: (stream: EmptiedStream) => Promise<void>;
  close: () => Promise<void>;
}

/** Starts a source for each function of the topology that needs one. */
export function startSources(
  topology: Topology,
  engines: Engines,
  invokeFunction: (name: string, event: unknown) => Promise<unknown>,
  folder: DataFolder,
  onError: (message: string, error: unknown) => void,
): Sources {
  const streams: StreamSource[] = [];
  const schedules: Source[] = [];
  const queues: QueueSource[] = [];
  const streamed = topology.tables.find(({ stream }) => stream);
  for (const { name, source, concurrency } of topology.functions) {
    const invoke = (event: unknown) => invokeFunction(name, event);
    if (source.kind === 'stream' && streamed !== undefined) {
      const positions = openPositions(folder, name);
      const open = () => StreamReader.open(engines.table(), tableNameOf(streamed), positions);
      streams.push(new StreamSource({ open, invoke, onError }));
    } else if (source.kind === 'queue') {
      const url = engines.queues.urlOf(source.queue, engines.queues.sqs.url);
      const { sqs, exists } = engines.queues;
      queues.push(new QueueSource({ sqs, name: source.queue, url, concurrency, exists, invoke, onError }));
    } else if (source.kind === 'schedule') {
      schedules.push(
        new Schedule({ name, everyMinutes: source.everyMinutes, now: () => clock.now(), invoke, onError }),
      );
    }
  }
  const all: Source[] = [...streams, ...schedules, ...queues];
  return {
    onWrite: () => streams.forEach((stream) => stream.wake()),
    advance: (milliseconds) => {
      engines.queues.advance(milliseconds, (handle) => queues.some((queue) => queue.isProcessing(handle)));
      for (const schedule of schedules) schedule.wake();
    },
    onSetBack: () => schedules.forEach((schedule) => schedule.reset()),
    isIdle: () => all.every((source) => source.isIdle()),
    pendingMessages: () => engines.queues.pending((handle) => queues.some((queue) => queue.hasFailed(handle))),
    reset: async (emptied) => {
      if (emptied === 'other') for (const stream of streams) stream.reset();
      await awaitAll(streams.map((stream) => stream.skipUnread()));
      for (const source of [...schedules, ...queues]) source.reset();
    },
    close: async () => {
      await awaitAll(all.map((source) => source.close()));
    },
  };
}

function openPositions({ database }: DataFolder, reader: string): Positions {
  const get = database.prepare('SELECT sequence FROM checkpoints WHERE reader = ? AND shard = ?');
  const put = database.prepare('INSERT OR REPLACE INTO checkpoints VALUES (?, ?, ?)');
  return {
    get: (shard) => get.get(reader, shard)?.sequence as string | undefined,
    set: (shard, sequence) => void put.run(reader, shard, sequence),
  };
}
