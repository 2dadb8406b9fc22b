import { awaitAll } from '../../kernel/concurrency.ts';
import { recordsWithin, type Window } from '../../kernel/storage/window.ts';
import {
  findMembershipById,
  findMembershipsById,
  type OrganizationMembershipRecord,
} from '../../memberships/public.ts';
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

/**
 * The memberships on a page of a group's members, in the page's direction, by one Query and one BatchGetItem, both strongly
 * consistent. A recently deleted one is left out, and the position is that of the last row that was read.
 */
export async function listMembers(
  { environmentId, id: groupId }: Pick<GroupRecord, 'environmentId' | 'id'>,
  window: Window,
): Promise<{ id: string; membership: OrganizationMembershipRecord | undefined }[]> {
  const rows = await groupMembers.list('primary', { environmentId, groupId }, window);
  const ids = rows.map(({ id }) => id);
  const memberships = new Map((await findMembershipsById(environmentId, ids)).map((each) => [each.id, each]));
  return ids.map((id) => ({ id, membership: memberships.get(id) }));
}

/** A page of the groups that a membership is in, by a GetItem and a BatchGetItem, both strongly consistent. */
export async function listGroupsOfMembership(
  environmentId: string,
  membershipId: string,
  window: Window,
): Promise<GroupRecord[]> {
  const row = await membershipGroups.get(environmentId, membershipId);
  // The row may still list a recently deleted group.
  return recordsWithin(await groups.getMany(environmentId, row?.groupIds ?? []), window);
}

/** The ids of the memberships on a page of a group's members, by one strongly consistent Query. */
export async function listMemberIds(environmentId: string, groupId: string, window: Window): Promise<string[]> {
  return (await groupMembers.list('primary', { environmentId, groupId }, window)).map(({ id }) => id);
}
