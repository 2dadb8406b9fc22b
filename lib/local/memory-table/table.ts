import { compareText, invalid, type Item, readItem, computeItemSize, readType, type Value } from './values.ts';
import { type Entry, Partitions, type Row } from './rows.ts';
import { Stream } from './stream.ts';
import { areSameItems } from './update.ts';

/** The names of the two attributes of a key. */
export interface KeyNames {
  hash: string;
  range: string;
}

/** A global secondary index. */
export interface Index {
  name: string;
  keys: KeyNames;
  /** The attributes that it has in addition to the keys; all of them if absent. */
  attributes: readonly string[] | undefined;
  partitions: Partitions;
}

/** The options of a new table. */
export interface TableOptions {
  name: string;
  keys: KeyNames;
  indexes: readonly Omit<Index, 'partitions'>[];
  hasStream: boolean;
}

const MAX_ITEM_BYTES = 400 * 1_024;
const MAX_HASH_BYTES = 2_048;
const MAX_RANGE_BYTES = 1_024;

/** A table in memory, with its indexes, which never lag, and its stream. All keys are strings. */
export class MemoryTable {
  readonly name: string;
  readonly keys: KeyNames;
  readonly indexes: readonly Index[];
  readonly partitions = new Partitions();
  readonly stream: Stream | undefined;

  constructor({ name, keys, indexes, hasStream }: TableOptions) {
    this.name = name;
    this.keys = keys;
    this.indexes = indexes.map((index) => ({ ...index, partitions: new Partitions() }));
    this.stream = hasStream ? new Stream() : undefined;
  }

  /** The row with a key. @throws TableError for a key that the table cannot have */
  find(key: Item): Row | undefined {
    const { hash, range } = this.keys;
    const [pk, sk] = [this.readKey(key, hash), this.readKey(key, range)];
    if (Object.keys(key).length !== 2) throw invalid('The provided key element does not match the schema');
    return this.at(pk, sk);
  }

  /** The row at a key's values. */
  at(pk: string, sk: string): Row | undefined {
    const entry = this.partitions.get(pk)?.find(({ sort }) => compareText(sort, sk) < 0);
    return entry?.sort === sk ? entry.row : undefined;
  }

  /** The value of one attribute of a key. @throws TableError */
  readKey(key: Item, name: string): string {
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
    const [kind, limit] = isHash ? ['hashkey', MAX_HASH_BYTES] : ['rangekey', MAX_RANGE_BYTES];
    if (text.length * 3 > limit && Buffer.byteLength(text) > limit) {
      throw invalid(
        `One or more parameter values were invalid: Size of ${kind} has exceeded the maximum size limit of${isHash ? '' : ' '}${limit} bytes`,
      );
    }
  }

  /** Checks an item, and returns it as a row that is not stored yet. @throws TableError */
  makeRow(sent: Item): Row {
    const item = readItem(sent);
    for (const name of [this.keys.hash, this.keys.range]) {
      const value = Object.hasOwn(item, name) ? (item[name] as Value) : undefined;
      if (value === undefined) {
        throw invalid(`One or more parameter values were invalid: Missing the key ${name} in the item`);
      }
      if (typeof value.S !== 'string') {
        throw invalid(
          `One or more parameter values were invalid: Type mismatch for key ${name} expected: S actual: ${readType(value)}`,
        );
      }
      this.#checkKey(value.S, name);
    }
    for (const { name, keys } of this.indexes) checkIndexKeys(item, name, keys);
    const size = computeItemSize(item);
    if (size > MAX_ITEM_BYTES) throw invalid('Item size has exceeded the maximum allowed size');
    return { item, size, pk: item[this.keys.hash]?.S as string, sk: item[this.keys.range]?.S as string };
  }

  /** Stores a row in the place of another with its key. Nothing happens if both are equal. */
  put(row: Row, former: Row | undefined): void {
    if (former !== undefined && areSameItems(former.item, row.item)) return;
    this.partitions.put(row.pk, { sort: row.sk, row });
    for (const index of this.indexes) {
      const [before, after] = [former && entryIn(index, former), entryIn(index, row)];
      if (before !== undefined && (before.key !== after?.key || before.entry.sort !== after.entry.sort)) {
        index.partitions.remove(before.key, before.entry);
      }
      if (after !== undefined) index.partitions.put(after.key, after.entry);
    }
    const event = former === undefined ? 'INSERT' : 'MODIFY';
    this.stream?.add({ event, keys: this.makeKey(row), image: row.item });
  }

  remove(row: Row): void {
    this.partitions.remove(row.pk, { sort: row.sk, row });
    for (const index of this.indexes) {
      const place = entryIn(index, row);
      if (place !== undefined) index.partitions.remove(place.key, place.entry);
    }
    this.stream?.add({ event: 'REMOVE', keys: this.makeKey(row), image: undefined });
  }

  /** The key of a row, as requests have it. */
  makeKey({ pk, sk }: Row): Item {
    return { [this.keys.hash]: { S: pk }, [this.keys.range]: { S: sk } };
  }

  /** Removes all rows and all records of the stream. */
  clear(): void {
    this.partitions.clear();
    for (const { partitions } of this.indexes) partitions.clear();
    this.stream?.clear();
  }
}

/** The place of a row in an index; undefined if it lacks an attribute of the index's key. */
function entryIn({ keys }: Index, row: Row): { key: string; entry: Entry } | undefined {
  const [key, sort] = [row.item[keys.hash]?.S, row.item[keys.range]?.S];
  return typeof key === 'string' && typeof sort === 'string' ? { key, entry: { sort, row } } : undefined;
}

function checkIndexKeys(item: Item, index: string, { hash, range }: KeyNames): void {
  for (const name of [hash, range]) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    if (value === undefined) continue;
    if (typeof value.S !== 'string') {
      throw invalid(
        `One or more parameter values were invalid: Type mismatch for Index Key ${name} Expected: S Actual: ` +
          `${readType(value)} IndexName: ${index}`,
      );
    }
    const limit = name === hash ? MAX_HASH_BYTES : MAX_RANGE_BYTES;
    if (value.S === '') {
      throw invalid(
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The ' +
          `AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`,
      );
    }
    if (value.S.length * 3 > limit && Buffer.byteLength(value.S) > limit) {
      throw invalid(
        'One or more parameter values were invalid: Size of index key has exceeded the maximum size limit of ' +
          `${limit} bytes. IndexName: ${index}, IndexKey: ${name}`,
      );
    }
  }
}
