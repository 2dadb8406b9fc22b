import type { Database } from '../database.ts';
import type { Definition, Index, KeyNames } from './definition.ts';
import { limits } from './limits.ts';
import { type Row, Rows } from './rows.ts';
import { Stream } from './stream.ts';
import { areEqual, computeItemSize, invalid, type Item, readItem, readType } from './values.ts';

/** A table with its indexes, which never lag, and its stream. */
export class Table {
  readonly definition: Definition;
  readonly rows: Rows;
  readonly stream: Stream | undefined;

  constructor(database: Database, definition: Definition, isInFile: boolean) {
    this.definition = definition;
    this.rows = new Rows(database, definition);
    this.stream = definition.stream && new Stream(database, definition, isInFile);
  }

  get name(): string {
    return this.definition.name;
  }

  get keys(): KeyNames {
    return this.definition.keys;
  }

  get indexes(): readonly Index[] {
    return this.definition.indexes;
  }

  /** The values of a key. @throws TableError for a key that the table cannot have */
  readKey(key: Item): { pk: string; sk: string } {
    const { hash, range } = this.keys;
    const [pk, sk] = [this.#readPart(key, hash), this.#readPart(key, range)];
    if (Object.keys(key).length !== 2) throw invalid('The provided key element does not match the schema');
    return { pk, sk };
  }

  #readPart(key: Item, name: string): string {
    const value = Object.hasOwn(key, name) ? key[name] : undefined;
    if (typeof value?.S !== 'string') throw invalid('The provided key element does not match the schema');
    this.#checkKey(value.S, name);
    return value.S;
  }

  #checkKey(text: string, name: string): void {
    if (text === '') {
      throw invalid(
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
          `string value. Key: ${name}`,
      );
    }
    const isHash = name === this.keys.hash;
    const [kind, limit] = isHash ? ['hashkey', limits.partitionKeyBytes] : ['rangekey', limits.sortKeyBytes];
    if (isLonger(text, limit)) {
      throw invalid(
        `One or more parameter values were invalid: Size of ${kind} has exceeded the maximum size limit of${isHash ? '' : ' '}${limit} bytes`,
      );
    }
    // Two keys that differ in such text only would be one key in the database.
    if (!text.isWellFormed()) throw invalid(`The value of the key ${name} is not valid Unicode`);
  }

  /** Checks an item, and returns it as a row that is not stored yet. @throws TableError */
  makeRow(sent: Item, tooLarge = 'Item size has exceeded the maximum allowed size'): Row {
    const item = readItem(sent);
    const { hash, range } = this.keys;
    const readPart = (name: string): string => {
      const value = Object.hasOwn(item, name) ? item[name] : undefined;
      if (value === undefined) {
        throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
      }
      if (typeof value.S !== 'string') {
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for key ${name} expected: S actual: ${readType(value)}`,
        );
      }
      this.#checkKey(value.S, name);
      return value.S;
    };
    const [pk, sk] = [readPart(hash), readPart(range)];
    for (const index of this.indexes) checkIndexKeys(item, index);
    const size = computeItemSize(item);
    if (size > limits.itemBytes) throw invalid(tooLarge);
    return { item, size, pk, sk };
  }

  /** Stores a row in the place of another with its key. Nothing happens if both are equal. */
  put(row: Row, former: Row | undefined): void {
    if (former !== undefined && this.isSame(former.item, row.item)) return;
    const json = JSON.stringify(row.item);
    this.rows.put(row, json);
    this.stream?.add({ old: former?.item, new: row.item }, json, false);
  }

  /** Removes a row. @param isExpiry true if its time has passed, which the record of the stream says */
  remove(row: Row, isExpiry = false): void {
    this.rows.remove(row);
    this.stream?.add({ old: row.item, new: undefined }, null, isExpiry);
  }

  /** Reports whether two items are equal, so that a write of one over the other changes nothing. */
  isSame(one: Item, other: Item): boolean {
    return areEqual({ M: one }, { M: other });
  }

  /** The attributes of a row that an index has; undefined if the row lacks an attribute of the index's key. */
  project({ keys, attributes }: Index, { item }: Row): Item | undefined {
    if (typeof item[keys.hash]?.S !== 'string' || typeof item[keys.range]?.S !== 'string') return undefined;
    if (attributes === undefined) return item;
    const names = [this.keys.hash, this.keys.range, keys.hash, keys.range, ...attributes];
    const projected: Record<string, Item[string]> = {};
    for (const name of names) if (Object.hasOwn(item, name)) projected[name] = item[name] as Item[string];
    return projected;
  }

  /** The key of a row, as requests have it. */
  makeKey({ pk, sk }: Row): Item {
    return { [this.keys.hash]: { S: pk }, [this.keys.range]: { S: sk } };
  }

  /** Removes all rows and all records of the stream. */
  clear(): void {
    this.rows.clear();
    this.stream?.clear();
  }

  drop(): void {
    this.rows.drop();
    this.stream?.drop();
  }

  /** Reads what the database has again, after a transaction failed. */
  forget(): void {
    this.rows.forget();
    this.stream?.forget();
  }
}

const isLonger = (text: string, bytes: number): boolean => text.length * 3 > bytes && Buffer.byteLength(text) > bytes;

function checkIndexKeys(item: Item, { name: index, keys: { hash, range } }: Index): void {
  for (const name of [hash, range]) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value === undefined) continue;
    if (typeof value.S !== 'string') {
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: S Actual: ` +
          `${readType(value)} IndexName: ${index}`,
      );
    }
    if (value.S === '') {
      throw invalid(
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The ' +
          `AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`,
      );
    }
    const limit = name === hash ? limits.partitionKeyBytes : limits.sortKeyBytes;
    if (isLonger(value.S, limit)) {
      throw invalid(
        'One or more parameter values were invalid: Size of index key has exceeded the maximum size limit of ' +
          `${limit} bytes. IndexName: ${index}, IndexKey: ${name}`,
      );
    }
    if (!value.S.isWellFormed()) throw invalid(`The value of the key ${name} of ${index} is not valid Unicode`);
  }
}
