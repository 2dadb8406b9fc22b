import { systemActor } from '../authentication/caller.ts';
import { clock } from '../clock.ts';
import { log } from '../log.ts';
import { applyWork } from './background.ts';
import { removeOwned } from './cascade.ts';
import { collection } from './collection.ts';
import { entity } from './entity.ts';
import { dueAttributes, dueIndex, dueOn, findDue } from './due.ts';
import { model, recordAttributes, recordKey } from './record.ts';

/** An owner that was deleted and whose rows are looked for once more: its id is the owner's key. */
const ErasureEntity = entity({
  model: model('erasure'),
  attributes: { ...recordAttributes, ...dueAttributes },
  indexes: { primary: recordKey('erasure'), due: dueIndex('erasure') },
});

const erasures = collection(ErasureEntity);

/** Longer than any call that read the owner before it was gone can take to write. */
const SECOND_SWEEP_MS = 10 * 60_000;
const BATCH = 25;

/** Removes what belonged to a deleted owner (see `ownerKey`), and plans a second look for what was written meanwhile. */
export async function eraseOwned(environmentId: string, owner: string): Promise<void> {
  const rows = await removeOwned(environmentId, owner);
  log.info('rows of a deleted owner erased', { owner, rows });
  await applyWork(environmentId, systemActor, async (unit) => {
    if ((await erasures.get(environmentId, owner)) !== undefined) return;
    unit.stage(erasures.create({ environmentId, id: owner, ...dueOn(owner, clock.now() + SECOND_SWEEP_MS) }).write);
  });
}

/** Makes the second sweeps that are due, of owners of any kind: one schedule of the stage calls it. */
export async function sweepLateArrivals(): Promise<void> {
  for (const { environmentId, id: owner } of await findDue(erasures.entity(), BATCH)) {
    const rows = await removeOwned(environmentId, owner);
    if (rows > 0) log.info('late rows of a deleted owner erased', { owner, rows });
    await applyWork(environmentId, systemActor, async (unit) => {
      const planned = await erasures.get(environmentId, owner);
      if (planned !== undefined) unit.stage(erasures.remove(planned));
    });
  }
}
