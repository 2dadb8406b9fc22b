import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childKey,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  partition,
  recordAttributes,
} from '../../../kernel/storage/record.ts';
import { unguarded, type Write } from '../../../kernel/storage/write.ts';

/**
 * A membership in the partition of its group, whose id is the membership's. The row that lists the groups of the membership
 * is authoritative.
 */
const GroupMemberEntity = entity({
  model: model('group-member'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    groupId: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    /** The members of a group by the ids of their memberships: one strongly consistent Query for each page. */
    primary: childKey('group-member', 'groupId'),
    owned: ownedIndex,
  },
});

/** The members of groups. */
export const groupMembers = collection(GroupMemberEntity, {
  events: ['group.member_added', 'group.member_removed'],
});

/**
 * The groups of a membership, in one row of the partition that has its grants, so that a check reads both with one Query.
 * The version of the row makes the limit on groups exact. It may still list a deleted group, which has no effect: only the
 * sheet of an existing group gives roles.
 */
const MembershipGroupsEntity = entity({
  model: model('membership-groups'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    groupIds: { type: 'list', items: { type: 'string' }, required: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'grants', 'id'),
      sk: { field: 'sk', composite: [], template: 'groups', casing: 'none' },
    },
    owned: ownedIndex,
  },
});

export type MembershipGroupsRecord = RecordOf<typeof MembershipGroupsEntity>;

/** The groups of memberships by the memberships' ids. */
export const membershipGroups = collection(MembershipGroupsEntity, 'internal');

/** The part of a membership that its groups need. */
export interface Member {
  environmentId: string;
  /** The id of the membership (`om_…`). */
  id: string;
  organizationId: string;
}

/**
 * The writes that replace a membership's groups. The first one fails if they were changed since they were read. A row is
 * added to each new group and removed from each former one.
 * @param former the row as it was read; undefined for a membership that was never in a group
 */
export function writeGroupsFor(
  { environmentId, id, organizationId }: Member,
  former: MembershipGroupsRecord | undefined,
  groupIds: readonly string[],
): Write[] {
  const member = { environmentId, id, organizationId };
  const sorted = groupIds.toSorted();
  const owner = ownerKey('organization', organizationId);
  const row =
    former === undefined
      ? membershipGroups.create({ ...member, owner, groupIds: sorted })
      : membershipGroups.revise(former, { groupIds: sorted });
  const before = former?.groupIds ?? [];
  return [
    row.write,
    ...sorted.filter((groupId) => !before.includes(groupId)).map((groupId) => memberRow(member, groupId)),
    ...before.filter((groupId) => !sorted.includes(groupId)).map((groupId) => removalOfMember(member, groupId)),
  ];
}

const memberRow = ({ environmentId, id, organizationId }: Member, groupId: string): Write =>
  unguarded(groupMembers.create({ environmentId, id, groupId, owner: ownerKey('organization', organizationId) }).write);

/** The write that removes a membership from the partition of a group, whether or not it exists. */
export function removalOfMember(member: Member, groupId: string): Write {
  const { TableName, Item } = memberRow(member, groupId).params;
  const { pk, sk } = Item as { pk: string; sk: string };
  return { kind: 'Delete', params: { TableName, Key: { pk, sk } } };
}
