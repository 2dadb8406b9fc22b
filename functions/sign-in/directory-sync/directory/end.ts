import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { releaseIfHeld } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type Task, workKind } from '../../../kernel/storage/work.ts';
import { unguarded } from '../../../kernel/storage/write.ts';
import { directoryGroups, groupMemberRows, uniqueGroupName } from '../group/entity.ts';
import { type DirectoryUserRecord, directoryUsers, laterIdOf, userNameOf } from '../user/entity.ts';
import { computeDigest, indexValues } from '../user/values.ts';
import { removeSnapshot } from '../snapshot/removal.ts';
import { listGroupValues, listUserValues } from '../user/indexed.ts';

/** The work that removes the resources of a deleted directory. */
export const directoryEnd = workKind<{ directoryId: string }>('directory-sync.end', { runs: 2 });

/** Number of resources in one step, and of rows in one transaction. */
const AT_ONCE = 20;
const WRITES = 80;

/** Removes some resources of a deleted directory, without events. @returns undefined if it has none any more */
export async function removeResources({
  environmentId,
  data: { directoryId },
}: Task<{ directoryId: string }>): Promise<string | undefined> {
  const users = await directoryUsers.list('byResource', { environmentId, directoryId }).take(AT_ONCE);
  for (const { id } of users) await removeUser(environmentId, id);
  if (users.length > 0) return users.at(-1)?.id;
  const groups = await directoryGroups.list('byDirectory', { environmentId, directoryId }).take(AT_ONCE);
  await applyWork(environmentId, systemActor, async (unit) => {
    for (const group of groups) {
      unit.stage([
        unguarded(directoryGroups.remove(group)),
        releaseIfHeld(uniqueGroupName(group, group.name), group.id),
        ...indexValues(group, listGroupValues(group), {}),
      ]);
    }
  });
  return groups.at(-1)?.id ?? removeSnapshot(environmentId, directoryId);
}

/**
 * Removes a user with its values and its rows in groups. Rows in groups that do not fit into one transaction are removed
 * before.
 */
async function removeUser(environmentId: string, id: string): Promise<void> {
  while (await removePart(environmentId, id));
}

/** Removes some of a user's rows in groups, or the rest of the user. @returns true if the user is still there */
const removePart = (environmentId: string, id: string): Promise<boolean> =>
  applyWork(environmentId, systemActor, async (unit) => {
    const user = await directoryUsers.get(environmentId, id);
    if (user === undefined) return false;
    const hasMore = user.groupIds.length > WRITES / 2;
    stageRowsInGroups(unit, user, user.groupIds.slice(0, WRITES / 2));
    if (hasMore) unit.stage(directoryUsers.revise(user, { groupIds: user.groupIds.slice(WRITES / 2) }).write);
    else stageRowsOfUser(unit, user);
    return hasMore;
  });

/** Stages that the rows of a user in some groups are removed. */
export const stageRowsInGroups = (
  unit: Pick<Unit, 'stage'>,
  { environmentId, id }: DirectoryUserRecord,
  groupIds: readonly string[],
): void => unit.stage(groupIds.map((groupId) => groupMemberRows.removeByKey({ environmentId, groupId, id })));

/** Stages that a user's row is removed with its values and unique names. */
export function stageRowsOfUser(unit: Pick<Unit, 'stage'>, user: DirectoryUserRecord): void {
  const { environmentId, id, directoryId, userId, userName } = user;
  unit.stage([
    directoryUsers.remove(user),
    releaseIfHeld(userNameOf(environmentId, directoryId, computeDigest(userName)), id),
    ...indexValues(user, listUserValues(user), {}),
    ...(userId === undefined || userId === id ? [] : [releaseIfHeld(laterIdOf(environmentId, userId), id)]),
  ]);
}
