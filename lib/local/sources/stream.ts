import { setImmediate as nextTurn } from 'node:timers/promises';

import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';

import { RELAYED_ROWS } from '../../../functions/kernel/events/relayed.ts';
import { account, region } from '../aws-json.ts';
import { Abandoned } from '../invocations.ts';
import type { StreamReader, StreamRecord } from '../table/stream-reader.ts';
import { Alarm, type Source } from './source.ts';

/** The batch size of the stack's event source mapping. */
const BATCH = 100;
/** Time in ms between reads of an idle stream; a write through the proxy causes a read at once. */
const IDLE_MS = 1_000;
const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;

/** The options of a stream source. */
export interface StreamSourceOptions {
  /** Opens the reader; called again after a reset. */
  open: () => Promise<StreamReader>;
  invoke: (event: DynamoDBStreamEvent) => Promise<unknown>;
  onError: (message: string, error: unknown) => void;
}

/**
 * Delivers inserts of rows for the relay to a function, at least once and in order: the position is stored only after the
 * function succeeded. A failing batch is halved until only the failing record remains, which is retried without limit, as
 * Lambda does while the stream keeps it.
 */
export class StreamSource implements Source {
  readonly #options: StreamSourceOptions;
  readonly #alarm = new Alarm();
  readonly #loop: Promise<void>;
  #reader: StreamReader | undefined;
  #run = 0;
  #isClosed = false;
  /** A function that is called when the records that a reset skips were read; undefined if there is nothing to skip. */
  #skipped: (() => void) | undefined;
  /** Number of wake-up calls, and the number seen by the last read that found no records. */
  #calls = 1;
  #heard = 0;

  constructor(options: StreamSourceOptions) {
    this.#options = options;
    this.#loop = this.#work();
  }

  isIdle(): boolean {
    return this.#heard === this.#calls;
  }

  wake(): void {
    this.#calls += 1;
    this.#alarm.ring();
  }

  /** Skips all records that were written until now, which the engine keeps when their table is recreated. */
  skipUnread(): Promise<void> {
    this.#run += 1;
    this.wake();
    return new Promise((resolve) => (this.#skipped = resolve));
  }

  reset(): void {
    this.#reader = undefined;
    this.#run += 1;
    this.wake();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#alarm.ring();
    await this.#loop;
  }

  async #work(): Promise<void> {
    let failures = 0;
    while (!this.#isClosed) {
      const run = this.#run;
      const calls = this.#calls;
      try {
        const isEmpty = await this.#step(run);
        failures = 0;
        if (!isEmpty) continue;
        this.#heard = calls;
        if (this.isIdle()) await this.#alarm.sleep(IDLE_MS);
      } catch (error) {
        // The reader may belong to an engine that a reset has replaced.
        this.#reader = undefined;
        if (this.#isClosed || error instanceof Abandoned || run !== this.#run) {
          // An engine in memory responds without a turn of the event loop, which the end of a reset needs.
          await nextTurn();
          continue;
        }
        this.#options.onError('the stream is tried again', error);
        failures += 1;
        await this.#alarm.sleep(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(10, failures)));
      }
    }
  }

  /** Processes one batch of the stream. @returns true if no batch was left */
  async #step(run: number): Promise<boolean> {
    const reader = (this.#reader ??= await this.#options.open());
    if (this.#skipped !== undefined) {
      await reader.skipUnread();
      this.#skipped();
      this.#skipped = undefined;
    }
    const { shard, records } = await reader.next(BATCH);
    if (run !== this.#run) return false;
    const last = records.at(-1);
    if (last === undefined) return true;
    const wanted = records.filter(isRelayed);
    const failed = wanted.length === 0 ? undefined : await this.#hand(wanted);
    if (run !== this.#run) return false;
    const passed = failed === undefined ? last : records[records.indexOf(failed) - 1];
    if (passed !== undefined) reader.pass(shard, passed.dynamodb.SequenceNumber);
    if (failed !== undefined) throw new Error(`Record ${failed.dynamodb.SequenceNumber} failed`);
    return false;
  }

  /** Delivers records. @returns the first that failed */
  async #hand(records: StreamRecord[]): Promise<StreamRecord | undefined> {
    try {
      const response = (await this.#options.invoke({ Records: records.map(asLambda) })) as
        | DynamoDBBatchResponse
        | undefined;
      const failed = new Set(response?.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
      return records.find(({ dynamodb }) => failed.has(dynamodb.SequenceNumber));
    } catch (error) {
      if (error instanceof Abandoned || records.length === 1) {
        if (!(error instanceof Abandoned)) this.#options.onError('a record of the stream failed', error);
        else throw error;
        return records[0];
      }
      const middle = Math.ceil(records.length / 2);
      return (await this.#hand(records.slice(0, middle))) ?? (await this.#hand(records.slice(middle)));
    }
  }
}

/** The filter of the event source mapping of a deployment: inserts of rows for the relay. */
const isRelayed = ({ eventName, dynamodb }: StreamRecord): boolean =>
  eventName === 'INSERT' && RELAYED_ROWS.includes(dynamodb.NewImage?.__edb_e__?.S ?? '');

const asLambda = (record: StreamRecord): StreamRecord => ({
  ...record,
  awsRegion: region,
  eventSourceARN: `arn:aws:dynamodb:${region}:${account}:table/records/stream/local`,
});
