import { serveAwsJson } from '../aws-json.ts';
import type { AwsJsonServer, Faults } from '../aws-json.ts';
import { openDatabase } from '../database.ts';
import { Deliverer, deliveryTables } from './deliverer.ts';
import type { DeadLetter, Deliver } from './deliverer.ts';
import { type BusDescription, putEvents } from './put-events.ts';

/** The options of the local bus. */
export interface BusOptions extends BusDescription {
  /** The folder of `bus.sqlite`; in memory if absent. */
  dataFolder?: string | undefined;
  /** Returns the time in epoch milliseconds. */
  now: () => number;
  /** The function that is called for each event and matching rule; see `Deliver`. */
  deliver: Deliver;
  faults?: Faults;
}

/** A running local bus. */
export interface EventBus extends AwsJsonServer {
  /** Starts retries that have become due; call it after the clock was moved. */
  wake(): void;
  /** The number of deliveries that are neither done nor failed, including those that wait for a retry. */
  pending(): number;
  /** Reports whether every delivery is done or failed within `timeoutMs` of real time (default 5,000). */
  idle(timeoutMs?: number): Promise<boolean>;
  /** Failed deliveries (by EventBridge's limits or the target's retry policy), oldest first. */
  deadLetters(): DeadLetter[];
  /** Deletes every delivery and dead letter. */
  reset(): void;
}

const drainMs = 2_000;
const idleMs = 5_000;

/**
 * Starts a bus for one machine: PutEvents of EventBridge's protocol (`AWSEvents`), with the rules of the topology, and
 * deliveries stored in one SQLite file. Deliveries of an earlier run continue at once. Calls are not authenticated, so it
 * only listens on 127.0.0.1.
 */
export async function startBus({ name, rules, dataFolder, now, deliver, faults }: BusOptions): Promise<EventBus> {
  const database = openDatabase(dataFolder, 'bus.sqlite', deliveryTables, 'process');
  const deliverer = new Deliverer(database, now, deliver);
  const operations = { PutEvents: putEvents({ name, rules }, deliverer, now) };
  const server = await serveAwsJson('AWSEvents', operations, faults);
  deliverer.wake();
  return {
    url: server.url,
    run: server.run,
    wake: () => deliverer.wake(),
    pending: () => deliverer.pending(),
    idle: (timeoutMs = idleMs) => deliverer.idle(timeoutMs),
    deadLetters: () => deliverer.deadLetters(),
    reset: () => deliverer.reset(),
    close: async () => {
      await server.close();
      await deliverer.close(drainMs);
      if (database.isOpen) database.close();
    },
  };
}
