import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Task } from '../../../kernel/storage/work.ts';
import { groupMembers, membershipGroups, removalOfMember, writeGroupsFor } from '../member/entity.ts';
import { settleMembers } from '../member/settle.ts';
import { rolesAtOrganization } from '../../modules/role-holders/public.ts';
import { endOfGrants, findSheet, removeHolders } from '../sheet/stage.ts';
import { type GroupChange, groupEnd } from '../sheet/work.ts';
import { type GroupRecord, groups } from './entity.ts';
import { presentGroup } from './schema.ts';
import { indexName } from './stage.ts';

/** Maximum number of members removed in one transaction, with two writes each. */
const AT_ONCE = 40;

/**
 * Stages the deletion of a group with `group.deleted`. Its grants end with the commit. A worker removes its members from it
 * and its roles from their memberships.
 */
export async function stageEndOfGroup(unit: Unit<'group.deleted'>, group: GroupRecord): Promise<void> {
  const { environmentId, id: groupId, organizationId } = group;
  const found = await findSheet(group);
  const { writes, left } = endOfGrants(group, found);
  unit.stage([groups.remove(group), ...indexName(group, group.name, ''), ...writes]);
  const isAtOrganization = rolesAtOrganization(found.grants).length > 0;
  groupEnd.stage(
    unit,
    environmentId,
    { groupId, organizationId, left, isAtOrganization },
    ownerKey('organization', organizationId),
  );
  unit.emit('group.deleted', presentGroup(group), { organizationId });
}

/** Removes some members from a deleted group. @returns undefined if it has none any more */
export async function removeMembers({ environmentId, data }: Task<GroupChange>): Promise<string | undefined> {
  const { groupId, organizationId, left } = data;
  await removeHolders({ environmentId, id: groupId, organizationId }, left);
  const members = await groupMembers.list('primary', { environmentId, groupId }).take(AT_ONCE);
  if (members.length === 0) return undefined;
  const ids = members.map(({ id }) => id);
  // The sheet with the group's roles was removed before, so its remaining members have no roles through it.
  await settleMembers(environmentId, organizationId, ids);
  await applyWork(environmentId, systemActor, async (unit) => {
    const rows = new Map((await membershipGroups.getMany(environmentId, ids)).map((row) => [row.id, row]));
    for (const id of ids) {
      const member = { environmentId, id, organizationId };
      const row = rows.get(id);
      const groupIds = (row?.groupIds ?? []).filter((each) => each !== groupId);
      if (row?.groupIds.includes(groupId) === true) unit.stage(writeGroupsFor(member, row, groupIds));
      else unit.stage(removalOfMember(member, groupId));
    }
  });
  return ids.at(-1);
}
