import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { forgetSettings } from '../../functions/kernel/settings.ts';
import { closeTableClient } from '../../functions/kernel/storage/client.ts';
import type { Table } from '../../lib/topology/model.ts';
import { tables } from '../../lib/topology/resources.ts';

/** An empty table in memory, to which this process's kernel is pointed. */
export interface TestTable {
  stop: () => Promise<void>;
}

/** Starts an engine of the test's own, with the topology's tables in it. */
export async function startTable(): Promise<TestTable> {
  const port = await freePort();
  const binary = join(dirname(createRequire(import.meta.url).resolve('@dynoxide/linux-x64/package.json')), 'dynoxide');
  const engine = spawn(binary, ['--port', String(port)], { stdio: 'ignore' });
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}`,
    GATEHOUSE_LOG_LEVEL: 'silent',
    ...Object.fromEntries(tables.map(({ name, variable }) => [variable, name])),
  });
  forgetSettings();
  closeTableClient();
  await createTables();
  return { stop: () => stop(engine) };
}

async function createTables(): Promise<void> {
  const client = new DynamoDBClient({ maxAttempts: 1 });
  const deadline = performance.now() + 30_000;
  for (const table of tables) await createTable(client, table, deadline);
  client.destroy();
}

const schemaOf = (of: { partitionKey: string; sortKey: string }) => [
  { AttributeName: of.partitionKey, KeyType: 'HASH' as const },
  { AttributeName: of.sortKey, KeyType: 'RANGE' as const },
];

/** Creates a table, again while the engine is still starting. */
async function createTable(client: DynamoDBClient, table: Table, deadline: number): Promise<void> {
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
  for (;;) {
    try {
      await client.send(command);
      return;
    } catch (error) {
      if (performance.now() > deadline || (error as Error).name === 'ResourceInUseException') throw error;
      await delay(20);
    }
  }
}

async function stop(engine: ChildProcess): Promise<void> {
  closeTableClient();
  engine.kill();
  await once(engine, 'exit');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
