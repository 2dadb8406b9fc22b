import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Table } from '../../topology/model.ts';
import { callAws } from '../aws-call.ts';
import { AwsError } from '../aws-json.ts';
import type { TableEngine } from './engine.ts';
import { scan, tableNameOf } from './tables.ts';

/**
 * Removes the rows of a table whose time has passed, as DynamoDB's TTL does in a deployment, by the local clock.
 * @param seconds the local clock, in seconds since the epoch
 */
export async function sweep(engine: TableEngine, table: Table, seconds: number): Promise<void> {
  if (engine.expire === undefined) return sweepForeign(engine, table, seconds);
  while (engine.expire(tableNameOf(table), seconds) > 0) await nextTurn();
}

/** Removes expired rows of an engine that the developer runs, which has no operation for it. */
async function sweepForeign(engine: TableEngine, table: Table, seconds: number): Promise<void> {
  const TableName = tableNameOf(table);
  const expired = {
    ExpressionAttributeNames: { '#ttl': table.ttlAttribute },
    ExpressionAttributeValues: { ':now': { N: String(seconds) } },
  };
  for await (const items of scan(engine, TableName, { FilterExpression: '#ttl <= :now', ...expired })) {
    for (const item of items) {
      const Key = { [table.partitionKey]: item[table.partitionKey], [table.sortKey]: item[table.sortKey] };
      await remove(engine, { TableName, Key, ConditionExpression: '#ttl <= :now', ...expired });
    }
  }
}

/** Removes a row, unless it was renewed since it was read. */
async function remove(engine: TableEngine, request: object): Promise<void> {
  try {
    await callAws(engine, 'DeleteItem', request);
  } catch (error) {
    if (!(error instanceof AwsError) || error.type !== 'ConditionalCheckFailedException') throw error;
  }
}
