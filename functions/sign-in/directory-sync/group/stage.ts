import { isDeepStrictEqual } from 'node:util';

import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import type { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { claim, releaseIfHeld } from '../../../kernel/storage/unique.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type Task, workKind } from '../../../kernel/storage/work.ts';
import { changeCounts } from '../directory/counts.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { settleRoles } from '../member/roles.ts';
import type { Attributes } from '../scim/resource.ts';
import { directoryUsers } from '../user/entity.ts';
import { listGroupValues } from '../user/indexed.ts';
import { indexValues } from '../user/values.ts';
import { type DirectoryGroupRecord, directoryGroups, groupMemberRows, uniqueGroupName } from './entity.ts';
import { presentGroup } from './schema.ts';

const written = (attributes: Attributes) => ({
  name: String(attributes.displayName),
  externalId: typeof attributes.externalId === 'string' ? attributes.externalId : undefined,
  resource: JSON.stringify(attributes),
});

/**
 * Stages a new group of a directory, with `dsync.group.created`.
 * @param taken rejects the call if another group of the directory has the name; without it the call is applied again
 */
export function stageNewGroup(
  unit: Unit<'dsync.group.created'>,
  { environmentId, id: directoryId, organizationId }: DirectoryRecord,
  attributes: Attributes,
  taken?: Failure,
): DirectoryGroupRecord {
  const at = clock.timestamp();
  const owner = ownerKey('organization', organizationId);
  const id = newId('directory_group');
  const fields = { environmentId, id, owner, directoryId, organizationId, ...written(attributes), changedAt: at };
  const record = unit.announce(directoryGroups.create(fields, at), 'dsync.group.created', presentGroup, {
    organizationId,
  });
  unit.stage(claim(uniqueGroupName(record, record.name), id, owner), taken);
  unit.stage([
    ...indexValues(record, {}, listGroupValues(record)),
    ...changeCounts(environmentId, directoryId, { groups: 1 }),
  ]);
  return record;
}

/**
 * Stages a group's new attributes, with `dsync.group.updated` if they differ; if only its members change it gets only a new
 * version.
 * @param taken rejects the call if another group of the directory has the name
 * @returns the group in its new state
 */
export function stageGroupState(
  unit: Unit<'dsync.group.updated'>,
  former: DirectoryGroupRecord,
  attributes: Attributes,
  { hasNewMembers, taken }: { hasNewMembers: boolean; taken?: Failure },
): DirectoryGroupRecord {
  const isSame = isDeepStrictEqual(JSON.parse(former.resource), attributes);
  if (isSame && !hasNewMembers) return former;
  if (isSame) {
    const { record, write } = directoryGroups.revise(former, {});
    unit.stage(write);
    return record;
  }
  const at = clock.timestamp();
  const { organizationId } = former;
  const revision = directoryGroups.revise(former, { ...written(attributes), changedAt: at }, at);
  const record = unit.announce(revision, 'dsync.group.updated', presentGroup, { former, organizationId });
  unit.stage(indexValues(record, listGroupValues(former), listGroupValues(record)));
  if (record.name.toLowerCase() !== former.name.toLowerCase()) {
    unit.stage(releaseIfHeld(uniqueGroupName(record, former.name), record.id));
    unit.stage(claim(uniqueGroupName(record, record.name), record.id, record.owner), taken);
  }
  return record;
}

/** The work that removes a deleted group from its users. */
export const groupEnd = workKind<{ groupId: string }>('directory-sync.group-end', { runs: 1 });

/** Stages the deletion of a group with `dsync.group.deleted`; a worker removes its members from it, without events. */
export function stageEndOfGroup(unit: Unit<'dsync.group.deleted'>, group: DirectoryGroupRecord): void {
  const { environmentId, id: groupId, directoryId, organizationId } = group;
  unit.stage([
    directoryGroups.remove(group),
    releaseIfHeld(uniqueGroupName(group, group.name), groupId),
    ...indexValues(group, listGroupValues(group), {}),
    ...changeCounts(environmentId, directoryId, { groups: -1 }),
  ]);
  groupEnd.stage(unit, environmentId, { groupId }, ownerKey('organization', organizationId));
  unit.emit('dsync.group.deleted', presentGroup(group), { organizationId });
}

const AT_ONCE = 40;

/**
 * Removes some members from a deleted group.
 * @returns undefined if it has none any more
 */
export async function takeOutMembers({
  environmentId,
  data: { groupId },
}: Task<{ groupId: string }>): Promise<string | undefined> {
  const rows = await groupMemberRows.list('primary', { environmentId, groupId }).take(AT_ONCE);
  if (rows.length === 0) return undefined;
  const ids = rows.map(({ id }) => id);
  await applyWork(environmentId, systemActor, async (unit) => {
    const users = await directoryUsers.getMany(environmentId, ids);
    for (const user of users) {
      const groupIds = user.groupIds.filter((id) => id !== groupId);
      if (groupIds.length < user.groupIds.length) unit.stage(directoryUsers.revise(user, { groupIds }).write);
    }
    unit.stage(ids.map((id) => groupMemberRows.removeByKey({ environmentId, groupId, id })));
  });
  for (const id of ids) await settleRoles(environmentId, id);
  return ids.at(-1);
}
