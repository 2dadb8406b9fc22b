import { systemActor } from '../../functions/kernel/authentication/caller.ts';
import { applyWork } from '../../functions/kernel/storage/background.ts';
import { raiseHead, readVersion } from '../../functions/kernel/storage/head.ts';
import { MODEL_HEAD, modelRows, readModelRows, typeRowId } from '../../functions/roles/model/entity.ts';
import { writeFirstRows } from '../../functions/roles/model/start.ts';

/** Resource types by their slugs, each with the types below which its resources may be. */
export type Types = Readonly<Record<string, readonly string[]>>;

/**
 * Adds resource types to an environment's model in one change; existing ones are unchanged. This process caches no model,
 * since the service's table may be emptied at any time.
 */
export async function writeTypes(environmentId: string, types: Types): Promise<void> {
  while ((await readVersion(environmentId, MODEL_HEAD)) === 0) await writeFirstRows(environmentId);
  await applyWork(environmentId, systemActor, async (unit) => {
    const version = await readVersion(environmentId, MODEL_HEAD);
    const known = new Set((await readModelRows(environmentId)).map(({ id }) => id));
    const added = Object.entries(types).filter(([slug]) => !known.has(typeRowId(slug)));
    if (added.length === 0) return;
    const rows = added.map(([slug, parentTypes]) => {
      const row = { kind: 'type' as const, environmentId, id: typeRowId(slug), slug, name: slug };
      return modelRows.create({ ...row, parentTypes: [...parentTypes] }).write;
    });
    unit.stage([...rows, ...raiseHead(environmentId, MODEL_HEAD, version)]);
  });
}
