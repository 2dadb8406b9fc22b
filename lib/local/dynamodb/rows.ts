import { type Database, prepareOnce, quoteName, type SqlValue, type Statement } from '../database.ts';
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

/** Maximum bytes of the rows that are kept as objects, by their sizes; objects take some five times as much memory. */
const CACHE_BYTES = 16 * 1_024 * 1_024;
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
    [this.#old, this.#young, this.#bytes] = [this.#young, new Map(), 0];
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
  readonly #attributes: readonly string[];
  readonly #prepare: (sql: string) => Statement;
  readonly #cache = new Cache();
  #ttl: string | undefined;

  constructor(database: Database, { name, keys, indexes, ttl }: Definition) {
    this.#database = database;
    this.#prepare = prepareOnce(database);
    this.#name = name;
    this.#table = quoteName(name);
    this.#keys = keys;
    this.#ttl = ttl;
    this.#attributes = [...new Set([keys, ...indexes.map((index) => index.keys)].flatMap(({ hash, range }) => [hash, range]))];
    const columns = this.#attributes.map((attribute) => `${column(attribute)} TEXT`);
    // The keys of the table are a part of each index, which gives equal sort keys an order and finds the rows' keys without the rows.
    const own = `${column(keys.hash)}, ${column(keys.range)}`;
    database.exec(`
      CREATE TABLE IF NOT EXISTS ${this.#table} (
        id INTEGER PRIMARY KEY, item TEXT NOT NULL, size INTEGER NOT NULL, expires INTEGER, ${columns.join(', ')}
      ) STRICT;
      CREATE UNIQUE INDEX IF NOT EXISTS ${quoteName(`${name}:key`)} ON ${this.#table} (${own});
      CREATE INDEX IF NOT EXISTS ${quoteName(`${name}:expires`)} ON ${this.#table} (expires) WHERE expires IS NOT NULL;
    `);
    for (const index of indexes) {
      const [hash, range] = [column(index.keys.hash), column(index.keys.range)];
      database.exec(`
        CREATE INDEX IF NOT EXISTS ${this.#quoteIndex(index.name)} ON ${this.#table} (${hash}, ${range}, ${own})
        WHERE ${hash} IS NOT NULL AND ${range} IS NOT NULL
      `);
    }
  }

  #quoteIndex(name: string | undefined): string {
    return quoteName(name === undefined ? `${this.#name}:key` : `${this.#name}:index:${name}`);
  }

  find(pk: string, sk: string): Row | undefined {
    const key = cacheKey(pk, sk);
    const known = this.#cache.get(key);
    if (known !== undefined) return known;
    const { hash, range } = this.#keys;
    const found = this.#prepare(
      `SELECT item, size FROM ${this.#table} WHERE ${column(hash)} = ? AND ${column(range)} = ?`,
    ).get(pk, sk) as { item: string; size: number } | undefined;
    if (found === undefined) return undefined;
    const row = { item: JSON.parse(found.item) as Item, size: found.size, pk, sk };
    this.#cache.set(key, row);
    return row;
  }

  /** Stores a row, in the place of the one with its key if there is one. @param json the item */
  put(row: Row, json: string): void {
    const { hash, range } = this.#keys;
    const columns = ['item', 'size', 'expires', ...this.#attributes.map(column)];
    const changed = columns.filter((name) => name !== column(hash) && name !== column(range));
    const ttl = this.#ttl;
    const expires = ttl === undefined || !Object.hasOwn(row.item, ttl) ? null : readSeconds(row.item[ttl]?.N);
    this.#prepare(
      `INSERT INTO ${this.#table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
       ON CONFLICT (${column(hash)}, ${column(range)}) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    ).run(json, row.size, expires, ...this.#attributes.map((name) => readText(row.item, name)));
    this.#cache.set(cacheKey(row.pk, row.sk), row);
  }

  remove({ pk, sk }: Row): void {
    const { hash, range } = this.#keys;
    this.#prepare(`DELETE FROM ${this.#table} WHERE ${column(hash)} = ? AND ${column(range)} = ?`).run(pk, sk);
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
    const names = index?.keys ?? this.#keys;
    const [sort, pk, sk] = [column(names.range), column(this.#keys.hash), column(this.#keys.range)];
    const order = index === undefined ? [sk] : [sort, pk, sk];
    for (let after = start; ; ) {
      const conditions = [`${column(names.hash)} = ?`, `${sort} IS NOT NULL`];
      const values: SqlValue[] = [hash];
      const bound = (operator: string, text: string): void => {
        conditions.push(`${sort} ${operator} ?`);
        values.push(text);
      };
      // A place is within the range and replaces one of its bounds, so that the statement searches for the place.
      if (from !== undefined && (after === undefined || !isForward)) bound(from.isIncluded ? '>=' : '>', from.text);
      if (to !== undefined && (after === undefined || isForward)) bound(to.isIncluded ? '<=' : '<', to.text);
      if (after !== undefined) {
        conditions.push(`(${order.join(', ')}) ${isForward ? '>' : '<'} (${order.map(() => '?').join(', ')})`);
        values.push(...(index === undefined ? [after.sk] : [after.sort, after.pk, after.sk]));
      }
      const size = Math.min(limit, CHUNK);
      const found = this.#prepare(
        `SELECT ${pk} AS pk, ${sk} AS sk FROM ${this.#table} INDEXED BY ${this.#quoteIndex(index?.name)}
         WHERE ${conditions.join(' AND ')}
         ORDER BY ${order.map((name) => `${name} ${isForward ? 'ASC' : 'DESC'}`).join(', ')} LIMIT ?`,
      ).all(...values, size) as { pk: string; sk: string }[];
      let last: Row | undefined;
      for (const key of found) {
        last = this.find(key.pk, key.sk) as Row;
        yield last;
      }
      if (last === undefined || found.length < size) return;
      after = { sort: last.item[names.range]?.S as string, pk: last.pk, sk: last.sk };
    }
  }

  /** Reads all rows of the table in the order of their keys. @param start the place after which the first row is */
  *scan(start: Place | undefined): Generator<Row> {
    const [pk, sk] = [column(this.#keys.hash), column(this.#keys.range)];
    const statement = this.#prepare(
      `SELECT ${pk} AS pk, ${sk} AS sk FROM ${this.#table} WHERE (${pk}, ${sk}) > (?, ?) ORDER BY ${pk}, ${sk} LIMIT ${CHUNK}`,
    );
    for (let after = start ?? { pk: '', sk: '' }; ; ) {
      const found = statement.all(after.pk, after.sk) as { pk: string; sk: string }[];
      for (const key of found) yield this.find(key.pk, key.sk) as Row;
      const last = found.at(-1);
      if (last === undefined || found.length < CHUNK) return;
      after = last;
    }
  }

  /** The rows that expired at a time or before, at most as many as one transaction should remove. @param seconds since the epoch */
  expired(seconds: number): Row[] {
    const [pk, sk] = [column(this.#keys.hash), column(this.#keys.range)];
    const found = this.#prepare(
      `SELECT ${pk} AS pk, ${sk} AS sk FROM ${this.#table} WHERE expires <= ? ORDER BY expires LIMIT ${CHUNK}`,
    ).all(seconds) as { pk: string; sk: string }[];
    return found.map((key) => this.find(key.pk, key.sk) as Row);
  }

  /** Reads the times at which the rows expire from another attribute; none if absent. */
  expireBy(attribute: string | undefined): void {
    this.#ttl = attribute;
    this.#prepare(
      `UPDATE ${this.#table} SET expires = (SELECT CAST(value ->> 'N' AS INTEGER) FROM json_each(item) WHERE key = ?)`,
    ).run(attribute ?? null);
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

function readText(item: Item, name: string): string | null {
  const text = Object.hasOwn(item, name) ? item[name]?.S : undefined;
  return typeof text === 'string' ? text : null;
}

function readSeconds(text: unknown): number | null {
  const seconds = Math.floor(Number(text));
  return typeof text === 'string' && Number.isSafeInteger(seconds) ? seconds : null;
}
