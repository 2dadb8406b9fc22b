import { setTimeout as delay } from 'node:timers/promises';

import { eraseEnvironmentAuditLogs } from '../functions/record/audit-logs/erasure.ts';
import { systemActor } from '../functions/kernel/authentication/caller.ts';
import { clock } from '../functions/kernel/clock.ts';
import { settings } from '../functions/kernel/settings.ts';
import { applyWork } from '../functions/kernel/storage/background.ts';
import { removeEnvironment } from '../functions/kernel/storage/cascade.ts';
import { environments } from '../functions/kernel/storage/environment.ts';
import { shredEnvironment } from '../functions/connections/vault/shredding/environment.ts';

/** Maximum time in ms from an environment's last call until its rows are in the index. */
const LAST_CALL_MS = 2_000;

/** The numbers of what was removed with an environment. */
export interface Removed {
  rows: number;
  /** Keys of organizations. */
  keys: number;
  /** Objects of audit logs. */
  objects: number;
}

/** Marks an environment as deleted, so that authentication fails, then removes its rows. It can be interrupted and run again. */
export async function deleteEnvironment(id: string): Promise<Removed> {
  await applyWork(id, systemActor, async (unit) => {
    const current = await environments.get(id, id);
    if (current === undefined || current.deletedAt !== undefined) return;
    unit.stage(environments.revise(current, { deletedAt: clock.timestamp() }).write);
  });
  // For a moment functions may still use cached keys of the deleted environment, and rows that they write then would not be removed.
  await delay(settings().GATEHOUSE_CREDENTIAL_CACHE_MS + LAST_CALL_MS);
  // Keys are destroyed first. After that, values that were encrypted with them are unreadable in every backup or copy of
  // the table.
  const shredded = await shredEnvironment(id);
  const rows = shredded.rows + (await removeEnvironment(id));
  const objects = await eraseEnvironmentAuditLogs(id);
  await applyWork(id, systemActor, async (unit) => {
    const current = await environments.get(id, id);
    if (current !== undefined) unit.stage(environments.remove(current));
  });
  return { rows, keys: shredded.keys, objects };
}
