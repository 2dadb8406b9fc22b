import { deleteBlobsBelow } from '../../kernel/blobs/store.ts';
import { log } from '../../kernel/log.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { systemActor } from '../../kernel/authentication/caller.ts';
import { removeRows } from './event/store.ts';
import { findInterval, intervals, readIntervals, trails } from './evidence/entity.ts';
import { folderOf } from './evidence/segment.ts';

/**
 * Erases the events of a deleted organization: rows, segments and exports. The signed roots stay locked for their
 * retention; they contain hashes of salted leaves, which reveal nothing without the salts erased here. It may be
 * interrupted and started again.
 */
export async function eraseAuditLogs(environmentId: string, organizationId: string): Promise<void> {
  let rows = 0;
  for await (const { id } of readIntervals(environmentId, organizationId)) {
    if (!id.includes('+')) rows += await removeRows({ environmentId, organizationId, hour: id });
    await applyWork(environmentId, systemActor, async (unit) => {
      const interval = await findInterval(environmentId, organizationId, id);
      if (interval !== undefined) unit.stage(intervals.remove(interval));
    });
  }
  const folder = folderOf(environmentId, organizationId);
  const blobs =
    (await deleteBlobsBelow('audit', `segments/${folder}`)) + (await deleteBlobsBelow('audit', `exports/${folder}`));
  await applyWork(environmentId, systemActor, async (unit) => {
    const trail = await trails.get(environmentId, organizationId);
    if (trail !== undefined) unit.stage(trails.remove(trail));
  });
  log.info('audit logs of an organization erased', { organization_id: organizationId, rows, blobs });
}

/**
 * Erases the objects of a deleted environment's organizations in the bucket: segments and exports. Their rows are
 * erased with the environment or expire; the signed roots stay locked, as above. It may run again.
 * @returns the number of objects
 */
export const eraseEnvironmentAuditLogs = async (environmentId: string): Promise<number> =>
  (await deleteBlobsBelow('audit', `segments/${environmentId}/`)) +
  (await deleteBlobsBelow('audit', `exports/${environmentId}/`));
