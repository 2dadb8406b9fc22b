import { type Database, transaction } from '../database.ts';
import { Meter } from './capacity.ts';
import { type Expressions, type Given, isMet, readExpressions } from './expressions.ts';
import { limits } from './limits.ts';
import { type FindTable, transactionTooLarge, wrongTransactionSize } from './reads.ts';
import type { Row } from './rows.ts';
import type { Table } from './table.ts';
import { applyUpdate, partsAt, type Place, readPlaces } from './update.ts';
import { invalid, type Item, TableError } from './values.ts';

/** A single write, or an entry of a transaction. */
export interface WriteRequest extends Expressions {
  TableName: string;
  Item?: Item;
  Key?: Item;
  ReturnValues?: string;
  ReturnValuesOnConditionCheckFailure?: string;
  ReturnConsumedCapacity?: string;
}

/** The kinds of writes, by the names that transactions use. */
export type WriteKind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write whose request was checked, and that was not applied yet. */
interface Prepared {
  table: Table;
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

const UPDATE_TOO_LARGE = 'Item size to update has exceeded the maximum allowed size';

/** Checks a write's request and finds its row. @throws TableError */
function prepare(table: Table, kind: WriteKind, request: WriteRequest): Prepared {
  const given = readExpressions(request);
  if (kind === 'Put') {
    const row = table.makeRow(request.Item ?? {});
    const { pk, sk } = row;
    return { table, pk, sk, former: table.rows.find(pk, sk), given, request, places: [], make: () => row };
  }
  const key = request.Key ?? {};
  const { pk, sk } = table.readKey(key);
  const former = table.rows.find(pk, sk);
  const { update = [], at } = given;
  const places = readPlaces(
    'UpdateExpression',
    update.map(({ path }) => path),
    at,
  );
  checkKeyUnchanged(table, places);
  const make = (): Row | undefined => {
    if (kind === 'Delete') return undefined;
    if (kind === 'ConditionCheck') return former;
    return table.makeRow(applyUpdate(update, former?.item ?? key, at), UPDATE_TOO_LARGE);
  };
  return { table, pk, sk, former, given, request, places, make };
}

function checkKeyUnchanged({ keys }: Table, places: readonly Place[]): void {
  for (const [name] of places) {
    if (name !== keys.hash && name !== keys.range) continue;
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    );
  }
}

/** Reports whether the condition of a write is met. */
const isAllowed = ({ given, former }: Prepared): boolean => isMet(given.condition, former?.item, given.at);

/** Stores the row that a write makes, or removes the existing one. */
function store({ table, former }: Prepared, row: Row | undefined): void {
  if (row === undefined) {
    if (former !== undefined) table.remove(former);
  } else if (row !== former) table.put(row, former);
}

/** The existing item, if the request wants it with a failed condition. */
const presentExisting = ({ request, former }: Prepared): { Item?: Item } =>
  request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' && former !== undefined ? { Item: former.item } : {};

/** Stores rows in one transaction of the database. What the tables have in memory is read again if that fails. */
function commit(database: Database, writes: readonly (readonly [Prepared, Row | undefined])[]): void {
  try {
    transaction(database, () => {
      for (const [one, row] of writes) store(one, row);
    });
  } catch (error) {
    for (const [{ table }] of writes) table.forget();
    throw error;
  }
}

