import { BatchGetCommand, type BatchGetCommandOutput, GetCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../settings.ts';
import { tableClient } from './client.ts';
import { StorageUnavailable } from './faults.ts';
import { isRowKey } from './key-size.ts';
import type { RowKey } from './row.ts';

/** A row in the form in which the table stores it. */
export type StoredRow = Record<string, unknown>;

/** The limit of DynamoDB on the keys of a BatchGetItem. */
const BATCH = 100;
/** Maximum number of attempts to read the keys that DynamoDB left unread. */
const TRIES = 2;

/** A row for which some reads wait. */
interface Awaited {
  key: RowKey;
  row: Promise<StoredRow | undefined>;
  resolve: (row: StoredRow | undefined) => void;
  reject: (error: unknown) => void;
}

/** The rows of one wave of parallel reads, each of them once. */
class Wave {
  readonly #rows = new Map<string, Awaited>();

  add({ pk, sk }: RowKey): Promise<StoredRow | undefined> {
    const address = addressOf({ pk, sk });
    const known = this.#rows.get(address);
    if (known !== undefined) return known.row;
    const { promise: row, resolve, reject } = Promise.withResolvers<StoredRow | undefined>();
    this.#rows.set(address, { key: { pk, sk }, row, resolve, reject });
    return row;
  }

  send(): void {
    const rows = [...this.#rows.values()];
    for (let at = 0; at < rows.length; at += BATCH) {
      const batch = rows.slice(at, at + BATCH);
      readRows(batch.map(({ key }) => key)).then(
        (found) => {
          for (const { key, resolve } of batch) resolve(found.get(addressOf(key)));
        },
        (error: unknown) => {
          for (const { reject } of batch) reject(error);
        },
      );
    }
  }
}

const addressOf = ({ pk, sk }: RowKey): string => `${pk}\n${sk}`;

/** Reads rows by their addresses, by one strongly consistent GetItem or BatchGetItem. */
async function readRows(keys: readonly RowKey[]): Promise<Map<string, StoredRow>> {
  const table = settings().GATEHOUSE_TABLE;
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) {
    const { Item } = await tableClient().send(new GetCommand({ TableName: table, Key: only, ConsistentRead: true }));
    return new Map(Item === undefined ? [] : [[addressOf(only), Item]]);
  }
  const found = new Map<string, StoredRow>();
  let left: StoredRow[] | undefined = [...keys] as unknown as StoredRow[];
  for (let attempt = 1; left !== undefined; attempt += 1) {
    if (attempt > TRIES) throw new StorageUnavailable('DynamoDB left keys of a batch unread');
    const { Responses, UnprocessedKeys }: BatchGetCommandOutput = await tableClient().send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: true } } }),
    );
    for (const row of Responses?.[table] ?? []) found.set(addressOf(row as unknown as RowKey), row);
    left = UnprocessedKeys?.[table]?.Keys;
  }
  return found;
}

/** The wave whose reads are being collected. */
let current: Wave | undefined;

/**
 * Reads one row, strongly consistent, by a GetItem, or within {@link readTogether} as a part of the wave's BatchGetItem.
 */
export async function readRow(key: RowKey): Promise<StoredRow | undefined> {
  if (!isRowKey(key)) return undefined;
  if (current !== undefined) return current.add(key);
  return (await readRows([key])).get(addressOf(key));
}

/** Reads one row by an eventually consistent GetItem, which costs half as many units and may lag by moments. */
export async function readLaggingRow(key: RowKey): Promise<StoredRow | undefined> {
  const { Item } = await tableClient().send(
    new GetCommand({ TableName: settings().GATEHOUSE_TABLE, Key: { pk: key.pk, sk: key.sk } }),
  );
  return Item;
}

/**
 * Collects the reads of single rows that a function starts **before it waits for anything**, and sends them as one
 * BatchGetItem for each hundred rows instead of a GetItem for each. Read units and consistency are the same, with one
 * signed request instead of many. Reads that the function starts later are sent separately. Nested calls share their
 * requests.
 */
export function readTogether<T>(work: () => T): T {
  if (current !== undefined) return work();
  const wave = new Wave();
  current = wave;
  try {
    return work();
  } finally {
    current = undefined;
    wave.send();
  }
}
