import { type Database, quoteName, type Statement } from '../database.ts';
import type { Definition } from './definition.ts';
import { limits } from './limits.ts';
import { invalid, type Item, TableError } from './values.ts';

/** The one shard of every stream. */
export const SHARD = 'shardId-00000000000000000000-00000000';
const DIGITS = 21;
/** Records that are kept without a file, whose memory they would fill; readers follow at once. */
const KEPT_IN_MEMORY = 100_000;

/** A change of a row; without an image it is the mark that {@link Stream.clear} leaves. */
interface Change {
  sequence: number;
  at: number;
  old: string | null;
  new: string | null;
  expired: number;
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

  /** Adds a change, within the transaction that makes it. @param images the row as JSON; null if there was or is none */
  add(images: { old: string | null; new: string | null }, isExpiry: boolean): void {
    this.#insert.run(this.#last + 1, Date.now(), images.old, images.new, isExpiry ? 1 : 0);
    this.#last += 1;
  }

  /** Removes all records; iterators continue with those that follow. */
  clear(): void {
    this.#clear.run();
    this.add({ old: null, new: null }, false);
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
    const changes = this.#read.all(from, limit) as unknown as Change[];
    return {
      Records: changes.filter((change) => change.old !== null || change.new !== null).map((change) => this.#present(change)),
      NextShardIterator: String((changes.at(-1)?.sequence ?? from - 1) + 1),
    };
  }

  #present(change: Change): object {
    const { keys, stream: view = 'KEYS_ONLY' } = this.#definition;
    const SequenceNumber = String(change.sequence).padStart(DIGITS, '0');
    const [before, after] = [change.old, change.new].map((json) => (json === null ? undefined : (JSON.parse(json) as Item)));
    const image = (after ?? before) as Item;
    return {
      eventID: SequenceNumber,
      eventName: before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      dynamodb: {
        ApproximateCreationDateTime: Math.floor(change.at / 1_000),
        Keys: { [keys.hash]: image[keys.hash], [keys.range]: image[keys.range] },
        ...(after && view.startsWith('NEW') && { NewImage: after }),
        ...(before && view.includes('OLD') && { OldImage: before }),
        SequenceNumber,
        SizeBytes: (change.old?.length ?? 0) + (change.new?.length ?? 0),
        StreamViewType: view,
      },
      ...(change.expired === 1 && { userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' } }),
    };
  }
}
