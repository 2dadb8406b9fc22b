import { awaitAll } from '../../../kernel/concurrency.ts';
import { readVersion } from '../../../kernel/storage/head.ts';
import { Snapshots } from '../../../kernel/storage/snapshot.ts';
import { compileModel, type Model, type Permission } from './compiled.ts';
import { MODEL_HEAD, type ModelRow, readModelRows } from './entity.ts';
import { firstRows, systemPermissions } from './start.ts';

/** Cached models by environment, at most 50. One of 1,000 permissions and 200 roles of 250 permissions takes some 5 MB. */
const models = new Snapshots<Model>(50);

/**
 * The current model of an environment. It takes one strongly consistent GetItem while this instance has cached its version,
 * otherwise two round trips: the rows with the version, and the version again.
 */
export async function loadModel(environmentId: string): Promise<Model> {
  const source = {
    version: () => readVersion(environmentId, MODEL_HEAD),
    rows: () =>
      awaitAll([readModelRows(environmentId), firstRows(environmentId), systemPermissions(environmentId)] as const),
    // Without a version, some of the first rows may exist because they are being written.
    compile: ([stored, first, system]: [ModelRow[], ModelRow[], Permission[]], version: number) =>
      compileModel(version, version === 0 ? first : stored, system),
  };
  return models.load(environmentId, source);
}
