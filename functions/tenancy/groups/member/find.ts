import { awaitAll } from '../../../kernel/concurrency.ts';
import type { List } from '../../../kernel/storage/list.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { type Window, listIds } from '../../../kernel/storage/window.ts';
import {
  findMembershipById,
  findMembershipsById,
  type OrganizationMembershipRecord,
} from '../../modules/memberships/public.ts';
import { findUsersById, type UserRecord } from '../../modules/users/public.ts';
import { type GroupRecord, groups } from '../group/entity.ts';
import { groupMembers, membershipGroups, type MembershipGroupsRecord } from './entity.ts';

/** A membership with the row of its groups, which is absent if it was never in one. */
export interface FoundMember {
  membership: OrganizationMembershipRecord;
  row: MembershipGroupsRecord | undefined;
}

/** Finds a membership of an organization with its groups, by two strongly consistent GetItems in parallel. */
export async function findMember(
  environmentId: string,
  organizationId: string,
  membershipId: string,
): Promise<FoundMember | undefined> {
  const [membership, row] = await awaitAll([
    findMembershipById(environmentId, membershipId),
    membershipGroups.get(environmentId, membershipId),
  ]);
  return membership?.organizationId === organizationId ? { membership, row } : undefined;
}

/** A membership in a group with its user. */
interface MemberWithUser {
  membership: OrganizationMembershipRecord;
  user: UserRecord;
}

/**
 * The memberships on a page of a group's members, in the page's direction, with their users, by one Query and two
 * BatchGetItems, all strongly consistent. A recently deleted one is left out, and the position is that of the last row
 * that was read.
 */
export async function listMembers(
  { environmentId, id: groupId }: Pick<GroupRecord, 'environmentId' | 'id'>,
  window: Window,
): Promise<Reading<{ id: string; member: MemberWithUser | undefined }>> {
  const { records, ...rest } = await listMemberRows(environmentId, groupId).toPage(window);
  const ids = listIds(records);
  const memberships = await findMembershipsById(environmentId, ids);
  const users = await findUsersById(environmentId, [...new Set(memberships.map(({ userId }) => userId))]);
  const userOf = new Map(users.map((user) => [user.id, user]));
  const members = new Map(
    memberships.flatMap((membership) => {
      const user = userOf.get(membership.userId);
      return user === undefined ? [] : [[membership.id, { membership, user }] as const];
    }),
  );
  return { records: ids.map((id) => ({ id, member: members.get(id) })), ...rest };
}

/** A page of the groups that a membership is in, by a GetItem and a BatchGetItem, both strongly consistent. */
export async function listGroupsOfMembership(
  environmentId: string,
  membershipId: string,
  window: Window,
): Promise<Reading<GroupRecord>> {
  const row = await membershipGroups.get(environmentId, membershipId);
  // The row may still list a recently deleted group.
  return pageWithin(await groups.getMany(environmentId, row?.groupIds ?? []), window);
}

/** The rows of a group's members, each with the id of the membership, strongly consistent. */
export const listMemberRows = (environmentId: string, groupId: string): List<{ id: string }> =>
  groupMembers.list('primary', { environmentId, groupId });
