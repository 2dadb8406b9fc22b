import type { Actor } from '../../../kernel/authentication/caller.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Model } from '../model/compiled.ts';
import { modelForChange, stageModel } from '../model/stage.ts';
import { permissionRemoval } from '../permission/removal.ts';
import { planSteps, type Step } from './plan.ts';
import type { ModelDocument } from './schema.ts';

/**
 * Maximum number of rows that the changes in one transaction write, in addition to twelve with the model's version and one for
 * the work that its deleted permissions cause.
 */
const MOST_ROWS = 77;

/** The state of the model from which a document was validated and planned. */
interface Base {
  model: Model;
  steps: readonly Step[];
  /**
   * The error for a model that another call changes at the same time. If undefined, the document is applied to the changed
   * model.
   */
  onChanged: Failure | undefined;
}

/**
 * Changes the model to the state in a document, in as many transactions as it takes. Each transaction requires the version
 * that the previous one made, so a plan stays valid until it is done or another call changes the model. Then the remaining
 * steps are planned again. A full model (50 types, 1,000 permissions, 200 roles) takes 30 transactions.
 * @throws Failure `onChanged`
 */
export async function applyDocument(
  environmentId: string,
  actor: Actor,
  document: ModelDocument,
  { model, steps, onChanged }: Base,
): Promise<void> {
  // A model without rows is stored as version 1 before the changes are planned.
  let version = Math.max(model.version, 1);
  let left = model.version > 0 ? steps : undefined;
  let isFresh = true;
  for (let isDone = false; !isDone;) {
    const { later, made } = await applyWork(environmentId, actor, async (unit) => {
      if (left === undefined) {
        const current = await modelForChange(environmentId);
        if (onChanged !== undefined && current.version !== version) throw onChanged;
        ({ version } = current);
        left = planSteps(environmentId, current, document);
        isFresh = true;
      }
      const count = countFitting(left);
      const next = left.slice(0, count);
      const writes = next.flatMap(({ stage }) => stage(unit));
      const permissions = next.flatMap(({ removed }) => removed ?? []);
      if (permissions.length > 0) permissionRemoval.stage(unit, environmentId, { permissions });
      const later = left.slice(count);
      // After a conflict the steps are planned again.
      left = undefined;
      isDone = isFresh && writes.length === 0;
      if (writes.length === 0) return { later, made: version };
      stageModel(unit, environmentId, { version }, writes);
      return { later, made: version + 1 };
    });
    version = made;
    isFresh = false;
    left = later.length === 0 ? undefined : later;
  }
}

/** The number of steps, from the first one on, that fit into one transaction. */
function countFitting(steps: readonly Step[]): number {
  let rows = 0;
  const at = steps.findIndex((step) => (rows += step.rows) > MOST_ROWS);
  return at === -1 ? steps.length : at;
}
