import { findSettings } from '../../../kernel/environment-settings.ts';
import { givenRoles, type OrganizationMembershipRecord } from '../../../tenancy/modules/memberships/public.ts';
import type { Role } from '../../../tenancy/roles/public.ts';
import { userManagementSettings } from '../../../tenancy/modules/users/public.ts';

/**
 * Reports whether a membership may have several roles at its organization. It reads nothing while the environment is
 * cached.
 */
export const mayHaveSeveral = async (environmentId: string): Promise<boolean> =>
  (await findSettings(environmentId, userManagementSettings)).multiple_roles;

/** The roles that were assigned to a membership itself, in the order of priority. */
export const directRoles = (membership: OrganizationMembershipRecord, rolesBySlug: ReadonlyMap<string, Role>): Role[] =>
  givenRoles(membership, rolesBySlug);
