import { BatchWriteCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../settings.ts';
import { tableClient } from './client.ts';
import { StorageUnavailable } from './faults.ts';

/** DynamoDB's own limit on writes a BatchWriteItem takes. */
const BATCH = 25;

/**
 * Removes the rows that belong to an owner, of whatever kind, a page at a time through the index of owned rows. What it
 * removed stays removed if it is cut short, so it can simply be started again.
 *
 * @returns how many rows it removed.
 */
export async function removeOwned(environmentId: string, owner: string): Promise<number> {
  const TableName = settings().GATEHOUSE_TABLE;
  let removed = 0;
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await tableClient().send(
      new QueryCommand({
        TableName,
        IndexName: 'gsi4',
        KeyConditionExpression: 'gsi4pk = :owner',
        ExpressionAttributeValues: { ':owner': `${environmentId}#${owner}` },
        ProjectionExpression: 'pk, sk',
        ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }),
      }),
    );
    const keys = (page.Items ?? []).map(({ pk, sk }) => ({ pk: pk as string, sk: sk as string }));
    for (let at = 0; at < keys.length; at += BATCH) await removeKeys(TableName, keys.slice(at, at + BATCH));
    removed += keys.length;
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  return removed;
}

async function removeKeys(table: string, keys: readonly { pk: string; sk: string }[]): Promise<void> {
  const requests = keys.map((Key) => ({ DeleteRequest: { Key } }));
  const { UnprocessedItems } = await tableClient().send(new BatchWriteCommand({ RequestItems: { [table]: requests } }));
  if ((UnprocessedItems?.[table]?.length ?? 0) > 0) throw new StorageUnavailable('DynamoDB left rows of a batch');
}
