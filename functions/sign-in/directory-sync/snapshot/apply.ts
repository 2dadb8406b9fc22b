import type { Actor } from '../../../kernel/authentication/caller.ts';
import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll, mapConcurrently } from '../../../kernel/concurrency.ts';
import { Failure } from '../../../kernel/errors.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { type DirectoryRecord, findDirectory } from '../directory/entity.ts';
import { stageActivation } from '../directory/stage.ts';
import { scimTaken } from '../scim/errors.ts';
import { directoryUsers } from '../user/entity.ts';
import { stageNewUser, stageUserState } from '../user/stage.ts';
import { leaverRows, type SnapshotRecord } from './entity.ts';
import type { LineError, SnapshotRow } from './file.ts';
import { findMatch } from './match.ts';

/** Number of users of one step, and of those that are changed concurrently. */
export const STEP = 100;
const AT_ONCE = 5;

/** The actor of the changes of a snapshot in events. */
const actorOf = ({ id }: SnapshotRecord): Actor => ({ ...systemActor, id, name: 'Snapshot of a directory' });

/** The directory of a snapshot; undefined if it is disabled, or if another snapshot has replaced this one. */
export async function findOpenDirectory({
  environmentId,
  directoryId,
  id,
}: SnapshotRecord): Promise<DirectoryRecord | undefined> {
  const directory = await findDirectory(environmentId, directoryId);
  return directory?.snapshotId === id && directory.state !== 'inactive' ? directory : undefined;
}

/** Activates the directory of a snapshot that is about to be applied. */
export const activate = (snapshot: SnapshotRecord): Promise<void> =>
  applyWork(snapshot.environmentId, actorOf(snapshot), async (unit) => {
    const directory = await findOpenDirectory(snapshot);
    if (directory !== undefined) await stageActivation(unit, directory);
  });

/**
 * Creates or changes some users of a snapshot, each in a separate transaction, as their provider would by SCIM. Repeating it
 * changes nothing.
 * @returns the lines of users whose user name another user of the directory has now, and other errors
 */
export async function applyRows(
  snapshot: SnapshotRecord,
  rows: readonly SnapshotRow[],
  externalIds: ReadonlySet<string>,
): Promise<{ taken: number[]; errors: LineError[] }> {
  const taken: number[] = [];
  const errors: LineError[] = [];
  await mapConcurrently(rows, AT_ONCE, async ({ line, attributes }) => {
    try {
      await applyWork(snapshot.environmentId, actorOf(snapshot), async (unit) => {
        const directory = await findOpenDirectory(snapshot);
        if (directory === undefined) return;
        const { user, isTaken } = await findMatch(directory, attributes, externalIds);
        const failure = new Failure(scimTaken);
        if (isTaken) throw failure;
        if (user === undefined) await stageNewUser(unit, directory, attributes, failure);
        else await stageUserState(unit, directory, user, attributes, failure);
      });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.declared === scimTaken) taken.push(line);
      else errors.push({ line, message: error.message });
    }
  });
  return { taken: taken.toSorted((one, other) => one - other), errors };
}

/**
 * Makes some leavers of a snapshot inactive: each leaves the organization in one transaction.
 * @param after the id of the last leaver of the previous step
 * @returns the id of the last one; undefined if there are no more
 */
export async function applyLeavers(snapshot: SnapshotRecord, after: string | undefined): Promise<string | undefined> {
  const { environmentId, id: snapshotId } = snapshot;
  const window = { scan: 'asc', limit: STEP, ...(after && { after }) } as const;
  const list = leaverRows.list('primary', { environmentId, snapshotId });
  const { records: leavers, reached } = await list.toPage(window);
  await mapConcurrently(leavers, AT_ONCE, ({ id }) =>
    applyWork(environmentId, actorOf(snapshot), async (unit) => {
      const [directory, user] = await awaitAll([findOpenDirectory(snapshot), directoryUsers.get(environmentId, id)]);
      if (directory === undefined || user?.state !== 'active') return;
      const attributes = JSON.parse(user.resource) as Record<string, unknown>;
      await stageUserState(unit, directory, user, { ...attributes, active: false });
    }),
  );
  return reached;
}
