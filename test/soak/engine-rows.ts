/**
 * Writes copies of rows into the database of the local table engine, while no service uses it. The engine writes an example, and the copies
 * differ from it in given values, which is faster than the code of the entities.
 */
import { isDeepStrictEqual } from 'node:util';

import { settings } from '../../functions/kernel/settings.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';
import { type Database, openDatabase } from '../../lib/local/database.ts';
import { CATALOG, LocalTables } from '../../lib/local/dynamodb/engine.ts';
import { limits } from '../../lib/local/dynamodb/limits.ts';
import type { Item } from '../../lib/local/dynamodb/values.ts';

/** The file of a folder with the tables. */
export const DATABASE = 'table.sqlite';

/** The memory for pages of the database in KiB. */
const CACHE_KIB = 1_000_000;

/** Attributes with the time of the write and the owner, which no read of a soak uses. */
const OWN = ['createdAt', 'updatedAt', 'owner', 'gsi4pk'];

/** The key of a row. */
interface Key {
  pk: string;
  sk: string;
}

/** Rows that the engine has written, with the values of which others have different ones. */
export interface Written {
  keys: readonly Key[];
  values: readonly string[];
}

/** The keys of the rows of writes. */
export const listKeys = (writes: readonly Write[]): Key[] =>
  writes.map(({ params }) => ({ pk: String(params.Item?.pk), sk: String(params.Item?.sk) }));

/** Writes a copy with other values. The values of the example have only characters that JSON does not escape. */
export type Copier = (values: readonly string[]) => void;

/** The text of an item with values: text, value, text and so on. */
interface Stencil {
  texts: string[];
  /** The numbers of the values. */
  values: number[];
}

const ESCAPED = /["\\\n\r]/;
const escapeText = (value = ''): string => (ESCAPED.test(value) ? JSON.stringify(value).slice(1, -1) : value);

const fill = ({ texts, values: places }: Stencil, values: readonly string[]): Item =>
  JSON.parse(
    places.reduce((text, place, at) => `${text}${escapeText(values[place])}${texts[at + 1]}`, texts[0] ?? ''),
  ) as Item;

function cut(item: Item, values: readonly string[]): Stencil {
  const escaped = values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const parts = JSON.stringify(item).split(new RegExp(`(${escaped.join('|')})`));
  return {
    texts: parts.filter((_, at) => at % 2 === 0),
    values: parts.filter((_, at) => at % 2 === 1).map((value) => values.indexOf(value)),
  };
}

const withoutOwn = (item: Item): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !OWN.includes(name)));

/** The tables of a folder, whose indexes are made again by {@link EngineRows.close}; a crash leaves a folder without them. */
export class EngineRows {
  readonly #database: Database;
  readonly #tables: LocalTables;
  readonly #table = settings().GATEHOUSE_TABLE;
  /** The statements that make the dropped indexes again. */
  #dropped: readonly string[] = [];
  #items: Item[] = [];

  constructor(folder: string) {
    this.#database = openDatabase(folder, DATABASE, CATALOG, 'process');
    this.#database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -${CACHE_KIB};`);
    this.#tables = new LocalTables(this.#database, true);
    this.#dropIndexes();
  }

  /** Drops the indexes, which are made in less time when all rows are there. */
  #dropIndexes(): void {
    const indexes = this.#database.prepare(`SELECT name, sql FROM sqlite_master WHERE name LIKE '%:index:%'`).all();
    this.#dropped = indexes.map(({ sql }) => String(sql));
    for (const { name } of indexes) this.#database.exec(`DROP INDEX "${String(name)}"`);
  }

  #makeIndexes(): void {
    this.#flush();
    for (const sql of this.#dropped) this.#database.exec(sql);
  }

  /** Writes an item. */
  write(item: Item): void {
    this.#items.push(item);
    if (this.#items.length === limits.batchWriteItems) this.#flush();
  }

  #flush(): void {
    const items = this.#items;
    this.#items = [];
    if (items.length === 0) return;
    const requests = items.map((each) => ({ PutRequest: { Item: each } }));
    this.#tables.run('BatchWriteItem', { RequestItems: { [this.#table]: requests } });
  }

  /**
   * @param samples Further rows of the engine, with which the copies of the same values are compared
   * @throws Error if the example has no rows, or a copy differs from the engine's row
   */
  copier(example: Written, samples: readonly Written[]): Copier {
    const stencils = this.#read(example.keys).map((item) => cut(item, example.values));
    if (stencils.length === 0) throw new Error('The example has no rows');
    for (const { keys, values } of samples) {
      const wanted = this.#read(keys).map(withoutOwn);
      const made = stencils.map((stencil) => withoutOwn(fill(stencil, values)));
      if (!isDeepStrictEqual(made, wanted)) {
        throw new Error(`The copy differs from the engine's row: ${JSON.stringify([made, wanted])}`);
      }
    }
    return (values) => {
      for (const stencil of stencils) this.write(fill(stencil, values));
    };
  }

  /** The keys of the rows that contain one of some texts, sorted. */
  find(texts: readonly string[]): Key[] {
    const found = this.#database.prepare(
      `SELECT item FROM "${this.#table}" WHERE ${texts.map(() => 'instr(item, ?) > 0').join(' OR ')}`,
    );
    const keys = found.all(...texts).map(({ item }) => {
      const { pk, sk } = JSON.parse(String(item)) as { pk: { S: string }; sk: { S: string } };
      return { pk: pk.S, sk: sk.S };
    });
    return keys.sort((one, other) => (`${one.pk} ${one.sk}` < `${other.pk} ${other.sk}` ? -1 : 1));
  }

  /** The items of rows, as JSON. */
  readItems(keys: readonly Key[]): string[] {
    return this.#read(keys).map((item) => JSON.stringify(item));
  }

  #read(keys: readonly Key[]): Item[] {
    this.#flush();
    return keys.flatMap(({ pk, sk }) => {
      const request = { TableName: this.#table, Key: { pk: { S: pk }, sk: { S: sk } } };
      const { Item } = this.#tables.run('GetItem', request) as { Item?: Item };
      return Item === undefined ? [] : [Item];
    });
  }

  /** Copies the database with all that was written to a new file. */
  copyTo(file: string): void {
    this.#makeIndexes();
    this.#database.prepare('VACUUM INTO ?').run(file);
    this.#dropIndexes();
  }

  /** Makes the indexes, and closes the database. */
  close(): void {
    this.#makeIndexes();
    this.#database.close();
  }
}
