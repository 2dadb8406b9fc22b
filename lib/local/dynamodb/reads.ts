import { Meter, readUnits } from './capacity.ts';
import { namesIn } from './condition.ts';
import type { Index, KeyNames } from './definition.ts';
import { type Expressions, type Given, isMet, readExpressions } from './expressions.ts';
import { isWithin, readRange } from './key-range.ts';
import { limits } from './limits.ts';
import type { Place, Row } from './rows.ts';
import type { Table } from './table.ts';
import { partsAt } from './update.ts';
import { computeItemSize, invalid, type Item, type Value } from './values.ts';

/** The request of a read. */
export interface ReadRequest extends Expressions {
  TableName: string;
  Key?: Item;
  IndexName?: string;
  Limit?: number;
  ScanIndexForward?: boolean;
  ExclusiveStartKey?: Item;
  ConsistentRead?: boolean;
  Select?: string;
  ReturnConsumedCapacity?: string;
}

/** Returns the tables by their names. @throws TableError for an unknown one */
export type FindTable = (name: string) => Table;

/** Reads one item. @throws TableError */
export function get(table: Table, request: ReadRequest): object {
  const given = readExpressions(request);
  const meter = new Meter(request);
  const { pk, sk } = table.readKey(request.Key ?? {});
  const row = table.rows.find(pk, sk);
  meter.addRead(table.name, pk, readUnits(row?.size ?? 0, request.ConsistentRead));
  return { ...(row && { Item: projected(row.item, given) }), ...meter.one() };
}

const projected = (item: Item, { projection }: Given): Item =>
  projection === undefined ? item : partsAt(item, projection);

/** The keys of one table in a BatchGetItem. */
export interface BatchKeys extends Expressions {
  Keys: readonly Item[];
  ConsistentRead?: boolean;
}

/** The request of BatchGetItem. */
export interface BatchGetRequest {
  RequestItems: Readonly<Record<string, BatchKeys>>;
  ReturnConsumedCapacity?: string;
}

/** Reads up to a hundred items; those beyond 16 MB are left for another call. @throws TableError */
export function getBatch(findTable: FindTable, request: BatchGetRequest): object {
  const requests = request.RequestItems;
  const meter = new Meter(request);
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, BatchKeys> = {};
  const count = Object.values(requests).reduce((sum, { Keys }) => sum + Keys.length, 0);
  if (count === 0 || count > limits.batchGetItems) {
    throw invalid('Too many items requested for the BatchGetItem call');
  }
  let bytes = 0;
  for (const [name, wanted] of Object.entries(requests)) {
    const table = findTable(name);
    const given = readExpressions(wanted);
    const items: Item[] = (Responses[name] = []);
    const seen = new Set<string>();
    const left: Item[] = [];
    for (const key of wanted.Keys) {
      const { pk, sk } = table.readKey(key);
      const address = JSON.stringify([pk, sk]);
      if (seen.has(address)) throw invalid('Provided list of item keys contains duplicates');
      seen.add(address);
      const row = table.rows.find(pk, sk);
      bytes += row?.size ?? 0;
      if (bytes > limits.batchGetBytes) {
        left.push(key);
        continue;
      }
      meter.addRead(name, pk, readUnits(row?.size ?? 0, wanted.ConsistentRead));
      if (row !== undefined) items.push(projected(row.item, given));
    }
    if (left.length > 0) UnprocessedKeys[name] = { ...wanted, Keys: left };
  }
  return { Responses, UnprocessedKeys, ...meter.all() };
}

/** The request of TransactGetItems. */
export interface TransactGetRequest {
  TransactItems: readonly { Get: ReadRequest }[];
  ReturnConsumedCapacity?: string;
}

/** Reads up to a hundred items of one moment. @throws TableError */
export function transactGet(findTable: FindTable, request: TransactGetRequest): object {
  const { TransactItems: entries } = request;
  if (entries.length === 0 || entries.length > limits.transactionItems) throw wrongTransactionSize();
  const meter = new Meter(request);
  let bytes = 0;
  const Responses = entries.map(({ Get }) => {
    const table = findTable(Get.TableName);
    const given = readExpressions(Get);
    const { pk, sk } = table.readKey(Get.Key ?? {});
    const row = table.rows.find(pk, sk);
    bytes += row?.size ?? 0;
    meter.addRead(table.name, pk, 2 * readUnits(row?.size ?? 0, true));
    return row === undefined ? {} : { Item: projected(row.item, given) };
  });
  if (bytes > limits.transactionBytes) throw transactionTooLarge();
  return { Responses, ...meter.all() };
}

/** The error for a transaction without entries, or with more than a hundred. */
export const wrongTransactionSize = (): Error =>
  invalid(
    `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to ${limits.transactionItems}, and greater than or equal to 1`,
  );

