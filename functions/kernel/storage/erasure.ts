import { systemActor } from '../authentication/caller.ts';
import { clock } from '../clock.ts';
import { log } from '../log.ts';
import { applyWork } from './background.ts';
import { ERASURE_ROW, removeOwned } from './cascade.ts';
import { collection } from './collection.ts';
import { dueAttributes, dueIndex, dueOn, forEachDue, SECOND_RUN_MS } from './due.ts';
import { entity } from './entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from './record.ts';
import type { Unit } from './unit.ts';
import { unguarded } from './write.ts';

/**
 * A deleted owner, whose key is the id of the row. The row exists from the deletion until no call can write for the owner
 * any more. Until then no new record may use the id, since its rows would be erased too.
 */
const ErasureEntity = entity({
  model: model(ERASURE_ROW),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    /** The time when the first sweep was complete (ISO 8601). */
    sweptAt: { type: 'string' },
  },
  indexes: { primary: recordKey(ERASURE_ROW), due: dueIndex(ERASURE_ROW), owned: ownedIndex },
});

const erasures = collection(ErasureEntity, 'internal');

/**
 * Stages the erasure of an owner's rows in the unit of work that deletes the owner (see `ownerKey`): by a worker that the
 * event starts, and once more later.
 */
export function stageErasure(unit: Pick<Unit, 'stage'>, environmentId: string, owner: string): void {
  const due = dueOn(owner, clock.now() + SECOND_RUN_MS);
  // A row of an earlier record with the same id, which should not exist, would have the same meaning.
  unit.stage(unguarded(erasures.create({ environmentId, id: owner, ...due }).write));
}

/** The given owners that were deleted and whose erasure is not complete: one BatchGetItem for each hundred. */
export async function underErasure(environmentId: string, owners: readonly string[]): Promise<Set<string>> {
  return new Set((await erasures.getMany(environmentId, owners)).map(({ id }) => id));
}

/**
 * Erases the rows of a deleted owner. A redelivered event has no effect after the erasure is complete: by then an
 * imported record may have the id.
 * @param further Erases data outside the owned rows, before them.
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

/** Runs the second sweeps that are due, for owners of any kind. A scheduled worker of the stage calls it. */
export const runFinalSweeps = (): Promise<void> =>
  forEachDue(erasures.entity(), ({ environmentId, id }) => sweepOnceMore(environmentId, id));

async function sweepOnceMore(environmentId: string, owner: string): Promise<void> {
  const rows = await removeOwned(environmentId, owner);
  if (rows > 0) log.info('late rows of a deleted owner erased', { owner, rows });
  await applyWork(environmentId, systemActor, async (unit) => {
    const planned = await erasures.get(environmentId, owner);
    if (planned === undefined) return;
    // The first sweep is still pending: its event is late, or it failed and is in the dead letters.
    if (planned.sweptAt === undefined) {
      unit.stage(erasures.revise(planned, dueOn(owner, clock.now() + SECOND_RUN_MS)).write);
    } else {
      unit.stage(erasures.remove(planned));
    }
  });
}
