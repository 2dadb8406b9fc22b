import type { Condition, Operand } from './condition.ts';
import { type Expressions, type Given, isMet, readExpressions } from './expressions.ts';
import type { Entry, Partition, Row } from './rows.ts';
import { compareEntries } from './rows.ts';
import type { Index, KeyNames, MemoryTable } from './table.ts';
import { partsAt } from './update.ts';
import { compareText, invalid, type Item, type Value } from './values.ts';

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
}

/** DynamoDB's limit on the items that one page reads, in bytes. */
const MAX_PAGE_BYTES = 1_024 * 1_024;
const MAX_BATCH = 100;
const MAX_BATCH_BYTES = 16 * 1_024 * 1_024;

/** Reads one item. @throws TableError */
export function get(table: MemoryTable, request: ReadRequest): object {
  const given = readExpressions(request);
  const row = table.find(request.Key ?? {});
  return row === undefined ? {} : { Item: projected(row.item, given) };
}

function projected(item: Item, { projection, at }: Given): Item {
  if (projection === undefined) return item;
  const places = projection.map((path) =>
    path.map((step) => (typeof step === 'string' && step.startsWith('#') ? (at.names[step] as string) : step)),
  );
  return partsAt(item, places);
}

/** The keys of one table in a BatchGetItem. */
export interface BatchKeys extends Expressions {
  Keys: readonly Item[];
}

/** Reads up to a hundred items. @throws TableError */
export function getBatch(
  tableNamed: (name: string) => MemoryTable,
  requests: Readonly<Record<string, BatchKeys>>,
): object {
  const Responses: Record<string, Item[]> = {};
  const UnprocessedKeys: Record<string, BatchKeys> = {};
  const count = Object.values(requests).reduce((sum, { Keys }) => sum + Keys.length, 0);
  if (count === 0 || count > MAX_BATCH) throw invalid('Too many items requested for the BatchGetItem call');
  let bytes = 0;
  for (const [name, request] of Object.entries(requests)) {
    const table = tableNamed(name);
    const given = readExpressions(request);
    const items: Item[] = (Responses[name] = []);
    const seen = new Set<string>();
    const left: Item[] = [];
    for (const key of request.Keys) {
      const row = table.find(key);
      const address = JSON.stringify([key[table.keys.hash]?.S, key[table.keys.range]?.S]);
      if (seen.has(address)) throw invalid('Provided list of item keys contains duplicates');
      seen.add(address);
      bytes += row?.size ?? 0;
      if (bytes > MAX_BATCH_BYTES) left.push(key);
      else if (row !== undefined) items.push(projected(row.item, given));
    }
    if (left.length > 0) UnprocessedKeys[name] = { ...request, Keys: left };
  }
  return { Responses, UnprocessedKeys };
}

/** The condition of a query on the keys: the partition, and the position of an entry before, in or after its range. */
interface KeyRange {
  hash: string;
  /** Negative before the range, zero within it, positive after it. */
  place: (sort: string) => number;
}

/** Reads a page of a partition. @throws TableError */
export function query(table: MemoryTable, request: ReadRequest): object {
  const given = readExpressions(request);
  const index = findIndex(table, request);
  const keys = index?.keys ?? table.keys;
  const { hash, place } = readRange(given, keys);
  checkFilter(given, keys);
  const partition = (index?.partitions ?? table.partitions).get(hash);
  const isForward = request.ScanIndexForward !== false;
  const start = request.ExclusiveStartKey && readStart(table, index, request.ExclusiveStartKey, hash);
  if (start !== undefined && place(start.sort) !== 0)
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  return page(table, index, request, given, partition === undefined ? [] : inRange(partition, place, start, isForward));
}

function findIndex(table: MemoryTable, { IndexName, ConsistentRead }: ReadRequest): Index | undefined {
  if (IndexName === undefined) return undefined;
  const index = table.indexes.find(({ name }) => name === IndexName);
  if (index === undefined) throw invalid(`The table does not have the specified index: ${IndexName}`);
  if (ConsistentRead === true) throw invalid('Consistent reads are not supported on global secondary indexes');
  return index;
}

function* inRange(
  partition: Partition,
  place: KeyRange['place'],
  start: Entry | undefined,
  isForward: boolean,
): Generator<Entry> {
  const entries = isForward
    ? partition.after((entry) => place(entry.sort) < 0 || (start !== undefined && compareEntries(entry, start) <= 0))
    : partition.before((entry) => place(entry.sort) <= 0 && (start === undefined || compareEntries(entry, start) < 0));
  for (const entry of entries) {
    if (place(entry.sort) !== 0) return;
    yield entry;
  }
}

/** Reads a page of the whole table. @throws TableError */
export function scan(table: MemoryTable, request: ReadRequest): object {
  if (request.IndexName !== undefined) throw invalid('The engine in memory scans tables, not indexes');
  const given = readExpressions(request);
  const start = request.ExclusiveStartKey && readStart(table, undefined, request.ExclusiveStartKey, undefined);
  return page(table, undefined, request, given, allFrom(table, start));
}

function* allFrom({ partitions }: MemoryTable, start: Entry | undefined): Generator<Entry> {
  const first = start === undefined ? 0 : Math.max(0, partitions.findPosition(start.row.pk));
  for (const [at, partition] of partitions.inOrder.slice(first).entries()) {
    yield* partition.after((entry) => at === 0 && start !== undefined && compareEntries(entry, start) <= 0);
  }
}

