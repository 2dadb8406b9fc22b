/**
 * Writes copies of rows into the database of the table's engine while the engine is stopped, some forty times as fast as by its API. The
 * engine itself writes an example, and the copies differ from it in given values, so nothing here depends on how the engine
 * formats a row.
 */
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { isDeepStrictEqual } from 'node:util';

import { settings } from '../../functions/kernel/settings.ts';
import type { Write } from '../../functions/kernel/storage/write.ts';

/** The memory for pages of the database in KiB: indexes that are not written in their order fit into it. */
const CACHE_KIB = 2_000_000;

/** Columns that differ between rows that are otherwise the same: the order of scans, which no call of a soak makes. */
const IGNORED = 'hash_prefix';
/** Attributes with the time of the write. */
const TIMES = ['createdAt', 'updatedAt'];

/** The table's own rows, or an index of it. */
export type Place = 'table' | 'gsi1' | 'gsi2' | 'gsi3' | 'gsi4';

/** The key of a row as the engine stores it. */
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
  writes.map(({ params }) => ({ pk: `S:${String(params.Item?.pk)}`, sk: `S:${String(params.Item?.sk)}` }));

type Row = Record<string, SQLInputValue>;

/** A text with values: text, value, text and so on. */
interface Text {
  texts: string[];
  /** The numbers of the values. */
  values: number[];
  isJson: boolean;
}

/** The column with the item as JSON. */
const ITEM = 'item_json';

interface RowStencil {
  insert: StatementSync;
  names: string[];
  columns: (SQLInputValue | Text)[];
  /** The size of the item without the values, and the number of times that it contains each. */
  size?: { at: number; base: number; counts: number[] };
}

/** Writes a copy with other values, unless the engine has written the row. The values of the example have only characters that JSON does not escape. */
export type Copier = (values: readonly string[]) => void;

const isText = (column: SQLInputValue | Text): column is Text =>
  typeof column === 'object' && column !== null && 'texts' in column;

const ESCAPED = /["\\\n\r]/;
const escapeText = (value = ''): string => (ESCAPED.test(value) ? JSON.stringify(value).slice(1, -1) : value);

function fillText({ texts, values: places, isJson }: Text, values: readonly string[]): string {
  let filled = texts[0] ?? '';
  for (let at = 0; at < places.length; at += 1) {
    const value = values[places[at] ?? 0];
    filled += `${isJson ? escapeText(value) : value}${texts[at + 1]}`;
  }
  return filled;
}

function fillRow({ columns, size }: RowStencil, values: readonly string[]): SQLInputValue[] {
  const filled = columns.map((column) => (isText(column) ? fillText(column, values) : column));
  if (size !== undefined) {
    filled[size.at] = size.counts.reduce(
      (sum, count, at) => sum + count * Buffer.byteLength(values[at] ?? ''),
      size.base,
    );
  }
  return filled;
}

function cutText(text: string, values: readonly string[], isJson: boolean): Text {
  const escaped = values.map((value) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const parts = text.split(new RegExp(`(${escaped.join('|')})`));
  return {
    texts: parts.filter((_, at) => at % 2 === 0),
    values: parts.filter((_, at) => at % 2 === 1).map((value) => values.indexOf(value)),
    isJson,
  };
}

/** A row in which JSON is parsed, without what differs from one write to another. */
const comparable = (row: Row): object =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([name]) => name !== IGNORED)
      .map(([name, value]) => [name, name === ITEM ? parseItem(value as string) : value]),
  );

const parseItem = (text: string): object =>
  Object.fromEntries(Object.entries(JSON.parse(text) as object).filter(([name]) => !TIMES.includes(name)));

/** The database of a stopped engine. All that is written is committed by {@link close}; a crash leaves a damaged file. */
export class EngineRows {
  readonly #database: DatabaseSync;
  readonly #table: string;
  /** The statements that make the dropped indexes again. */
  readonly #dropped: string[] = [];

