import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { unguarded } from '../../../kernel/storage/write.ts';
import { removalOfContent } from './content.ts';
import { leaverRows, snapshots } from './entity.ts';

/** Number of rows that one step removes. */
const AT_ONCE = 40;

/**
 * Removes a snapshot of a deleted directory, or a part of its leavers.
 * @returns undefined if the directory has no snapshot any more
 */
export async function removeSnapshot(environmentId: string, directoryId: string): Promise<string | undefined> {
  const [snapshot] = await snapshots.list('primary', { environmentId, directoryId }).take(1);
  if (snapshot === undefined) return undefined;
  const snapshotId = snapshot.id;
  const list = leaverRows.list('primary', { environmentId, snapshotId });
  const { records: leavers, reached } = await list.toPage({ scan: 'asc', limit: AT_ONCE });
  await applyWork(environmentId, systemActor, async (unit) => {
    unit.stage(leavers.map(({ id }) => leaverRows.removeByKey({ environmentId, snapshotId, id })));
    if (reached === undefined) unit.stage([unguarded(snapshots.remove(snapshot)), ...removalOfContent(snapshot)]);
  });
  return snapshotId;
}
