import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findOrganization, findOrganizations } from '../../../organizations/public.ts';
import { findUser, findUsersById, type UserRecord } from '../../users/public.ts';
import type { OrganizationMembershipRecord } from './entity.ts';
import { presentMembership, type WireMembership } from './schema.ts';

/** The user and the organization of a membership. */
export interface Parties {
  user: UserRecord;
  organizationName: string;
}

/**
 * The user and the organization of a membership, by two GetItems in parallel. Returns undefined if one of them was deleted
 * and the membership will be removed.
 */
export async function findParties({
  environmentId,
  userId,
  organizationId,
}: Pick<OrganizationMembershipRecord, 'environmentId' | 'userId' | 'organizationId'>): Promise<Parties | undefined> {
  const [user, organization] = await awaitAll([
    findUser(environmentId, userId),
    findOrganization(environmentId, organizationId),
  ]);
  return user && organization && { user, organizationName: organization.name };
}

/**
 * Memberships with their users and organizations' names, by two BatchGetItems in parallel; those with a deleted user or
 * organization are left out.
 */
export async function presentAll(
  environmentId: string,
  records: readonly OrganizationMembershipRecord[],
): Promise<WireMembership[]> {
  const [members, organizations] = await awaitAll([
    findUsersById(environmentId, [...new Set(records.map(({ userId }) => userId))]),
    findOrganizations(
      environmentId,
      records.map(({ organizationId }) => organizationId),
    ),
  ]);
  const byId = new Map(members.map((user) => [user.id, user]));
  return records.flatMap((record) => {
    const [user, organization] = [byId.get(record.userId), organizations.get(record.organizationId)];
    return user && organization ? [presentMembership(record, user, organization.name)] : [];
  });
}
