import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';

import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import { startTableEngine } from '../../lib/local/table/engine.ts';
import type { Table } from '../../lib/topology/model.ts';
import { tables } from '../../lib/topology/resources.ts';

/** An empty table in memory, which this process's kernel uses. */
export interface TestTable {
  stop: () => Promise<void>;
}

/**
 * Starts an engine of the test's own, with the topology's tables.
 * @param file A database that has some of them already; in memory if absent
 */
export async function startTable(file?: string): Promise<TestTable> {
  const engine = await startTableEngine(file, () => undefined);
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
    GATEHOUSE_LOG_LEVEL: 'silent',
    ...Object.fromEntries(tables.map(({ name, variable }) => [variable, name])),
  });
  forgetSettings();
  closeTableClient();
  await createTables();
  return {
    stop: async () => {
      closeTableClient();
      await engine.stop();
    },
  };
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