  constructor(file: string) {
    this.#table = settings().GATEHOUSE_TABLE;
    this.#database = new DatabaseSync(file);
    this.#database.exec(`
      PRAGMA journal_mode = DELETE; PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF;
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -${CACHE_KIB};
    `);
    const indexes = this.#database.prepare(
      `SELECT name, sql FROM sqlite_master WHERE sql LIKE 'CREATE INDEX%' AND name LIKE ?`,
    );
    this.#database.exec('BEGIN');
    for (const { name, sql } of indexes.all(`${this.#table}::gsi::%`)) {
      this.#dropped.push(String(sql));
      this.#database.exec(`DROP INDEX "${String(name)}"`);
    }
  }

  /**
   * @param samples Further rows of the engine, with which the copies of the same values are compared
   * @throws Error if the example has no rows, or a copy differs from the engine's row
   */
  copier(example: Written, samples: readonly Written[], places: readonly Place[]): Copier {
    const rows = this.#read(example.keys, places).map(([place, row]) => this.#cut(place, row, example.values));
    if (rows.length === 0) throw new Error('The example has no rows');
    for (const { keys, values } of samples) {
      const wanted = this.#read(keys, places).map(([, row]) => comparable(row));
      const made = rows.map((row) => {
        const filled = fillRow(row, values);
        return comparable(Object.fromEntries(row.names.map((name, at) => [name, filled[at] ?? null])));
      });
      if (!isDeepStrictEqual(made, wanted)) {
        throw new Error(`The copy differs from the engine's row: ${JSON.stringify([made, wanted])}`);
      }
    }
    return (values) => {
      for (const row of rows) row.insert.run(...fillRow(row, values));
    };
  }

  #nameOf(place: Place): string {
    return place === 'table' ? this.#table : `${this.#table}::gsi::${place}`;
  }

  /** The keys of the rows that contain one of some texts, sorted. */
  find(texts: readonly string[]): Key[] {
    const where = texts.map(() => `instr(${ITEM}, ?) > 0`).join(' OR ');
    const found = this.#database.prepare(`SELECT pk, sk FROM "${this.#table}" WHERE ${where} ORDER BY pk, sk`);
    return found.all(...texts).map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) }));
  }

  /** The items of rows, as JSON. */
  readItems(keys: readonly Key[]): string[] {
    return this.#read(keys, ['table']).map(([, row]) => row[ITEM] as string);
  }

  #read(keys: readonly Key[], places: readonly Place[]): [Place, Row][] {
    return keys.flatMap(({ pk, sk }) =>
      places.flatMap((place): [Place, Row][] => {
        const prefix = place === 'table' ? '' : 'table_';
        const where = `${prefix}pk = ? AND ${prefix}sk = ?`;
        const row = this.#database.prepare(`SELECT * FROM "${this.#nameOf(place)}" WHERE ${where}`).get(pk, sk);
        return row === undefined ? [] : [[place, { ...row }]];
      }),
    );
  }

  #cut(place: Place, row: Row, values: readonly string[]): RowStencil {
    const names = Object.keys(row);
    const columns = names.map((name) => {
      const value = row[name] ?? null;
      return typeof value === 'string' && name !== IGNORED ? cutText(value, values, name === ITEM) : value;
    });
    const insert = this.#database.prepare(
      `INSERT OR IGNORE INTO "${this.#nameOf(place)}" (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
    );
    const at = names.indexOf('item_size');
    if (at === -1) return { insert, names, columns };
    const { values: contained } = cutText(row[ITEM] as string, values, true);
    const counts = values.map((_, each) => contained.filter((one) => one === each).length);
    const base = counts.reduce(
      (rest, count, each) => rest - count * (values[each]?.length ?? 0),
      Number(row.item_size),
    );
    return { insert, names, columns, size: { at, base, counts } };
  }

  /** Copies the database with all that was written to a new file. */
  copyTo(file: string): void {
    this.#database.exec('COMMIT');
    this.#database.prepare('VACUUM INTO ?').run(file);
    this.#database.exec('BEGIN');
  }

  /** Makes the indexes again by which the engine finds the index entries of a row that it changes, and commits. */
  close(): void {
    for (const sql of this.#dropped) this.#database.exec(sql);
    this.#database.exec('COMMIT');
    this.#database.close();
  }
}
