import type { Table } from '../../topology/model.ts';
import { callAws } from '../aws-call.ts';
import { Alarm } from '../sources/source.ts';
import type { TableEngine } from './engine.ts';
import { StreamReader, type StreamRecord } from './stream-reader.ts';
import { dropTable, type Item, makeTable, scan, tableNameOf } from './tables.ts';

/** Maximum writes of a BatchWriteItem. */
const BATCH = 25;
const READ = 1_000;
const POLL_MS = 5;

/**
 * A copy of a table that lags behind it. Queries over an index read it, so that lists lag as DynamoDB's global indexes may;
 * the local engine's indexes never do.
 */
export class LaggingLists {
  readonly #engine: TableEngine;
  readonly #table: Table;
  readonly #lagMs: number;
  readonly #alarm = new Alarm();
  readonly #name: string;
  #isClosed = false;
  /** Number of writes to the table, and of those that the copy has. */
  #writes = 0;
  #copied = 0;
  #following: Promise<void> = Promise.resolve();

  private constructor(engine: TableEngine, table: Table, lagMs: number) {
    this.#engine = engine;
    this.#table = table;
    this.#lagMs = lagMs;
    this.#name = `${tableNameOf(table)}-lists`;
  }

  /**
   * Copies the table and then applies its changes to the copy.
   * @param lagMs maximum lag of a write in the copy
   */
  static async start(engine: TableEngine, table: Table, lagMs: number): Promise<LaggingLists> {
    const lists = new LaggingLists(engine, table, lagMs);
    const positions = new Map<string, string>();
    const reader = await StreamReader.open(engine, tableNameOf(table), {
      get: (shard) => positions.get(shard),
      set: (shard, sequence) => positions.set(shard, sequence),
    });
    await reader.skipToEnd();
    await dropTable(engine, lists.#name);
    await makeTable(engine, lists.#name, table, false);
    for await (const items of scan(engine, tableNameOf(table))) await lists.#put(items);
    lists.#following = lists.#follow(reader);
    return lists;
  }

  /** Counts a write to the table. */
  wake(): void {
    this.#writes += 1;
    this.#alarm.ring();
  }

  get isCaughtUp(): boolean {
    return this.#copied === this.#writes;
  }

  /** Resolves when the copy has all writes before the call, or is closed. */
  async caughtUp(): Promise<void> {
    const wanted = this.#writes;
    while (this.#copied < wanted && !this.#isClosed) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }

  /** Redirects a query over an index of the table to the copy. */
  rewrite(operation: string, body: Buffer): Buffer {
    if (operation !== 'Query' || !body.includes('"IndexName"')) return body;
    const query = JSON.parse(body.toString('utf8')) as { TableName: string };
    if (query.TableName !== tableNameOf(this.#table)) return body;
    return Buffer.from(JSON.stringify({ ...query, TableName: this.#name }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#alarm.ring();
    await this.#following;
  }

  async #follow(reader: StreamReader): Promise<void> {
    while (!this.#isClosed) {
      if (this.isCaughtUp) await this.#alarm.sleep(1_000);
      if (this.#isClosed) return;
      await new Promise((resolve) => setTimeout(resolve, this.#lagMs));
      const writes = this.#writes;
      try {
        await this.#catchUp(reader);
        this.#copied = writes;
      } catch {
        // The engine is unavailable for a moment, or was replaced, and then this copy is closed.
      }
    }
  }

  async #catchUp(reader: StreamReader): Promise<void> {
    for (;;) {
      const { shard, records } = await reader.next(READ);
      const last = records.at(-1);
      if (last === undefined) return;
      const newest = new Map<string, StreamRecord>();
      for (const record of records) newest.set(makeKey(record), record);
      const images = [...newest.values()];
      await this.#put(images.flatMap(({ dynamodb }) => (dynamodb.NewImage ? [dynamodb.NewImage as Item] : [])));
      await this.#write(
        images
          .filter(({ eventName }) => eventName === 'REMOVE')
          .map(({ dynamodb }) => ({ DeleteRequest: { Key: dynamodb.Keys } })),
      );
      reader.pass(shard, last.dynamodb.SequenceNumber);
    }
  }

  #put(items: readonly Item[]): Promise<void> {
    return this.#write(items.map((Item) => ({ PutRequest: { Item } })));
  }

  async #write(requests: readonly object[]): Promise<void> {
    for (let at = 0; at < requests.length; at += BATCH) {
      const RequestItems = { [this.#name]: requests.slice(at, at + BATCH) };
      await callAws(this.#engine, 'BatchWriteItem', { RequestItems });
    }
  }
}

/** A record's key as one text: the engine writes the members of an object in any order. */
function makeKey({ dynamodb: { Keys = {} } }: StreamRecord): string {
  return JSON.stringify(Object.entries(Keys).sort(([one], [other]) => (one < other ? -1 : 1)));
}