/** The place after which a page begins, as an entry that need not exist. @throws TableError */
function readStart(table: MemoryTable, index: Index | undefined, key: Item, hash: string | undefined): Entry {
  const { keys } = table;
  const names = new Set([keys.hash, keys.range, ...(index === undefined ? [] : [index.keys.hash, index.keys.range])]);
  const text = (name: string): string => {
    const value = Object.hasOwn(key, name) ? key[name]?.S : undefined;
    if (typeof value !== 'string' || value === '') throw wrongStart();
    return value;
  };
  if (Object.keys(key).length !== names.size) throw wrongStart();
  const [pk, sk] = [text(keys.hash), text(keys.range)];
  const partition = text((index?.keys ?? keys).hash);
  if (hash !== undefined && partition !== hash)
    throw invalid('The provided starting key is outside query boundaries based on provided conditions');
  return { sort: text((index?.keys ?? keys).range), row: { item: key, size: 0, pk, sk } };
}

const wrongStart = (): Error =>
  invalid('The provided starting key is invalid: The provided key element does not match the schema');

function page(
  table: MemoryTable,
  index: Index | undefined,
  request: ReadRequest,
  given: Given,
  entries: Iterable<Entry>,
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
  for (const { row } of entries) {
    scanned += 1;
    bytes += row.size;
    last = row;
    const item = index?.attributes === undefined ? row.item : ofIndex(table, index, row.item);
    if (isMet(given.filter, item, given.at)) {
      count += 1;
      if (Select !== 'COUNT') items.push(projected(item, given));
    }
    isCut = scanned >= Limit || bytes >= MAX_PAGE_BYTES;
    if (isCut) break;
  }
  return {
    ...(Select === 'COUNT' ? {} : { Items: items }),
    Count: count,
    ScannedCount: scanned,
    ...(isCut && last && { LastEvaluatedKey: keyAfter(table, index, last) }),
  };
}

function keyAfter(table: MemoryTable, index: Index | undefined, row: Row): Item {
  const key: Record<string, Value> = { ...table.makeKey(row) };
  for (const name of index === undefined ? [] : [index.keys.hash, index.keys.range])
    key[name] = row.item[name] as Value;
  return key;
}

/** The attributes of an item that an index has. */
function ofIndex({ keys }: MemoryTable, index: Index, item: Item): Item {
  const names = [keys.hash, keys.range, index.keys.hash, index.keys.range, ...(index.attributes ?? [])];
  const has = names.filter((name) => Object.hasOwn(item, name));
  return Object.fromEntries(has.map((name) => [name, item[name] as Value]));
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

/** The first names of all paths in a condition. */
function namesIn(condition: Condition): string[] {
  const ofOperand = (operand: Operand): string[] =>
    'value' in operand ? [] : [String(('path' in operand ? operand.path : operand.size)[0])];
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(namesIn);
    case 'not':
      return namesIn(condition.part);
    case 'exists':
    case 'type':
      return [String(condition.path[0])];
    case 'in':
      return [condition.one, ...condition.list].flatMap(ofOperand);
    case 'between':
      return [condition.one, condition.from, condition.to].flatMap(ofOperand);
    default:
      return [condition.one, condition.other].flatMap(ofOperand);
  }
}

/** Reads the condition on the keys. @throws TableError */
function readRange({ keys: condition, at }: Given, names: KeyNames): KeyRange {
  const parts = condition?.kind === 'and' ? condition.parts : condition === undefined ? [] : [condition];
  const nameIn = (operand: Operand): string | undefined => {
    if (!('path' in operand) || operand.path.length !== 1) return undefined;
    const name = String(operand.path[0]);
    return name.startsWith('#') ? at.names[name] : name;
  };
  const textIn = (operand: Operand): string => {
    const text = 'value' in operand ? at.values[operand.value]?.S : undefined;
    if (typeof text !== 'string')
      throw invalid('One or more parameter values were invalid: Condition parameter type does not match schema type');
    if (text === '')
      throw invalid(
        'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value.',
      );
    return text;
  };
  let hash: string | undefined;
  let place: KeyRange['place'] | undefined;
  for (const part of parts) {
    const name = 'one' in part ? nameIn(part.one) : undefined;
    if (name === names.hash && hash === undefined && part.kind === 'compare' && part.operator === '=') {
      hash = textIn(part.other);
    } else if (name === names.range && place === undefined) place = readPlace(part, textIn);
    else throw invalid('Query key condition not supported');
  }
  if (hash === undefined) throw invalid(`Query condition missed key schema element: ${names.hash}`);
  return { hash, place: place ?? (() => 0) };
}

function readPlace(part: Condition, textIn: (operand: Operand) => string): KeyRange['place'] {
  if (part.kind === 'between') {
    const [from, to] = [textIn(part.from), textIn(part.to)];
    if (compareText(from, to) > 0) {
      throw invalid(
        'Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower bound',
      );
    }
    return (sort) => (compareText(sort, from) < 0 ? -1 : compareText(sort, to) > 0 ? 1 : 0);
  }
  if (part.kind === 'begins_with') {
    const prefix = textIn(part.other);
    return (sort) => (sort.startsWith(prefix) ? 0 : compareText(sort, prefix));
  }
  if (part.kind !== 'compare' || part.operator === '<>') throw invalid('Query key condition not supported');
  const { operator } = part;
  const value = textIn(part.other);
  return (sort) => {
    const order = compareText(sort, value);
    if (operator === '=') return order;
    if (operator.startsWith('<')) return order < 0 || (order === 0 && operator === '<=') ? 0 : 1;
    return order > 0 || (order === 0 && operator === '>=') ? 0 : -1;
  };
}
