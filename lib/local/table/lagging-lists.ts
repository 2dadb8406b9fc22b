import { setImmediate as nextTurn } from 'node:timers/promises';

import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import type { Table } from '../../topology/model.ts';
import { Alarm } from '../sources/source.ts';
import type { TableEngine } from './engine.ts';
import { StreamReader, type StreamRecord } from './stream-reader.ts';
import { dropTable, type Item, makeTable, putItems, scan, tableNameOf, writeBatches } from './tables.ts';

const READ = 1_000;
const POLL_MS = 5;

/**
 * A copy of a table that lags behind it. Queries over an index read it, so that lists lag as DynamoDB's global indexes may;
 * the local engine's indexes never do.
 */
export class LaggingLists {
  readonly #engine: TableEngine;
  readonly #table: Table;
  readonly #reader: StreamReader;
  readonly #lagMs: number;
  readonly #alarm = new Alarm();
  /** The wait that makes the copy lag, which `hurry` ends. */
  #lag = new Alarm();
  readonly #name: string;
  #isClosed = false;
  /** Number of writes to the table, and of those that the copy has. */
  #writes = 0;
  #copied = 0;
  #following: Promise<void> = Promise.resolve();

  private constructor(engine: TableEngine, table: Table, reader: StreamReader, lagMs: number) {
    this.#engine = engine;
    this.#table = table;
    this.#reader = reader;
    this.#lagMs = lagMs;
    this.#name = `${tableNameOf(table)}-lists`;
  }

  /**
   * Copies the table and then applies its changes to the copy.
   * @param lagMs maximum lag of a write in the copy
   */
  static async start(engine: TableEngine, table: Table, lagMs: number): Promise<LaggingLists> {
    const positions = new Map<string, string>();
    const reader = await StreamReader.open(engine, tableNameOf(table), {
      get: (shard) => positions.get(shard),
      set: (shard, sequence) => positions.set(shard, sequence),
    });
    const lists = new LaggingLists(engine, table, reader, lagMs);
    await lists.#begin();
    for await (const items of scan(engine, tableNameOf(table))) await lists.#put(items);
    lists.#following = lists.#follow();
    return lists;
  }

  /**
   * Starts again after {@link close}, in the engine whose table was emptied in the meantime.
   * @param items the rows that the table has now
   */
  async restart(items: readonly Item[]): Promise<void> {
    this.#writes = this.#copied = 0;
    this.#lag = new Alarm();
    this.#isClosed = false;
    await this.#begin();
    await this.#put(items);
    this.#following = this.#follow();
  }

  /** Reports whether the copy is in this engine and lags by this time. */
  isOf(engine: TableEngine, lagMs: number | undefined): boolean {
    return this.#engine === engine && this.#lagMs === lagMs;
  }

  async #begin(): Promise<void> {
    const remake = async (): Promise<void> => {
      await dropTable(this.#engine, this.#name);
      await makeTable(this.#engine, this.#name, this.#table, false);
    };
    await awaitAll([this.#reader.skipToEnd(), remake()]);
  }

  /** Counts a write to the table. */
  wake(): void {
    this.#writes += 1;
    this.#alarm.ring();
  }

  get isCaughtUp(): boolean {
    return this.#copied === this.#writes;
  }

  /** Ends the current lag, if there is any: later writes lag again. */
  hurry(): void {
    if (!this.isCaughtUp) this.#lag.ring();
  }

  /** Catches up at once. Resolves when the copy has all writes before the call, or is closed. */
  async caughtUp(): Promise<void> {
    const wanted = this.#writes;
    this.hurry();
    while (this.#copied < wanted && !this.#isClosed) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  /** Redirects a query over an index of the table to the copy. */
  rewrite(operation: string, input: { TableName?: string; IndexName?: string }): object {
    const isList = operation === 'Query' && input.IndexName !== undefined;
    return isList && input.TableName === tableNameOf(this.#table) ? { ...input, TableName: this.#name } : input;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#alarm.ring();
    this.#lag.ring();
    await this.#following;
  }

  async #follow(): Promise<void> {
    while (!this.#isClosed) {
      if (this.isCaughtUp) await this.#alarm.sleep(1_000);
      if (this.#isClosed) return;
      await this.#lag.sleep(this.#lagMs);
      if (this.#isClosed) return;
      const writes = this.#writes;
      try {
        await this.#catchUp();
        this.#copied = writes;
        // A call of `hurry` in the meantime was about these writes.
        if (this.isCaughtUp) this.#lag = new Alarm();
      } catch {
        // The engine is unavailable for a moment, or was replaced, and then this copy is closed.
        await nextTurn();
      }
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const { shard, records } = await this.#reader.next(READ);
      const last = records.at(-1);
      if (last === undefined) return;
      const newest = new Map<string, StreamRecord>();
      for (const record of records) newest.set(makeKey(record), record);
      const images = [...newest.values()];
      await this.#put(images.flatMap(({ dynamodb }) => (dynamodb.NewImage ? [dynamodb.NewImage as Item] : [])));
      await writeBatches(
        this.#engine,
        this.#name,
        images
          .filter(({ eventName }) => eventName === 'REMOVE')
          .map(({ dynamodb }) => ({ DeleteRequest: { Key: dynamodb.Keys } })),
      );
      this.#reader.pass(shard, last.dynamodb.SequenceNumber);
    }
  }

  #put(items: readonly Item[]): Promise<void> {
    return putItems(this.#engine, this.#name, items);
  }
}

/** A record's key as one text: the engine writes the members of an object in any order. */
function makeKey({ dynamodb: { Keys = {} } }: StreamRecord): string {
  return JSON.stringify(Object.entries(Keys).sort(([one], [other]) => (one < other ? -1 : 1)));
}
