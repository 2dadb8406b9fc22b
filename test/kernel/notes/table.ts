import { newEnvironment, newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { closeTableClient } from '../../../functions/kernel/storage/client.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { startTableEngine, type TableEngine } from '../../../lib/local/table/engine.ts';
import { type Item, makeTable, scan, tableNameOf } from '../../../lib/local/table/tables.ts';
import { tables } from '../../../lib/topology/resources.ts';

/** A table of its own for one test file, in memory, with the kernel pointed at it. */
export interface TestTable {
  /** All rows of an entity, in DynamoDB's own JSON. */
  rows: (entity: string) => Promise<Item[]>;
  stop: () => Promise<void>;
}

export async function openTable(): Promise<TestTable> {
  const engine = await startTableEngine(undefined);
  const [records] = tables;
  if (records === undefined) throw new Error('The topology has no table');
  const name = tableNameOf(records);
  await makeTable(engine, name, records, false);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: engine.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    GATEHOUSE_TABLE: name,
  });
  forgetSettings();
  return {
    rows: (entity) => rowsOf(engine, name, entity),
    stop: async () => {
      closeTableClient();
      await engine.stop();
    },
  };
}

async function rowsOf(engine: TableEngine, name: string, entity: string): Promise<Item[]> {
  const found: Item[] = [];
  for await (const page of scan(engine, name)) found.push(...page);
  return found.filter(({ __edb_e__: kind }) => kind?.S === entity);
}

/** A new environment with a key that works. */
export async function makeEnvironment(): Promise<{ id: string; key: string }> {
  const environment = newEnvironment('test');
  const { id } = environment.record;
  const key = newEnvironmentKey(id, 'test');
  const unit = new Unit(id, systemActor);
  unit.stage([environment.write, key.write]);
  await unit.commit();
  return { id, key: key.value };
}
