import { newEnvironment, newEnvironmentKey } from '../../../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../../../functions/kernel/authentication/caller.ts';
import { settings } from '../../../functions/kernel/settings.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import type { Write } from '../../../functions/kernel/storage/write.ts';
import { scanRows } from '../../support/documents.ts';

/** All rows of an entity in an environment, as they are stored. */
export async function readRows(entity: string, environmentId: string): Promise<Record<string, unknown>[]> {
  return (await rowsIn(environmentId)).filter((row) => row.__edb_e__ === entity);
}

/** All rows of an environment. */
export async function rowsIn(environmentId: string): Promise<Record<string, unknown>[]> {
  const found = await scanRows({ TableName: settings().GATEHOUSE_TABLE });
  return found.filter((row) => row.environmentId === environmentId);
}

/** A new environment, which is a platform, with a valid key. */
export async function makeEnvironment(): Promise<{ id: string; key: string }> {
  const environment = newEnvironment('test', undefined, undefined, undefined, true);
  const { id } = environment.record;
  return { id, key: await makeKey(id, environment.write) };
}

/**
 * Makes a valid key of an environment.
 * @param writes Further rows of the same transaction
 * @returns the key's value
 */
export async function makeKey(environmentId: string, ...writes: Write[]): Promise<string> {
  const key = newEnvironmentKey(environmentId, 'test');
  const unit = new Unit(environmentId, systemActor);
  unit.stage([...writes, ...key.writes]);
  await unit.commit();
  return key.value;
}
