import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../settings.ts';
import { backOff, TRIES } from './background.ts';
import { tableClient } from './client.ts';
import { StorageUnavailable } from './faults.ts';

/** The limit of DynamoDB on the writes of a BatchWriteItem. */
export const BATCH = 25;

/** A write of a batch, which has no condition: a whole row, or the key of a row to remove. */
export type BatchRequest =
  | { PutRequest: { Item: Record<string, unknown> } }
  | { DeleteRequest: { Key: Record<string, unknown> } };

/**
 * Writes up to 25 rows by BatchWriteItem, and those that DynamoDB left over again, up to five times with increasing
 * delays. Rows of the batch become visible one by one.
 * @throws StorageUnavailable if DynamoDB leaves rows over each time
 */
export async function writeBatch(requests: readonly BatchRequest[]): Promise<void> {
  const table = settings().GATEHOUSE_TABLE;
  let left = [...requests];
  for (let attempt = 1; left.length > 0; attempt += 1) {
    if (attempt > TRIES) throw new StorageUnavailable('DynamoDB left rows of a batch');
    await backOff(attempt);
    const { UnprocessedItems } = await tableClient().send(new BatchWriteCommand({ RequestItems: { [table]: left } }));
    left = (UnprocessedItems?.[table] ?? []) as BatchRequest[];
  }
}
