import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { workKind } from '../../../kernel/storage/work.ts';
import { stageModel } from './stage.ts';
import { modelRows, typeRowId } from './entity.ts';
import { loadModel } from './load.ts';

/** The work that removes the resources of a type that is being removed, and then the type by `finishTypeRemoval`. */
export const typeRemoval = workKind<{ slug: string }>('authorization.remove_type', { runs: 2 });

/** Removes a type from the model after its resources were removed. */
export const finishTypeRemoval = (environmentId: string, slug: string): Promise<void> =>
  applyWork(environmentId, systemActor, async (unit) => {
    const model = await loadModel(environmentId);
    const row = model.rows.get(typeRowId(slug));
    if (row?.isLeaving === true) stageModel(unit, environmentId, model, [modelRows.remove(row)]);
  });
