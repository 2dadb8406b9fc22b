import { type Database, quoteName, type Statement } from '../database.ts';
import type { Definition } from './definition.ts';
import { limits } from './limits.ts';
import { invalid, type Item, TableError } from './values.ts';

/** The one shard of every stream. */
export const SHARD = 'shardId-00000000000000000000-00000000';
const DIGITS = 21;
/** Records that are kept without a file, whose memory they would fill; readers follow at once. */
const KEPT_IN_MEMORY = 100_000;

/** Records that are kept as objects, so that a reader that follows at once reads and parses nothing. */
const RECENT = 500;

/** The images of a row before and after a change; undefined if there was or is none. */
export interface Images {
  old: Item | undefined;
  new: Item | undefined;
}

/** A change of a row; without an image it is the mark that {@link Stream.clear} leaves. */
interface Change extends Images {
  sequence: number;
  at: number;
  isExpiry: boolean;
}

/**
 * The records of a table's stream in SQLite, with the images of the row before and after each change. The last one is always kept,
 * so that sequence numbers increase.
 */
export class Stream {
  readonly #database: Database;
  readonly #definition: Definition;
  readonly #table: string;
  readonly #insert: Statement;
  readonly #read: Statement;
  readonly #trim: Statement;
  readonly #clear: Statement;
  readonly #newest: Statement;
  readonly #isInFile: boolean;
  #last = 0;
  /** The last changes, without a gap. */
  #recent: Change[] = [];

  constructor(database: Database, definition: Definition, isInFile: boolean) {
    this.#database = database;
    this.#definition = definition;
    this.#isInFile = isInFile;
    const table = (this.#table = quoteName(`${definition.name}:stream`));
    database.exec(`
      CREATE TABLE IF NOT EXISTS ${table} (
        sequence INTEGER PRIMARY KEY, at INTEGER NOT NULL, old TEXT, new TEXT, expired INTEGER NOT NULL
      ) STRICT;
    `);
    this.#insert = database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?, ?)`);
    this.#read = database.prepare(`SELECT * FROM ${table} WHERE sequence >= ? ORDER BY sequence LIMIT ?`);
    // The search for the first record to keep reads only those that are removed.
    this.#trim = database.prepare(`
      DELETE FROM ${table} WHERE sequence < MIN(
        (SELECT MAX(sequence) FROM ${table}),
        MAX(?, COALESCE((SELECT sequence FROM ${table} WHERE at > ? ORDER BY sequence LIMIT 1), 9e18))
      )
    `);
    this.#clear = database.prepare(`DELETE FROM ${table}`);
    this.#newest = database.prepare(`SELECT MAX(sequence) AS last FROM ${table}`);
    this.forget();
  }

  /** Adds a change, within the transaction that makes it. @param json the new image, if there is one */
  add(images: Images, json: string | null, isExpiry: boolean): void {
    const change = { sequence: this.#last + 1, at: Date.now(), ...images, isExpiry };
    const old = images.old === undefined ? null : JSON.stringify(images.old);
    this.#insert.run(change.sequence, change.at, old, json, isExpiry ? 1 : 0);
    this.#last = change.sequence;
    this.#recent.push(change);
    if (this.#recent.length >= 2 * RECENT) this.#recent = this.#recent.slice(-RECENT);
  }

  /** Removes all records; iterators continue with those that follow. */
  clear(): void {
    this.#clear.run();
    this.#recent = [];
    this.add({ old: undefined, new: undefined }, null, false);
  }

  drop(): void {
    this.#database.exec(`DROP TABLE ${this.#table}`);
  }

  /** Removes records that are older than a day. */
  trim(): void {
    const first = this.#isInFile ? 0 : this.#last - KEPT_IN_MEMORY;
    this.#trim.run(first, Date.now() - limits.streamMs);
  }

  /** Reads the last number again, after a transaction failed. */
  forget(): void {
    this.#last = Number(this.#newest.get()?.last ?? 0);
    this.#recent = [];
  }

  /** The iterator at a place. @throws TableError */
  iterator(type: string, sequence: string | undefined): string {
    if (type === 'LATEST') return String(this.#last + 1);
    if (type === 'TRIM_HORIZON') return '0';
    if (sequence !== undefined && type === 'AT_SEQUENCE_NUMBER') return String(Number(sequence));
    if (sequence !== undefined && type === 'AFTER_SEQUENCE_NUMBER') return String(Number(sequence) + 1);
    throw invalid(`The iterator type ${type} is not served`);
  }

  /** At most `limit` records from an iterator on, and the iterator after them. */
  read(iterator: string, limit: number): { Records: object[]; NextShardIterator: string } {
    const from = Number(iterator);
    if (!Number.isSafeInteger(from)) throw new TableError('ValidationException', 'Invalid ShardIterator');
    const changes = this.#readChanges(from, limit);
    return {
      Records: changes.flatMap((change) => this.#present(change)),
      NextShardIterator: String((changes.at(-1)?.sequence ?? from - 1) + 1),
    };
  }

  #readChanges(from: number, limit: number): Change[] {
    if (from > this.#last) return [];
    const [first] = this.#recent;
    if (first !== undefined && from >= first.sequence) {
      return this.#recent.slice(from - first.sequence, from - first.sequence + limit);
    }
    const parse = (json: unknown): Item | undefined =>
      typeof json === 'string' ? (JSON.parse(json) as Item) : undefined;
    return this.#read.all(from, limit).map((stored) => ({
      sequence: Number(stored.sequence),
      at: Number(stored.at),
      old: parse(stored.old),
      new: parse(stored.new),
      isExpiry: stored.expired === 1,
    }));
  }

  /** The record of a change; none for a mark. */
  #present({ sequence, at, old, new: current, isExpiry }: Change): object[] {
    const { keys, stream: view = 'KEYS_ONLY' } = this.#definition;
    const image = current ?? old;
    if (image === undefined) return [];
    const SequenceNumber = String(sequence).padStart(DIGITS, '0');
    const record = {
      eventID: SequenceNumber,
      eventName: old === undefined ? 'INSERT' : current === undefined ? 'REMOVE' : 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(at / 1_000),
        Keys: { [keys.hash]: image[keys.hash], [keys.range]: image[keys.range] },
        ...(current && view.startsWith('NEW') && { NewImage: current }),
        ...(old && view.includes('OLD') && { OldImage: old }),
        SequenceNumber,
        StreamViewType: view,
      },
      ...(isExpiry && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
    };
    return [record];
  }
}
