import { permissionsClaim } from '../../../kernel/authentication/permissions-claim.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import {
  effectiveRoles,
  type MembershipRoles,
  type OrganizationMembershipRecord,
  presentMembership,
  rolesOfMemberships,
} from '../../../tenancy/modules/memberships/public.ts';
import { findOrganization, type OrganizationSummary } from '../../../tenancy/organizations/public.ts';
import { permissionsOfRoles } from '../../../tenancy/roles/public.ts';
import type { mintAccessToken } from '../../../tenancy/sessions/public.ts';
import { presentUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';

/** The records from which the claims of an access token follow. */
export interface SubjectRecords {
  user: UserRecord;
  membership?: OrganizationMembershipRecord | undefined;
  /** The membership's organization, if it was read already. */
  organization?: OrganizationSummary | undefined;
  /** The roles that the organization can assign, if they were read already. */
  roles?: MembershipRoles | undefined;
  /** Slugs of the feature flags that are on in the session. */
  flags: readonly string[];
}

/** The subject of an access token, whose organization and roles are read unless they were read already. */
export async function readTokenSubject({
  user,
  membership,
  organization: readOrganization,
  roles: readRoles,
  flags,
}: SubjectRecords): Promise<Parameters<typeof mintAccessToken>[1]> {
  const subject = { user: presentUser(user), featureFlags: flags };
  if (membership === undefined) return subject;
  const { environmentId, organizationId } = membership;
  const [organization, known] = await awaitAll([
    readOrganization ?? findOrganization(environmentId, organizationId),
    readRoles ?? rolesOfMemberships(environmentId, organizationId),
  ]);
  const memberRoles = effectiveRoles(membership, known);
  const roles = memberRoles.map(({ slug }) => slug);
  return {
    ...subject,
    organization: organization?.presented,
    membership: {
      ...presentMembership(membership, user, organization?.name ?? ''),
      role: roles[0],
      roles,
      ...permissionsClaim(permissionsOfRoles(memberRoles)),
    },
  };
}