/** Carries out a single write. @throws TableError such as ConditionalCheckFailedException */
export function write(database: Database, table: Table, kind: WriteKind, request: WriteRequest): object {
  const { ReturnValues = 'NONE' } = request;
  if (kind !== 'Update' && ReturnValues !== 'NONE' && ReturnValues !== 'ALL_OLD') {
    throw invalid('ReturnValues can only be ALL_OLD or NONE');
  }
  const prepared = prepare(table, kind, request);
  if (!isAllowed(prepared)) {
    throw new TableError(
      'ConditionalCheckFailedException',
      'The conditional request failed',
      presentExisting(prepared),
    );
  }
  const row = prepared.make();
  commit(database, [[prepared, row]]);
  const attributes = returned(ReturnValues, prepared.former?.item, row?.item, prepared.places);
  const meter = new Meter(request);
  meter.addWrite(prepared, row, 1);
  return { ...(attributes && { Attributes: attributes }), ...meter.one() };
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

/** The request of TransactWriteItems. */
export interface TransactRequest {
  TransactItems: readonly TransactEntry[];
  ClientRequestToken?: string;
  ReturnConsumedCapacity?: string;
}

/**
 * Carries out a transaction: all writes or none.
 * @throws TableError TransactionCanceledException with the reason of each entry
 */
export function transact(database: Database, findTable: FindTable, request: TransactRequest): object {
  const { TransactItems: entries } = request;
  if (entries.length === 0 || entries.length > limits.transactionItems) throw wrongTransactionSize();
  const prepared = entries.map((entry) => {
    const [kind, ...others] = Object.keys(entry) as WriteKind[];
    const one = kind && entry[kind];
    if (kind === undefined || one === undefined || others.length > 0) {
      throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
    }
    return prepare(findTable(one.TableName), kind, one);
  });
  if (hasDuplicates(prepared)) throw invalid('Transaction request cannot include multiple operations on one item');
  const reasons: object[] = [];
  const made: (readonly [Prepared, Row | undefined])[] = [];
  let bytes = 0;
  for (const one of prepared) {
    if (!isAllowed(one)) {
      const Message = 'The conditional request failed';
      reasons.push({ Code: 'ConditionalCheckFailed', Message, ...presentExisting(one) });
      continue;
    }
    try {
      const row = one.make();
      made.push([one, row]);
      bytes += Math.max(row?.size ?? 0, one.former?.size ?? 0);
      reasons.push({ Code: 'None' });
    } catch (error) {
      reasons.push({ Code: 'ValidationError', Message: (error as Error).message });
    }
  }
  if (made.length < prepared.length) throw cancelled(reasons);
  if (bytes > limits.transactionBytes) throw transactionTooLarge();
  commit(database, made);
  const meter = new Meter(request);
  for (const [one, row] of made) meter.addWrite(one, row, 2);
  return meter.all();
}

function cancelled(CancellationReasons: readonly object[]): TableError {
  const codes = (CancellationReasons as { Code: string }[]).map(({ Code }) => Code).join(', ');
  const Message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new TableError('TransactionCanceledException', Message, { Message, CancellationReasons });
}

const hasDuplicates = (prepared: readonly Prepared[]): boolean =>
  new Set(prepared.map(({ table, pk, sk }) => JSON.stringify([table.name, pk, sk]))).size < prepared.length;

/** An entry of BatchWriteItem. */
export interface BatchEntry {
  PutRequest?: { Item: Item };
  DeleteRequest?: { Key: Item };
}

/** The request of BatchWriteItem. */
export interface BatchWriteRequest {
  RequestItems: Readonly<Record<string, readonly BatchEntry[]>>;
  ReturnConsumedCapacity?: string;
}

/** Carries out a batch of puts and deletes without conditions. @throws TableError */
export function writeBatch(database: Database, findTable: FindTable, request: BatchWriteRequest): object {
  const all = Object.entries(request.RequestItems).flatMap(([name, entries]) =>
    entries.map((entry) => ({ name, entry })),
  );
  if (all.length === 0 || all.length > limits.batchWriteItems) {
    throw invalid('Too many items requested for the BatchWriteItem call');
  }
  const prepared = all.map(({ name, entry: { PutRequest, DeleteRequest } }) =>
    PutRequest === undefined
      ? prepare(findTable(name), 'Delete', { TableName: name, ...(DeleteRequest && { Key: DeleteRequest.Key }) })
      : prepare(findTable(name), 'Put', { TableName: name, Item: PutRequest.Item }),
  );
  if (hasDuplicates(prepared)) throw invalid('Provided list of item keys contains duplicates');
  const made = prepared.map((one) => [one, one.make()] as const);
  commit(database, made);
  const meter = new Meter(request);
  for (const [one, row] of made) meter.addWrite(one, row, 1);
  return { UnprocessedItems: {}, ...meter.all() };
}
