import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import { mapConcurrently } from '../concurrency.ts';
import { settings } from '../settings.ts';
import { backOff, TRIES } from './background.ts';
import { tableClient } from './client.ts';
import { isConditionFailure, StorageUnavailable } from './faults.ts';
import { environmentOwners, ownerKey } from './record.ts';

/**
 * Removes all rows of an owner, of any kind, a page at a time through the index of owned rows. It may be interrupted
 * and started again.
 *
 * @returns the number of removed rows
 */
export async function removeOwned(environmentId: string, owner: string): Promise<number> {
  let removed = 0;
  for await (const rows of ownedRows(environmentId, owner)) {
    await removeRows(environmentId, owner, rows);
    removed += rows.length;
  }
  return removed;
}

/** Number of organizations and users whose rows are removed at once. */
const OWNERS_AT_ONCE = 10;

/** The owner that a row of an environment names: an organization or a user, or one whose erasure is not complete. */
function readOwner({ kind, id }: OwnedRow): string[] {
  if (kind === 'organization' || kind === 'user') return [ownerKey(kind, id)];
  return kind === ERASURE_ROW ? [id] : [];
}

/**
 * Removes an environment's records, those of its organizations and users first, so that an interrupted run finds these
 * again. Rows of kinds that expire by themselves may have no owner; nothing can refer to them any more.
 */
export async function removeEnvironment(environmentId: string): Promise<number> {
  let removed = 0;
  for (const owner of environmentOwners()) {
    for await (const rows of ownedRows(environmentId, owner)) {
      const owners = rows.flatMap(readOwner);
      await mapConcurrently(owners, OWNERS_AT_ONCE, async (each) => {
        removed += await removeOwned(environmentId, each);
      });
      await removeRows(environmentId, owner, rows);
      removed += rows.length;
    }
  }
  return removed;
}

/** The ElectroDB entity name of the row of a deleted owner. */
export const ERASURE_ROW = 'erasure';

interface OwnedRow {
  pk: string;
  sk: string;
  id: string;
  kind: string;
}

async function* ownedRows(environmentId: string, owner: string): AsyncGenerator<OwnedRow[]> {
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await tableClient().send(
      new QueryCommand({
        TableName: settings().GATEHOUSE_TABLE,
        IndexName: 'gsi4',
        KeyConditionExpression: 'gsi4pk = :owner',
        ExpressionAttributeValues: { ':owner': `${environmentId}#${owner}` },
        ExpressionAttributeNames: { '#kind': '__edb_e__' },
        ProjectionExpression: 'pk, sk, id, #kind',
        ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
      }),
    );
    yield ((page.Items ?? []) as Record<string, string>[]).map(rowOf);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}

const rowOf = ({ pk = '', sk = '', id = '', __edb_e__: kind = '' }: Record<string, string>): OwnedRow => ({
  pk,
  sk,
  id,
  kind,
});

/** Number of rows that are removed at once. */
const WIDTH = 25;

/**
 * Removes rows one by one: a function that may remove rows of any kind must not write any, and BatchWriteItem allows both. A unique
 * value is removed only if the owner still has it, because the index lags, and a value that was released by the deletion may have a
 * new holder in the meantime.
 */
async function removeRows(environmentId: string, owner: string, rows: readonly OwnedRow[]): Promise<void> {
  const ifOwned = {
    ConditionExpression: 'gsi4pk = :owner',
    ExpressionAttributeValues: { ':owner': `${environmentId}#${owner}` },
  };
  await mapConcurrently(rows, WIDTH, ({ pk, sk, kind }) => removeRow({ pk, sk }, kind === 'unique' ? ifOwned : {}));
}

/** @throws StorageUnavailable if transactions of others keep changing the row */
async function removeRow(Key: { pk: string; sk: string }, condition: object): Promise<void> {
  const command = new DeleteCommand({ TableName: settings().GATEHOUSE_TABLE, Key, ...condition });
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    await backOff(attempt);
    try {
      await tableClient().send(command);
      return;
    } catch (error) {
      if (isConditionFailure(error)) return;
      if (!(error instanceof Error && error.name === 'TransactionConflictException')) throw error;
    }
  }
  throw new StorageUnavailable('A row of a deleted owner kept being changed by others');
}
