import { type Database, quoteName, type SqlValue, type Statement } from '../database.ts';
import type { Definition, KeyNames } from './definition.ts';
import type { Item } from './values.ts';

/** A stored item with its key and its size in bytes. It is never changed: a write replaces it. */
export interface Row {
  readonly item: Item;
  readonly size: number;
  readonly pk: string;
  readonly sk: string;
}

/** A part of a partition: the values of its sort key, in the order of their bytes. */
export interface Range {
  hash: string;
  from?: { text: string; isIncluded: boolean };
  to?: { text: string; isIncluded: boolean };
}

/** A place in the order of the table or an index, which need not exist: a row comes before or after it. */
export interface Place {
  sort: string;
  pk: string;
  sk: string;
}

/** The parts of a query that change its statement. */
interface Shape {
  low: string | undefined;
  high: string | undefined;
  isAfter: boolean;
  isForward: boolean;
}

/** Maximum bytes of the rows that are kept as objects, by their sizes; objects take some five times as much memory. */
const CACHE_BYTES = 32 * 1_024 * 1_024;
/** Rows whose keys one statement reads. */
const CHUNK = 128;

/** The column with the value of a key's attribute. */
const column = (attribute: string): string => quoteName(`key:${attribute}`);

/** Rows by their keys, those that were used last; two generations, of which the older one is dropped when the newer one is full. */
class Cache {
  #young = new Map<string, Row>();
  #old = new Map<string, Row>();
  #bytes = 0;

  get(key: string): Row | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, row: Row): void {
    this.#young.set(key, row);
    this.#bytes += row.size;
    if (this.#bytes < CACHE_BYTES / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#bytes = 0;
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young.clear();
    this.#old.clear();
    this.#bytes = 0;
  }
}

const cacheKey = (pk: string, sk: string): string => `${pk.length} ${pk}${sk}`;

/**
 * The rows of one table in SQLite: one SQL table, with a column for each attribute of a key, and one SQL index for each index. SQLite
 * compares texts by their UTF-8 bytes, as DynamoDB does. Methods that write are called within a transaction.
 */
export class Rows {
  readonly #database: Database;
  readonly #table: string;
  readonly #name: string;
  readonly #keys: KeyNames;
  /** The columns of the table's key. */
  readonly #pk: string;
  readonly #sk: string;
  readonly #attributes: readonly string[];
  readonly #cache = new Cache();
  readonly #find: Statement;
  readonly #put: Statement;
  readonly #remove: Statement;
  readonly #scan: Statement;
  readonly #expired: Statement;
  /** The statements of queries by their shapes. */
  readonly #queries = new Map<string, Statement>();
  #ttl: string | undefined;

