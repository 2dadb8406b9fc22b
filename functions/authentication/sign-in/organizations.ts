import { findOrganization, type OrganizationSummary } from '../../organizations/public.ts';
import { membershipsOf, type OrganizationMembershipRecord } from '../../user-management/public.ts';

/** An organization into which a user can sign in. */
export interface Place {
  organization: OrganizationSummary;
  membership: OrganizationMembershipRecord;
}

/** Organizations that a user is offered; who has more names the one that is meant. */
const MOST_OFFERED = 100;

/**
 * Where a user can sign in: active memberships of organizations that are there. One strongly consistent Query and a GetItem
 * for each organization, at the same time.
 */
export async function placesOf(environmentId: string, userId: string): Promise<Place[]> {
  const active = (await membershipsOf(environmentId, userId)).filter(({ status }) => status === 'active');
  const places = await Promise.all(active.slice(0, MOST_OFFERED).map((membership) => placeOf(membership)));
  return places.filter((place) => place !== undefined);
}

/** The organization of an active membership; undefined where it is gone or the membership is not active. */
export async function placeOf(membership: OrganizationMembershipRecord | undefined): Promise<Place | undefined> {
  if (membership?.status !== 'active') return undefined;
  const organization = await findOrganization(membership.environmentId, membership.organizationId);
  return organization && { organization, membership };
}
