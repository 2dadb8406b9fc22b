import { systemActor } from '../authentication/caller.ts';
import { clock } from '../clock.ts';
import { log } from '../log.ts';
import { applyWork } from './background.ts';
import { removeOwned } from './cascade.ts';
import { collection } from './collection.ts';
import { dueAttributes, dueIndex, dueOn, findDue } from './due.ts';
import { entity } from './entity.ts';
import { model, recordAttributes, recordKey } from './record.ts';
import type { Unit } from './unit.ts';
import { unguarded } from './write.ts';

/**
 * An owner that was deleted: its id is the owner's key. The row is there from the deletion until nothing can be written for the
 * owner any more; in that time its id is nobody's, since whatever had it would be removed too.
 */
const ErasureEntity = entity({
  model: model('erasure'),
  attributes: {
    ...recordAttributes,
    ...dueAttributes,
    /** ISO 8601: when the first sweep had removed what was there. */
    sweptAt: { type: 'string' },
  },
  indexes: { primary: recordKey('erasure'), due: dueIndex('erasure') },
});

const erasures = collection(ErasureEntity);

/** Longer than any call that read the owner before it was gone can take to write. */
const SECOND_SWEEP_MS = 10 * 60_000;
const BATCH = 25;
/** For how long one schedule goes on sweeping. */
const SWEEPING_MS = 60_000;

/** Stages, in the unit that deletes an owner (see `ownerKey`), that its rows are erased: by an event's worker, and once more later. */
export function stageErasure(unit: Pick<Unit, 'stage'>, environmentId: string, owner: string): void {
  const due = dueOn(owner, clock.now() + SECOND_SWEEP_MS);
  // A row of a former life of the same id, which there should not be, says the same.
  unit.stage(unguarded(erasures.create({ environmentId, id: owner, ...due }).write));
}

/** Those of some owners that were deleted and whose rows are not erased for good: one BatchGetItem for each hundred. */
export async function underErasure(environmentId: string, owners: readonly string[]): Promise<Set<string>> {
  return new Set((await erasures.getMany(environmentId, owners)).map(({ id }) => id));
}

/**
 * Removes what belonged to a deleted owner. An event that is told again when that is over does nothing: by then a record that moved
 * in may have the id.
 * @param further What goes beside the owned rows, before them.
 */
export async function eraseOwned(environmentId: string, owner: string, further?: () => Promise<void>): Promise<void> {
  if ((await erasures.get(environmentId, owner)) === undefined) return;
  await further?.();
  const rows = await removeOwned(environmentId, owner);
  log.info('rows of a deleted owner erased', { owner, rows });
  await applyWork(environmentId, systemActor, async (unit) => {
    const planned = await erasures.get(environmentId, owner);
    if (planned !== undefined) unit.stage(erasures.revise(planned, { sweptAt: clock.timestamp() }).write);
  });
}

/** Makes the second sweeps that are due, of owners of any kind: one schedule of the stage calls it. */
export async function sweepLateArrivals(): Promise<void> {
  const startedAt = performance.now();
  const seen = new Set<string>();
  while (performance.now() - startedAt < SWEEPING_MS) {
    const due = (await findDue(erasures.entity(), BATCH)).filter(({ environmentId, id }) => {
      const key = `${environmentId} ${id}`;
      return !seen.has(key) && seen.add(key);
    });
    if (due.length === 0) return;
    for (const { environmentId, id } of due) await sweepOnceMore(environmentId, id);
  }
}

async function sweepOnceMore(environmentId: string, owner: string): Promise<void> {
  const rows = await removeOwned(environmentId, owner);
  if (rows > 0) log.info('late rows of a deleted owner erased', { owner, rows });
  await applyWork(environmentId, systemActor, async (unit) => {
    const planned = await erasures.get(environmentId, owner);
    if (planned === undefined) return;
    // The first sweep is still to come: its event is late, or failed and waits to be sent again.
    if (planned.sweptAt === undefined) {
      unit.stage(erasures.revise(planned, dueOn(owner, clock.now() + SECOND_SWEEP_MS)).write);
    } else {
      unit.stage(erasures.remove(planned));
    }
  });
}
