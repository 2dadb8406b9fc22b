import { DeleteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../settings.ts';
import { BATCH, writeBatch } from './batch.ts';
import { tableClient } from './client.ts';
import { isConditionFailure } from './faults.ts';
import { ENVIRONMENT_OWNER, ownerKey } from './record.ts';

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

/** Owners directly below an environment that own rows themselves. */
const OWNERS = ['organization', 'user'] as const;

/**
 * Removes an environment's records, those of its organizations and users first, so that an interrupted run finds these
 * again. Events and other rows with a TTL expire by themselves; nothing can refer to them any more.
 */
export async function removeEnvironment(environmentId: string): Promise<number> {
  let removed = 0;
  for await (const rows of ownedRows(environmentId, ENVIRONMENT_OWNER)) {
    for (const { kind, id } of rows) {
      const owner = OWNERS.find((name) => name === kind);
      if (owner !== undefined) removed += await removeOwned(environmentId, ownerKey(owner, id));
    }
    await removeRows(environmentId, ENVIRONMENT_OWNER, rows);
    removed += rows.length;
  }
  return removed;
}

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

async function removeRows(environmentId: string, owner: string, rows: readonly OwnedRow[]): Promise<void> {
  const table = settings().GATEHOUSE_TABLE;
  const isValue = ({ kind }: OwnedRow): boolean => kind === 'unique';
  await removeValues(table, `${environmentId}#${owner}`, rows.filter(isValue));
  const records = rows.filter((row) => !isValue(row));
  for (let at = 0; at < records.length; at += BATCH) {
    await writeBatch(records.slice(at, at + BATCH).map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
  }
}

/**
 * Removes rows of unique values one by one, because the index lags, and a value that was released by the deletion may have
 * a new holder in the meantime.
 */
async function removeValues(table: string, ownedBy: string, rows: readonly OwnedRow[]): Promise<void> {
  for (const { pk, sk } of rows) {
    try {
      await tableClient().send(
        new DeleteCommand({
          TableName: table,
          Key: { pk, sk },
          ConditionExpression: 'gsi4pk = :owner',
          ExpressionAttributeValues: { ':owner': ownedBy },
        }),
      );
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
    }
  }
}