/** The error for a transaction whose items have more than 4 MB. */
export const transactionTooLarge = (): Error =>
  invalid('The aggregate size of the items in the transaction exceeds 4 MB');

/** Reads a page of a partition. @throws TableError */
export function query(table: Table, request: ReadRequest): object {
  const given = readExpressions(request);
  const index = findIndex(table, request);
  const keys = index?.keys ?? table.keys;
  const range = readRange(given, keys);
  checkFilter(given, keys);
  const isForward = request.ScanIndexForward !== false;
  const start = request.ExclusiveStartKey && readStart(table, index, request.ExclusiveStartKey, range.hash);
  if (start !== undefined && !isWithin(range, start.sort)) throw outsideOfRange();
  const read = (limit: number): Iterable<Row> => table.rows.query(index, range, isForward, start, limit);
  return page(table, index, request, given, { key: range.hash, read });
}

function findIndex(table: Table, { IndexName, ConsistentRead }: ReadRequest): Index | undefined {
  if (IndexName === undefined) return undefined;
  const index = table.indexes.find(({ name }) => name === IndexName);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${IndexName}`);
  if (ConsistentRead === true) throw invalid('Consistent reads are not supported on global secondary indexes');
  return index;
}

/** Reads a page of the whole table. @throws TableError */
export function scan(table: Table, request: ReadRequest): object {
  if (request.IndexName !== undefined) throw invalid('The local engine scans tables, not indexes');
  const given = readExpressions(request);
  const start = request.ExclusiveStartKey && readStart(table, undefined, request.ExclusiveStartKey, undefined);
  return page(table, undefined, request, given, { key: '', read: () => table.rows.scan(start) });
}

/** The place after which a page begins. @throws TableError */
function readStart(table: Table, index: Index | undefined, key: Item, hash: string | undefined): Place {
  const { keys } = table;
  const names = new Set([keys.hash, keys.range, ...(index === undefined ? [] : [index.keys.hash, index.keys.range])]);
  const text = (name: string): string => {
    const value = Object.hasOwn(key, name) ? key[name]?.S : undefined;
    if (typeof value !== 'string' || value === '') throw wrongStart();
    return value;
  };
  if (Object.keys(key).length !== names.size) throw wrongStart();
  if (hash !== undefined && text((index?.keys ?? keys).hash) !== hash) throw outsideOfRange();
  return { sort: text((index?.keys ?? keys).range), pk: text(keys.hash), sk: text(keys.range) };
}

const wrongStart = (): Error =>
  invalid('The provided starting key is invalid: The provided key element does not match the schema');

const outsideOfRange = (): Error =>
  invalid('The provided starting key is outside query boundaries based on provided conditions');

/**
 * Reads rows until there are as many as the request's limit, or 1 MB of them: then the response has the key after which the next page
 * begins. The filter applies to the rows that were read.
 */
function page(
  table: Table,
  index: Index | undefined,
  request: ReadRequest,
  given: Given,
  { key, read }: { key: string; read: (limit: number) => Iterable<Row> },
): object {
  const { Limit = Infinity, Select } = request;
  if (Limit < 1) {
    throw invalid(
      `1 validation error detected: Value '${Limit}' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`,
    );
  }
  const items: Item[] = [];
  let [count, scanned, bytes] = [0, 0, 0];
  let last: Row | undefined;
  let isCut = false;
  for (const row of read(Limit)) {
    const item = index === undefined ? row.item : (table.project(index, row) as Item);
    scanned += 1;
    bytes += item === row.item ? row.size : computeItemSize(item);
    last = row;
    if (isMet(given.filter, item, given.at)) {
      count += 1;
      if (Select !== 'COUNT') items.push(projected(item, given));
    }
    isCut = scanned >= Limit || bytes >= limits.pageBytes;
    if (isCut) break;
  }
  const meter = new Meter(request);
  meter.addRead(table.name, key, readUnits(bytes, request.ConsistentRead), index?.name);
  return {
    ...(Select === 'COUNT' ? {} : { Items: items }),
    Count: count,
    ScannedCount: scanned,
    ...(isCut && last && { LastEvaluatedKey: keyAfter(table, index, last) }),
    ...meter.one(),
  };
}

function keyAfter(table: Table, index: Index | undefined, row: Row): Item {
  const key: Record<string, Value> = { ...table.makeKey(row) };
  for (const name of index === undefined ? [] : [index.keys.hash, index.keys.range]) {
    key[name] = row.item[name] as Value;
  }
  return key;
}

/** A filter may not use the keys, which the key condition does. */
function checkFilter({ filter, at }: Given, keys: KeyNames): void {
  if (filter === undefined) return;
  for (const name of namesIn(filter)) {
    const real = name.startsWith('#') ? at.names[name] : name;
    if (real !== keys.hash && real !== keys.range) continue;
    throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${real}`);
  }
}
