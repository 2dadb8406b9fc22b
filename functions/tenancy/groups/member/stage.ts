import type { Unit } from '../../../kernel/storage/unit.ts';
import {
  type OrganizationMembershipRecord,
  presenceOfMembership,
  rolesOfMemberships,
  stageMembershipChange,
} from '../../modules/memberships/public.ts';
import type { GroupRecord } from '../group/entity.ts';
import { groups } from '../group/entity.ts';
import { readSheets, rolesAtOrganization } from '../../modules/role-holders/public.ts';
import { writeGroupsFor } from './entity.ts';
import { MAX_GROUPS } from './errors.ts';
import type { FoundMember } from './find.ts';

/** Reports whether a membership is in a group. */
export const isMember = ({ row }: FoundMember, groupId: string): boolean => row?.groupIds.includes(groupId) === true;

/**
 * Stages the addition of a membership to a group, with `group.member_added`. It stages nothing if it is a member already.
 * The group's row is not part of the transaction, since all its members would conflict on it. If the group is deleted
 * concurrently, the membership gets no roles from it, and `settleMember` removes the member again.
 * @returns false for a membership that is in the maximum number of groups
 */
export async function stageAddition(
  unit: Unit<'group.member_added' | 'organization_membership.updated'>,
  found: FoundMember,
  { environmentId, id: groupId, organizationId }: GroupRecord,
): Promise<boolean> {
  if (isMember(found, groupId)) return true;
  const { membership, row } = found;
  let groupIds = row?.groupIds ?? [];
  if (groupIds.length >= MAX_GROUPS) {
    // A recently deleted group does not count.
    groupIds = (await groups.getMany(environmentId, groupIds)).map(({ id }) => id);
    if (groupIds.length >= MAX_GROUPS) return false;
  }
  const grants = (await readSheets(environmentId, [groupId])).get(groupId) ?? [];
  await stageRolesByGroups(unit, membership, [...(membership.groupRoleIds ?? []), ...rolesAtOrganization(grants)]);
  unit.stage([presenceOfMembership(membership), ...writeGroupsFor(membership, row, [...groupIds, groupId])]);
  unit.emit('group.member_added', { group_id: groupId, organization_membership_id: membership.id }, { organizationId });
  return true;
}

/** Stages the removal of a membership from a group that it is in, with `group.member_removed`. */
export async function stageRemoval(
  unit: Unit<'group.member_removed' | 'organization_membership.updated'>,
  { membership, row }: FoundMember,
  { environmentId, id: groupId, organizationId }: Pick<GroupRecord, 'environmentId' | 'id' | 'organizationId'>,
): Promise<void> {
  const groupIds = (row?.groupIds ?? []).filter((id) => id !== groupId);
  if (membership.groupRoleIds !== undefined) {
    const sheets = await readSheets(environmentId, groupIds);
    await stageRolesByGroups(unit, membership, rolesAtOrganization([...sheets.values()].flat()));
  }
  unit.stage(writeGroupsFor(membership, row, groupIds));
  unit.emit(
    'group.member_removed',
    { group_id: groupId, organization_membership_id: membership.id },
    { organizationId },
  );
}

/**
 * Stages the roles that a membership has through its groups, with `organization_membership.updated` if the effective
 * roles change.
 */
async function stageRolesByGroups(
  unit: Unit<'organization_membership.updated'>,
  membership: OrganizationMembershipRecord,
  roleIds: readonly string[],
): Promise<void> {
  const byGroups = [...new Set(roleIds)];
  const former = membership.groupRoleIds ?? [];
  if (byGroups.length === former.length && byGroups.every((id) => former.includes(id))) return;
  const known = await rolesOfMemberships(membership.environmentId, membership.organizationId);
  stageMembershipChange(unit, membership, { roles: { known, byGroups } });
}
