import { systemActor } from '../../kernel/authentication/caller.ts';
import { clock } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { removeOwned } from '../../kernel/storage/cascade.ts';
import { dueOn } from '../../kernel/storage/due.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import { dueErasures, erasures } from './entity.ts';

/** Longer than any call that read the organization before it was gone can take to write. */
const SECOND_SWEEP_MS = 10 * 60_000;
const BATCH = 25;

/** Removes what belonged to a deleted organization, and plans a second look for what was written meanwhile. */
export async function eraseOrganization(environmentId: string, id: string): Promise<void> {
  const rows = await removeOwned(environmentId, ownerKey('organization', id));
  log.info('organization erased', { organization_id: id, rows });
  await applyWork(environmentId, systemActor, async (unit) => {
    if ((await erasures.get(environmentId, id)) !== undefined) return;
    unit.stage(erasures.create({ environmentId, id, ...dueOn(id, clock.now() + SECOND_SWEEP_MS) }).write);
  });
}

/** Makes the second sweeps that are due. */
export async function sweepLateArrivals(): Promise<void> {
  for (const { environmentId, id } of await dueErasures(BATCH)) {
    const rows = await removeOwned(environmentId, ownerKey('organization', id));
    if (rows > 0) log.info('late rows of an organization erased', { organization_id: id, rows });
    await applyWork(environmentId, systemActor, async (unit) => {
      const planned = await erasures.get(environmentId, id);
      if (planned !== undefined) unit.stage(erasures.remove(planned));
    });
  }
}
