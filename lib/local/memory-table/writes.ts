import { type Expressions, type Given, isMet, readExpressions } from './expressions.ts';
import type { Row } from './rows.ts';
import type { MemoryTable } from './table.ts';
import { applyUpdate, partsAt, type Place, readPlaces } from './update.ts';
import { invalid, type Item, TableError } from './values.ts';

/** A single write, or an entry of a transaction. */
export interface WriteRequest extends Expressions {
  TableName: string;
  Item?: Item;
  Key?: Item;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
}

/** The kinds of writes, by the names that transactions use. */
export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write whose request was checked, and that was not applied yet. */
export interface Prepared {
  table: MemoryTable;
  pk: string;
  sk: string;
  /** The row before the write; undefined if there is none. */
  former: Row | undefined;
  given: Given;
  request: WriteRequest;
  /** The document paths that an update changes. */
  places: readonly Place[];
  /** Makes the new row of a Put or an Update; undefined for a Delete, `former` for a check. @throws TableError */
  make: () => Row | undefined;
}

/** Checks a write's request and finds its row. @throws TableError */
export function prepare(table: MemoryTable, kind: WriteKind, request: WriteRequest): Prepared {
  const given = readExpressions(request);
  if (kind === 'Put') {
    const row = table.makeRow(request.Item ?? {});
    const { pk, sk } = row;
    return { table, pk, sk, former: table.at(pk, sk), given, request, places: [], make: () => row };
  }
  const key = request.Key ?? {};
  const former = table.find(key);
  const [pk, sk] = [table.readKey(key, table.keys.hash), table.readKey(key, table.keys.range)];
  const { update = [], at } = given;
  const places = readPlaces(update, at);
  checkKeyUnchanged(table, places);
  const make = (): Row | undefined => {
    if (kind === 'Delete') return undefined;
    if (kind === 'ConditionCheck') return former;
    return table.makeRow(applyUpdate(update, former?.item ?? key, at));
  };
  return { table, pk, sk, former, given, request, places, make };
}

function checkKeyUnchanged({ keys }: MemoryTable, places: readonly Place[]): void {
  for (const [name] of places) {
    if (name !== keys.hash && name !== keys.range) continue;
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
  }
}

/** Reports whether the condition of a write is met. */
export const isAllowed = ({ given, former }: Prepared): boolean => isMet(given.condition, former?.item, given.at);

/** Stores the row that a write makes, or removes the existing one. */
export function store({ table, former }: Prepared, row: Row | undefined): void {
  if (row === undefined) {
    if (former !== undefined) table.remove(former);
  } else if (row !== former) table.put(row, former);
}

/** The existing item, if the request wants it with a failed condition. */
export const presentExisting = ({ request, former }: Prepared): { Item?: Item } =>
  request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && former !== undefined ? { Item: former.item } : {};

/** Carries out a single write. @throws TableError such as ConditionalCheckFailedException */
export function write(table: MemoryTable, kind: WriteKind, request: WriteRequest): object {
  const prepared = prepare(table, kind, request);
  if (!isAllowed(prepared)) {
    throw new TableError(
      'ConditionalCheckFailedException',
      'The conditional request failed',
      presentExisting(prepared),
    );
  }
  const row = prepared.make();
  store(prepared, row);
  const attributes = returned(request.ReturnValues ?? 'NONE', prepared.former?.item, row?.item, prepared.places);
  return attributes === undefined ? {} : { Attributes: attributes };
}

function returned(
  wanted: string,
  old: Item | undefined,
  current: Item | undefined,
  places: readonly Place[],
): Item | undefined {
  const of = wanted.endsWith('OLD') ? old : current;
  if (wanted === 'NONE' || of === undefined) return undefined;
  if (wanted.startsWith('ALL')) return of;
  const parts = partsAt(of, places);
  return Object.keys(parts).length === 0 ? undefined : parts;
}

/** The entries of a transaction that writes. */
export type TransactEntry = Partial<Record<WriteKind, WriteRequest>>;

const MAX_TRANSACTION = 100;
const MAX_TRANSACTION_BYTES = 4 * 1_024 * 1_024;

/**
 * Carries out a transaction: all writes or none.
 * @throws TableError TransactionCanceledException with the reason of each entry
 */
export function transact(tableNamed: (name: string) => MemoryTable, entries: readonly TransactEntry[]): object {
  if (entries.length === 0 || entries.length > MAX_TRANSACTION) {
    throw invalid(
      `1 validation error detected: Value at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to ${MAX_TRANSACTION}, and greater than or equal to 1`,
    );
  }
  const prepared = entries.map((entry) => {
    const [kind, ...others] = Object.keys(entry) as WriteKind[];
    const request = kind && entry[kind];
    if (kind === undefined || request === undefined || others.length > 0) {
      throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
    }
    return prepare(tableNamed(request.TableName), kind, request);
  });
  const keys = new Set(prepared.map(({ table, pk, sk }) => JSON.stringify([table.name, pk, sk])));
  if (keys.size < prepared.length) {
    throw invalid('Transaction request cannot include multiple operations on one item');
  }
  const reasons: object[] = [];
  const made: (Row | undefined)[] = [];
  let bytes = 0;
  for (const one of prepared) {
    if (!isAllowed(one)) {
      reasons.push({
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
        ...presentExisting(one),
      });
      continue;
    }
    try {
      const row = one.make();
      made.push(row);
      bytes += row?.size ?? 0;
      reasons.push({ Code: 'None' });
    } catch (error) {
      reasons.push({ Code: 'ValidationError', Message: (error as Error).message });
    }
  }
  if (made.length < prepared.length) throw cancelled(reasons);
  if (bytes > MAX_TRANSACTION_BYTES) throw invalid('Collection size has exceeded the maximum of 4 MB');
  for (const [at, one] of prepared.entries()) store(one, made[at]);
  return {};
}

function cancelled(CancellationReasons: readonly object[]): TableError {
  const codes = (CancellationReasons as { Code: string }[]).map(({ Code }) => Code).join(', ');
  const Message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new TableError('TransactionCanceledException', Message, { Message, CancellationReasons });
}

/** An entry of BatchWriteItem. */
export interface BatchEntry {
  PutRequest?: { Item: Item };
  DeleteRequest?: { Key: Item };
}

const MAX_BATCH = 25;

/** Carries out a batch of puts and deletes without conditions. @throws TableError */
export function writeBatch(
  tableNamed: (name: string) => MemoryTable,
  requests: Readonly<Record<string, readonly BatchEntry[]>>,
): object {
  const all = Object.entries(requests).flatMap(([name, entries]) => entries.map((entry) => ({ name, entry })));
  if (all.length === 0 || all.length > MAX_BATCH) throw invalid('Too many items requested for the BatchWriteItem call');
  const prepared = all.map(({ name, entry: { PutRequest, DeleteRequest } }) =>
    PutRequest === undefined
      ? prepare(tableNamed(name), 'Delete', { TableName: name, ...(DeleteRequest && { Key: DeleteRequest.Key }) })
      : prepare(tableNamed(name), 'Put', { TableName: name, Item: PutRequest.Item }),
  );
  const keys = new Set(prepared.map(({ table, pk, sk }) => JSON.stringify([table.name, pk, sk])));
  if (keys.size < prepared.length) throw invalid('Provided list of item keys contains duplicates');
  for (const one of prepared) store(one, one.make());
  return { UnprocessedItems: {} };
}