  constructor(database: Database, { name, keys, indexes, ttl }: Definition) {
    this.#database = database;
    this.#name = name;
    this.#table = quoteName(name);
    this.#keys = keys;
    this.#pk = column(keys.hash);
    this.#sk = column(keys.range);
    this.#ttl = ttl;
    const names = [keys, ...indexes.map((index) => index.keys)].flatMap(({ hash, range }) => [hash, range]);
    this.#attributes = [...new Set(names)];
    const [table, pk, sk] = [this.#table, this.#pk, this.#sk];
    const columns = this.#attributes.map(column);
    database.exec(`
      CREATE TABLE IF NOT EXISTS ${table} (
        id INTEGER PRIMARY KEY, item TEXT NOT NULL, size INTEGER NOT NULL, expires INTEGER,
        ${columns.map((each) => `${each} TEXT`).join(', ')}
      ) STRICT;
      CREATE UNIQUE INDEX IF NOT EXISTS ${this.#quoteIndex(undefined)} ON ${table} (${pk}, ${sk});
      CREATE INDEX IF NOT EXISTS ${quoteName(`${name}:expires`)} ON ${table} (expires) WHERE expires IS NOT NULL;
    `);
    for (const index of indexes) {
      const [hash, range] = [column(index.keys.hash), column(index.keys.range)];
      // The keys of the rows are a part of the index: they give equal sort keys an order, and a query reads no other rows for them.
      database.exec(`
        CREATE INDEX IF NOT EXISTS ${this.#quoteIndex(index.name)} ON ${table} (${hash}, ${range}, ${pk}, ${sk})
        WHERE ${hash} IS NOT NULL AND ${range} IS NOT NULL
      `);
    }
    const all = ['item', 'size', 'expires', ...columns];
    const changed = all.filter((each) => each !== pk && each !== sk).map((each) => `${each} = excluded.${each}`);
    this.#find = database.prepare(`SELECT item, size FROM ${table} WHERE ${pk} = ? AND ${sk} = ?`);
    this.#remove = database.prepare(`DELETE FROM ${table} WHERE ${pk} = ? AND ${sk} = ?`);
    this.#scan = this.#prepareKeys(`WHERE (${pk}, ${sk}) > (?, ?) ORDER BY ${pk}, ${sk} LIMIT ?`);
    this.#expired = this.#prepareKeys('WHERE expires <= ? ORDER BY expires LIMIT ?');
    this.#put = database.prepare(
      `INSERT INTO ${table} (${all.join(', ')}) VALUES (${all.map(() => '?').join(', ')})
       ON CONFLICT (${pk}, ${sk}) DO UPDATE SET ${changed.join(', ')}`,
    );
  }

