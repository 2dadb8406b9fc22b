import { paginateScan } from '@aws-sdk/lib-dynamodb';

import { newEnvironment, newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { settings } from '../../../functions/kernel/settings.ts';
import { tableClient } from '../../../functions/kernel/storage/client.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';

/** All rows of an entity in an environment, as they are stored. */
export async function readRows(entity: string, environmentId: string): Promise<Record<string, unknown>[]> {
  return (await rowsIn(environmentId)).filter((row) => row.__edb_e__ === entity);
}

/** All rows of an environment. */
export async function rowsIn(environmentId: string): Promise<Record<string, unknown>[]> {
  const pages = paginateScan({ client: tableClient() }, { TableName: settings().GATEHOUSE_TABLE });
  const found: Record<string, unknown>[] = [];
  for await (const { Items = [] } of pages) found.push(...Items);
  return found.filter((row) => row.environmentId === environmentId);
}

/** A new environment, which is a platform, with a valid key. */
export async function makeEnvironment(): Promise<{ id: string; key: string }> {
  const environment = newEnvironment('test', undefined, undefined, undefined, true);
  const { id } = environment.record;
  const key = newEnvironmentKey(id, 'test');
  const unit = new Unit(id, systemActor);
  unit.stage([environment.write, key.write]);
  await unit.commit();
  return { id, key: key.value };
}
