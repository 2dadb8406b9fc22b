import { headKey, readVersion, versionInHead } from '../../kernel/storage/head.ts';
import type { RowKey } from '../../kernel/storage/row.ts';
import { Snapshots } from '../../kernel/storage/snapshot.ts';
import { compileModel, type Model, type Permission } from './compiled.ts';
import { MODEL_HEAD, type ModelRow, readModelRows } from './entity.ts';
import { firstRows, systemPermissions } from './start.ts';

/** Maximum models cached by an instance. One of 1,000 permissions and 200 roles of 250 permissions takes some 5 MB. */
const models = new Snapshots<Model>(50);

/**
 * The current model of an environment. One strongly consistent GetItem while this instance has its version, else two
 * round trips: the rows with the version, and the version again.
 * @param known The version in the head, if the caller has read it already: no read while this instance has it.
 */
export async function loadModel(environmentId: string, known?: number): Promise<Model> {
  const source = {
    version: () => readVersion(environmentId, MODEL_HEAD),
    rows: () =>
      Promise.all([readModelRows(environmentId), firstRows(environmentId), systemPermissions(environmentId)] as const),
    // Without a head there may be some of the first rows, which are being written.
    compile: ([stored, first, system]: [ModelRow[], ModelRow[], Permission[]], version: number) =>
      compileModel(version, version === 0 ? first : stored, system),
  };
  return models.load(environmentId, source, known);
}

/** The key of a row with the model's version, for a caller that reads it with other rows; see {@link modelVersion}. */
export const modelHeadKey = (environmentId: string): RowKey => headKey(environmentId, MODEL_HEAD);

/**
 * The model's version in the row of {@link modelHeadKey}; absent if the model was never changed. For {@link loadModel}.
 */
export const modelVersion = (row: Readonly<Record<string, unknown>> | undefined): number => versionInHead(row);
