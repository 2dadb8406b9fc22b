import { findOrganization } from '../../organizations/public.ts';
import { users } from '../user/entity.ts';
import type { OrganizationMembershipRecord } from './entity.ts';
import { presentMembership, type WireMembership } from './schema.ts';

/**
 * A membership with its user and its organization's name: two GetItems, in parallel. Undefined where one of them is
 * deleted already and the membership only waits for its removal.
 */
export async function withParties(record: OrganizationMembershipRecord): Promise<WireMembership | undefined> {
  const { environmentId, userId, organizationId } = record;
  const [user, organization] = await Promise.all([
    users.get(environmentId, userId),
    findOrganization(environmentId, organizationId),
  ]);
  return user && organization && presentMembership(record, user, organization.name);
}
