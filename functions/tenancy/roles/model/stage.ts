import type { Issue } from '../../../kernel/errors.ts';
import { TRIES } from '../../../kernel/storage/background.ts';
import { StorageUnavailable } from '../../../kernel/storage/faults.ts';
import { raiseHead } from '../../../kernel/storage/head.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import type { Model } from './compiled.ts';
import { MODEL_HEAD } from './entity.ts';
import { loadModel } from './load.ts';
import { writeFirstRows } from './start.ts';

/**
 * The current model with its rows, for a change. All changes of a model are serialized, since each increments the version
 * that it read, so a decision that is based on this model is still valid at the commit.
 */
export async function modelForChange(environmentId: string): Promise<Model> {
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const model = await loadModel(environmentId);
    if (model.version > 0) return model;
    // The commit may conflict and write nothing. Without the first rows, the changed rows would be the whole model.
    await writeFirstRows(environmentId);
  }
  throw new StorageUnavailable('The first rows of a model could not be written');
}

/**
 * Stages a change of a model's rows with the next version, which adds the twelve rows of the version to the unit of work. It fails if the model
 * was changed in the meantime.
 */
export function stageModel(
  unit: Pick<Unit, 'stage'>,
  environmentId: string,
  model: Pick<Model, 'version'>,
  writes: readonly Write[],
): void {
  unit.stage([...writes, ...raiseHead(environmentId, MODEL_HEAD, model.version)]);
}

/** The issue of a member that exceeds a limit. */
export const tooMany = (field: string, most: number, of: string): Issue => ({
  field,
  code: 'too_big',
  message: `would be one too many: there can be ${most} ${of}`,
});

/**
 * Reports whether permissions and roles of a resource type can be added: the model has the type, and it is not being
 * removed.
 */
export const isUsableType = (model: Model, slug: string): boolean => model.types.get(slug)?.isLeaving === false;
