import type { Actor } from '../../../kernel/authentication/caller.ts';
import { awaitAll, mapConcurrently } from '../../../kernel/concurrency.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { unguarded } from '../../../kernel/storage/write.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import type { MemberDelta } from '../scim/patch.ts';
import { ScimProblem } from '../scim/problem.ts';
import { type DirectoryUserRecord, directoryUsers } from '../user/entity.ts';
import { directoryUserPayload } from '../user/schema.ts';
import { type DirectoryGroupRecord, groupMemberRows, listMemberIds } from './entity.ts';
import { presentGroup } from './schema.ts';

/** Number of members changed in one transaction, with three writes each. */
export const SLICE = 28;
/** Number of members in a transaction that also contains the group's own rows. */
export const LAST_SLICE = 24;
/** Number of concurrent transactions. */
const AT_ONCE = 4;
/** Maximum groups of a user. */
const MAX_GROUPS = 1_000;

/** A unit that changes members of groups. */
export type MemberUnit = Unit<'dsync.group.user_added' | 'dsync.group.user_removed'>;

/** A change of one member. */
interface Step {
  id: string;
  isAdded: boolean;
}

/** The steps that a change of members needs. It reads all members once if it replaces them. */
async function listSteps({ environmentId, id }: DirectoryGroupRecord, delta: MemberDelta): Promise<Step[]> {
  const current = delta.isReplaced ? new Set(await listMemberIds(environmentId, id)) : undefined;
  const added = [...delta.added].filter((each) => current?.has(each) !== true);
  const removed = current === undefined ? [...delta.removed] : [...current].filter((each) => !delta.added.has(each));
  return [
    ...added.map((each) => ({ id: each, isAdded: true })),
    ...removed.map((each) => ({ id: each, isAdded: false })),
  ];
}

/**
 * Checks that new members are users of the directory.
 * @throws ScimProblem that names one that is not
 */
export async function checkMembers(
  { environmentId, id: directoryId }: DirectoryRecord,
  ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < ids.length; at += 1_000) {
    const parts = Array.from({ length: 10 }, (_, part) => ids.slice(at + part * 100, at + (part + 1) * 100));
    const users = await awaitAll(parts.map((part) => directoryUsers.getMany(environmentId, part)));
    const own = new Map(users.flat().map((user) => [user.id, user]));
    for (const id of parts.flat()) {
      const user = own.get(id);
      if (user?.directoryId !== directoryId) {
        throw new ScimProblem(
          'invalidValue',
          `The member ${id.slice(0, 100)} is no user of this directory. Create it first.`,
        );
      }
      if (user.groupIds.length >= MAX_GROUPS) {
        throw new ScimProblem('invalidValue', `The member ${id} is in ${MAX_GROUPS} groups already.`);
      }
    }
  }
}

/**
 * Changes the members of a group. Changes that do not fit into one transaction are made before it, in slices that have no
 * effect when they are repeated; the last slice is staged in the caller's unit of work. An added member that is already in
 * the group, and a removed one that is not, change nothing.
 * @returns false if no member is staged in the unit of work
 * @throws ScimProblem that names a member who is not a user of the directory; nothing is changed then
 */
export async function applyMembers(
  unit: MemberUnit,
  directory: DirectoryRecord,
  group: DirectoryGroupRecord,
  { delta, actor }: { delta: MemberDelta; actor: Actor },
): Promise<boolean> {
  const steps = await listSteps(group, delta);
  if (steps.length === 0) return false;
  await checkMembers(
    directory,
    steps.filter(({ isAdded }) => isAdded).map(({ id }) => id),
  );
  const early = steps.slice(0, Math.max(0, steps.length - LAST_SLICE));
  const slices = Array.from({ length: Math.ceil(early.length / SLICE) }, (_, at) =>
    early.slice(at * SLICE, (at + 1) * SLICE),
  );
  await mapConcurrently(slices, AT_ONCE, (slice) =>
    applyWork(directory.environmentId, actor, async (own) => void (await stageSlice(own, group, slice))),
  );
  return (await stageSlice(unit, group, steps.slice(early.length))) || early.length > 0;
}

/** Stages changes of some members. @returns false if there is nothing to change */
async function stageSlice(unit: MemberUnit, group: DirectoryGroupRecord, steps: readonly Step[]): Promise<boolean> {
  const ids = steps.map(({ id }) => id);
  const users = new Map((await directoryUsers.getMany(group.environmentId, ids)).map((user) => [user.id, user]));
  let isChanged = false;
  for (const { id, isAdded } of steps) {
    const user = users.get(id);
    if (user === undefined || user.groupIds.includes(group.id) === isAdded) continue;
    stageMember(unit, group, user, isAdded);
    isChanged = true;
  }
  return isChanged;
}

function stageMember(unit: MemberUnit, group: DirectoryGroupRecord, user: DirectoryUserRecord, isAdded: boolean): void {
  const { environmentId, owner, id: groupId, organizationId, directoryId } = group;
  const others = user.groupIds.filter((id) => id !== groupId);
  unit.stage(directoryUsers.revise(user, { groupIds: isAdded ? [...others, groupId] : others }).write);
  const row = { environmentId, groupId, id: user.id };
  unit.stage(isAdded ? unguarded(groupMemberRows.create({ ...row, owner }).write) : groupMemberRows.removeByKey(row));
  // Users that the API does not show join and leave groups without an event.
  if (user.userId === undefined) return;
  const data = { directory_id: directoryId, user: directoryUserPayload(user), group: presentGroup(group) };
  unit.emit(isAdded ? 'dsync.group.user_added' : 'dsync.group.user_removed', data, { organizationId });
}
