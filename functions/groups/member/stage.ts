import type { Unit } from '../../kernel/storage/unit.ts';
import { presenceOfMembership } from '../../memberships/public.ts';
import type { GroupRecord } from '../group/entity.ts';
import { groups } from '../group/entity.ts';
import { writeGroupsOf } from './entity.ts';
import { MAX_GROUPS } from './errors.ts';
import type { FoundMember } from './find.ts';

/** Whether a membership is in a group. */
export const isMember = ({ row }: FoundMember, groupId: string): boolean => row?.groupIds.includes(groupId) === true;

/**
 * Stages that a membership is in a group, with `group.member_added`; neither where it is already. The group's row is not a part of
 * the transaction, since all its members would meet in it: of a group that is deleted meanwhile nothing is given, and
 * `settleMember` takes the member out again.
 * @returns false for a membership that is in the most groups it can be in
 */
export async function stageAddition(
  unit: Unit<'group.member_added'>,
  found: FoundMember,
  { environmentId, id: groupId, organizationId }: GroupRecord,
): Promise<boolean> {
  if (isMember(found, groupId)) return true;
  const { membership, row } = found;
  let groupIds = row?.groupIds ?? [];
  if (groupIds.length >= MAX_GROUPS) {
    // A group that was deleted moments ago does not count.
    groupIds = (await groups.getMany(environmentId, groupIds)).map(({ id }) => id);
    if (groupIds.length >= MAX_GROUPS) return false;
  }
  unit.stage([presenceOfMembership(membership), ...writeGroupsOf(membership, row, [...groupIds, groupId])]);
  unit.emit('group.member_added', { group_id: groupId, organization_membership_id: membership.id }, { organizationId });
  return true;
}

/** Stages that a membership leaves a group that it is in, with `group.member_removed`. */
export function stageRemoval(
  unit: Unit<'group.member_removed'>,
  { membership, row }: FoundMember,
  { id: groupId, organizationId }: Pick<GroupRecord, 'id' | 'organizationId'>,
): void {
  const groupIds = (row?.groupIds ?? []).filter((id) => id !== groupId);
  unit.stage(writeGroupsOf(membership, row, groupIds));
  unit.emit(
    'group.member_removed',
    { group_id: groupId, organization_membership_id: membership.id },
    { organizationId },
  );
}
