import { findSlugsThatAreOn } from '../../../../access/feature-flags/public.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import {
  findOrganization,
  findOrganizations,
  type OrganizationSummary,
} from '../../../../tenancy/organizations/public.ts';
import {
  type MembershipRoles,
  findUserMemberships,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
} from '../../../../tenancy/modules/memberships/public.ts';
import { findOrganizationSso, type OrganizationSso } from '../../../../tenancy/modules/organization-sso/public.ts';

/** An organization in which a user can sign in. */
export interface SignInOrganization {
  organization: OrganizationSummary;
  membership: OrganizationMembershipRecord;
  /** The roles that the organization can assign, if it is the only organization. */
  roles?: MembershipRoles | undefined;
  /** Slugs of the feature flags that are on for the user in the organization, if it is the only organization. */
  flags?: readonly string[] | undefined;
  /** The connections and the policy of the organization, if it is the only organization. */
  sso?: OrganizationSso | undefined;
}

/** Maximum number of organizations that a user can choose from; a user with more must name one. */
const MOST_OFFERED = 100;

/** Finds the organizations in which a user can sign in: those of the active memberships. */
export async function findSignInOrganizations(environmentId: string, userId: string): Promise<SignInOrganization[]> {
  const active = (await findUserMemberships(environmentId, userId)).filter(({ status }) => status === 'active');
  const offered = active.slice(0, MOST_OFFERED);
  if (offered.length === 0) return [];
  const ids = offered.map(({ organizationId }) => organizationId);
  const [only = '', another] = ids;
  const [found, roles, flags, sso] = await awaitAll([
    findOrganizations(environmentId, ids),
    another === undefined ? rolesOfMemberships(environmentId, only) : undefined,
    another === undefined ? findSlugsThatAreOn(environmentId, [userId, only]) : undefined,
    another === undefined ? findOrganizationSso(environmentId, only) : undefined,
  ]);
  return offered.flatMap((membership) => {
    const organization = found.get(membership.organizationId);
    return organization === undefined ? [] : [{ organization, membership, roles, flags, sso }];
  });
}

/** The organization of an active membership; undefined if it was deleted or the membership is not active. */
export async function findSignInOrganization(
  membership: OrganizationMembershipRecord | undefined,
): Promise<SignInOrganization | undefined> {
  if (membership?.status !== 'active') return undefined;
  const { environmentId, organizationId, userId } = membership;
  const [organization, roles, flags, sso] = await awaitAll([
    findOrganization(environmentId, organizationId),
    rolesOfMemberships(environmentId, organizationId),
    findSlugsThatAreOn(environmentId, [userId, organizationId]),
    findOrganizationSso(environmentId, organizationId),
  ]);
  return organization && { organization, membership, roles, flags, sso };
}
