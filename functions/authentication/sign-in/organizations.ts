import { findOrganization, findOrganizations, type OrganizationSummary } from '../../organizations/public.ts';
import { membershipsOf, type OrganizationMembershipRecord } from '../../memberships/public.ts';

/** An organization into which a user can sign in. */
export interface SignInOrganization {
  organization: OrganizationSummary;
  membership: OrganizationMembershipRecord;
}

/** Maximum organizations in the choice of a user; a user with more has to name one. */
const MOST_OFFERED = 100;

/**
 * The organizations that a user can sign in to: active memberships of existing organizations. One strongly consistent
 * Query, and a BatchGetItem if there are any.
 */
export async function placesOf(environmentId: string, userId: string): Promise<SignInOrganization[]> {
  const active = (await membershipsOf(environmentId, userId)).filter(({ status }) => status === 'active');
  const offered = active.slice(0, MOST_OFFERED);
  if (offered.length === 0) return [];
  const found = await findOrganizations(
    environmentId,
    offered.map(({ organizationId }) => organizationId),
  );
  return offered.flatMap((membership) => {
    const organization = found.get(membership.organizationId);
    return organization === undefined ? [] : [{ organization, membership }];
  });
}

/** The organization of an active membership; undefined if it was deleted or the membership is not active. */
export async function placeOf(
  membership: OrganizationMembershipRecord | undefined,
): Promise<SignInOrganization | undefined> {
  if (membership?.status !== 'active') return undefined;
  const organization = await findOrganization(membership.environmentId, membership.organizationId);
  return organization && { organization, membership };
}
