import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

import { useRequestHandlers } from '../../functions/kernel/aws-requests.ts';
import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { inProcessHandlers } from '../../lib/local/in-process-handler.ts';
import { MemoryTables, runInMemory } from '../../lib/local/memory-table/engine.ts';
import { startTableEngine } from '../../lib/local/table/engine.ts';
import { makeTable } from '../../lib/local/table/tables.ts';
import type { Table } from '../../lib/topology/model.ts';
import { tables } from '../../lib/topology/resources.ts';

/** Creates empty tables for the kernel in this process. */
export interface TestTable {
  stop: () => Promise<void>;
}

/**
 * Creates the topology's tables in the memory of this process. A call of the kernel takes a turn of the event loop and no
 * connection, so it costs a fifth of one to another process. Clients of the SDK and other processes do not reach these tables.
 */
export async function startMemoryTable(): Promise<TestTable> {
  const { run, ...engine } = new MemoryTables().engine();
  if (run === undefined) throw new Error('The tables in memory have no function that carries out a call');
  await Promise.all(tables.map((table) => makeTable({ ...engine, run }, table.name, table, false)));
  const url = 'http://table-in-memory.invalid';
  const former = useRequestHandlers(
    inProcessHandlers({ [url]: ({ operation, input }) => Promise.resolve(runInMemory(run, operation, input)) }),
  );
  useTables(url);
  return {
    stop: async () => {
      useRequestHandlers(former);
      closeTableClient();
      await engine.stop();
    },
  };
}

/**
 * Starts an engine of the test's own, with the topology's tables, in a process that others reach too.
 * @param file A database that has some of them already; in memory if absent
 */
export async function startTable(file?: string): Promise<TestTable> {
  const engine = await startTableEngine(file, () => undefined);
  useTables(engine.url);
  await createTables();
  return {
    stop: async () => {
      closeTableClient();
      await engine.stop();
    },
  };
}

function useTables(url: string): void {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: url,
    GATEHOUSE_LOG_LEVEL: 'silent',
    ...Object.fromEntries(tables.map(({ name, variable }) => [variable, name])),
  });
  forgetSettings();
  closeTableClient();
}

async function createTables(): Promise<void> {
  const client = new DynamoDBClient({ maxAttempts: 1 });
  const { TableNames = [] } = await client.send(new ListTablesCommand({}));
  for (const table of tables) if (!TableNames.includes(table.name)) await createTable(client, table);
  client.destroy();
}

const schemaOf = (of: { partitionKey: string; sortKey: string }) => [
  { AttributeName: of.partitionKey, KeyType: 'HASH' as const },
  { AttributeName: of.sortKey, KeyType: 'RANGE' as const },
];

async function createTable(client: DynamoDBClient, table: Table): Promise<void> {
  const keys = [table, ...table.indexes].flatMap(({ partitionKey, sortKey }) => [partitionKey, sortKey]);
  const indexes = table.indexes.map((index) => ({
    IndexName: index.name,
    KeySchema: schemaOf(index),
    Projection: { ProjectionType: 'ALL' as const },
  }));
  const command = new CreateTableCommand({
    TableName: table.name,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [...new Set(keys)].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: schemaOf(table),
    ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
  });
  await client.send(command);
}
