import type { Table } from '../../topology/model.ts';
import { type Engine, callAws } from '../aws-call.ts';
import { AwsError } from '../aws-json.ts';
import { scan, tableNameOf } from './tables.ts';

/**
 * Removes the rows of a table whose time has passed, as DynamoDB's TTL does in a deployment; the local engine does not.
 * @param seconds the local clock, in seconds since the epoch
 * @returns the number of removed rows
 */
export async function sweep(engine: Engine, table: Table, seconds: number): Promise<number> {
  const TableName = tableNameOf(table);
  const expired = {
    ExpressionAttributeNames: { '#ttl': table.ttlAttribute },
    ExpressionAttributeValues: { ':now': { N: String(seconds) } },
  };
  let removed = 0;
  for await (const items of scan(engine, TableName, { FilterExpression: '#ttl <= :now', ...expired })) {
    for (const item of items) {
      const Key = { [table.partitionKey]: item[table.partitionKey], [table.sortKey]: item[table.sortKey] };
      const isRemoved = await remove(engine, { TableName, Key, ConditionExpression: '#ttl <= :now', ...expired });
      if (isRemoved) removed += 1;
    }
  }
  return removed;
}

/**
 * Removes a row.
 * @returns false for a row that was renewed since it was read, which is kept
 */
async function remove(engine: Engine, request: object): Promise<boolean> {
  try {
    await callAws(engine, 'DeleteItem', request);
    return true;
  } catch (error) {
    if (error instanceof AwsError && error.type === 'ConditionalCheckFailedException') return false;
    throw error;
  }
}
