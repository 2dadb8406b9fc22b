import { afterEach, beforeEach } from '@jest/globals';

import { callAws } from '../../lib/local/aws-call.ts';
import { AwsError } from '../../lib/local/aws-json.ts';
import type { LocalTables } from '../../lib/local/dynamodb/engine.ts';
import type { TableEngine } from '../../lib/local/table/engine.ts';
import { openEngine } from '../../lib/local/table/store.ts';
import { makeTable } from '../../lib/local/table/tables.ts';
import { tables } from '../../lib/topology/resources.ts';

/** The name of the tested table, which has the keys and indexes of the table of records. */
export const TableName = 'tested';
/** The table of records. */
export const [table] = tables.filter(({ stream }) => stream);
/** The engine, in memory unless a test opens a folder. */
export let local: LocalTables;
export let engine: TableEngine;

/** Opens the engine on a folder. */
export async function open(folder?: string): Promise<void> {
  local = openEngine(folder);
  engine = local.engine();
  if (table !== undefined) await makeTable(engine, TableName, table, true);
}

beforeEach(() => open());
afterEach(() => engine.stop());

/** The members of responses that the tests read. */
export type Body = Record<string, never> & {
  Items: Record<string, Record<string, string>>[];
  LastEvaluatedKey?: object;
  ConsumedCapacity: object;
};

/** Calls an operation on the table. */
export const run = (operation: string, input: object): Promise<Body> =>
  callAws<Body>(engine, operation, { TableName, ...input });
/** The key of a row. */
export const key = (sk: string | number, pk = 'a') => ({ pk: { S: pk }, sk: { S: String(sk) } });
/** Puts an item. */
export const put = (sk: string | number, more: object = {}): Promise<Body> =>
  run('PutItem', { Item: { ...key(sk), ...more } });
/** A text of so many bytes. */
export const text = (bytes: number) => ({ S: 'x'.repeat(bytes) });

/** The error of a call. */
export async function reject(operation: string, input: object): Promise<{ type: string; message: string }> {
  try {
    await run(operation, input);
  } catch (error) {
    if (error instanceof AwsError) return { type: error.type, message: error.message };
    throw error;
  }
  throw new Error(`${operation} was not rejected`);
}

/** A condition on the key, with its values. */
export function where(KeyConditionExpression: string, more: object = {}): object {
  return { KeyConditionExpression, ExpressionAttributeValues: { ':a': { S: 'a' }, ...more } };
}