  #quoteIndex(name: string | undefined): string {
    return quoteName(name === undefined ? `${this.#name}:key` : `${this.#name}:index:${name}`);
  }

  find(pk: string, sk: string): Row | undefined {
    const key = cacheKey(pk, sk);
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const found = this.#find.get(pk, sk) as { item: string; size: number } | undefined;
    if (found === undefined) return undefined;
    const row = { item: JSON.parse(found.item) as Item, size: found.size, pk, sk };
    this.#cache.set(key, row);
    return row;
  }

  /** Stores a row, in the place of the one with its key if there is one. @param json the item */
  put(row: Row, json: string): void {
    const ttl = this.#ttl;
    const expires = ttl === undefined || !Object.hasOwn(row.item, ttl) ? null : readSeconds(row.item[ttl]?.N);
    this.#put.run(json, row.size, expires, ...this.#attributes.map((name) => readText(row.item, name)));
    this.#cache.set(cacheKey(row.pk, row.sk), row);
  }

  remove({ pk, sk }: Row): void {
    this.#remove.run(pk, sk);
    this.#cache.delete(cacheKey(pk, sk));
  }

  /**
   * Reads the rows of a part of a partition in their order.
   * @param index the index; the table itself if absent
   * @param start the place after which the first row is
   */
  *query(
    index: { name: string; keys: KeyNames } | undefined,
    { hash, from, to }: Range,
    isForward: boolean,
    start: Place | undefined,
    limit: number,
  ): Generator<Row> {
    const { range } = index?.keys ?? this.#keys;
    for (let after = start; ;) {
      // A place is within the range and replaces one of its bounds, so that the statement searches for the place.
      const [low, high] = [
        after !== undefined && isForward ? undefined : from,
        after !== undefined && !isForward ? undefined : to,
      ];
      const statement = this.#prepareQuery(index, {
        low: low && (low.isIncluded ? '>=' : '>'),
        high: high && (high.isIncluded ? '<=' : '<'),
        isAfter: after !== undefined,
        isForward,
      });
      const values: SqlValue[] = [hash];
      if (low !== undefined) values.push(low.text);
      if (high !== undefined) values.push(high.text);
      if (after !== undefined) values.push(...(index === undefined ? [after.sk] : [after.sort, after.pk, after.sk]));
      const size = Math.min(limit, CHUNK);
      const found = readKeys(statement, [...values, size]);
      let last: Row | undefined;
      for (const [pk, sk] of found) {
        last = this.find(pk, sk) as Row;
        yield last;
      }
      if (last === undefined || found.length < size) return;
      after = { sort: last.item[range]?.S as string, pk: last.pk, sk: last.sk };
    }
  }

  #prepareQuery(
    index: { name: string; keys: KeyNames } | undefined,
    { low, high, isAfter, isForward }: Shape,
  ): Statement {
    const name = `${low} ${high} ${isAfter} ${isForward} ${index?.name}`;
    const known = this.#queries.get(name);
    if (known !== undefined) return known;
    const { hash, range } = index?.keys ?? this.#keys;
    const sort = column(range);
    const order = index === undefined ? [this.#sk] : [sort, this.#pk, this.#sk];
    const conditions = [
      `${column(hash)} = ?`,
      `${sort} IS NOT NULL`,
      ...(low === undefined ? [] : [`${sort} ${low} ?`]),
      ...(high === undefined ? [] : [`${sort} ${high} ?`]),
      ...(isAfter ? [`(${order.join(', ')}) ${isForward ? '>' : '<'} (${order.map(() => '?').join(', ')})`] : []),
    ];
    const statement = this.#prepareKeys(
      `INDEXED BY ${this.#quoteIndex(index?.name)} WHERE ${conditions.join(' AND ')}
       ORDER BY ${order.map((each) => `${each} ${isForward ? 'ASC' : 'DESC'}`).join(', ')} LIMIT ?`,
    );
    this.#queries.set(name, statement);
    return statement;
  }

  /** Prepares a statement that selects the keys of rows. @param clauses what follows the name of the table */
  #prepareKeys(clauses: string): Statement {
    const statement = this.#database.prepare(`SELECT ${this.#pk}, ${this.#sk} FROM ${this.#table} ${clauses}`);
    statement.setReturnArrays(true);
    return statement;
  }

  /** Reads all rows of the table in the order of their keys. @param start the place after which the first row is */
  *scan(start: Place | undefined): Generator<Row> {
    let after: readonly [string, string] = start === undefined ? ['', ''] : [start.pk, start.sk];
    for (;;) {
      const found = readKeys(this.#scan, [...after, CHUNK]);
      for (const [pk, sk] of found) yield this.find(pk, sk) as Row;
      const last = found.at(-1);
      if (last === undefined || found.length < CHUNK) return;
      after = last;
    }
  }

  /** The rows that expired at a time or before, at most as many as one transaction should remove. @param seconds since the epoch */
  expired(seconds: number): Row[] {
    const found = readKeys(this.#expired, [seconds, CHUNK]);
    return found.map(([pk, sk]) => this.find(pk, sk) as Row);
  }

  /** Reads the times at which the rows expire from another attribute; none if absent. */
  expireBy(attribute: string | undefined): void {
    this.#ttl = attribute;
    const update = this.#database.prepare(
      `UPDATE ${this.#table} SET expires = (SELECT CAST(value ->> 'N' AS INTEGER) FROM json_each(item) WHERE key = ?)`,
    );
    update.run(attribute ?? null);
  }

  /** Forgets the rows that are kept as objects, after a transaction failed. */
  forget(): void {
    this.#cache.clear();
  }

  clear(): void {
    this.#cache.clear();
    this.#database.exec(`DELETE FROM ${this.#table}`);
  }

  drop(): void {
    this.#cache.clear();
    this.#database.exec(`DROP TABLE ${this.#table}`);
  }
}

const readKeys = (statement: Statement, values: readonly SqlValue[]): [pk: string, sk: string][] =>
  statement.all(...values) as unknown as [string, string][];

function readText(item: Item, name: string): string | null {
  const text = Object.hasOwn(item, name) ? item[name]?.S : undefined;
  return typeof text === 'string' ? text : null;
}

function readSeconds(text: unknown): number | null {
  const seconds = Math.floor(Number(text));
  return typeof text === 'string' && Number.isSafeInteger(seconds) ? seconds : null;
}
