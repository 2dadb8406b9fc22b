import { awaitAll } from '../../kernel/concurrency.ts';
import { declareError, notFound } from '../../kernel/errors.ts';
import { effectiveRoles, findMembership, rolesOfMemberships } from '../../tenancy/modules/memberships/public.ts';
import { findOrganization, organizationNotFound } from '../../tenancy/organizations/public.ts';
import { permissionsOfRoles } from '../../tenancy/roles/public.ts';
import { findUser, userNotFound } from '../../tenancy/modules/users/public.ts';

export { organizationNotFound, userNotFound };

export const notAMember = declareError({
  status: 422,
  code: 'user_not_in_organization',
  message: 'The user is not an active member of this organization. Add or reactivate the membership first.',
});

/** The 404 for a token whose user, organization or membership no longer exists. */
export const sessionEnded = {
  ...notFound('session', 'session_ended'),
  message:
    'The user, organization or active membership of this token no longer exists. Create a token for an active member.',
};

/** The state of the user and organization that a token is for. */
export interface Holder {
  hasUser: boolean;
  hasOrganization: boolean;
  /** True if both are named and the membership is active. */
  isMember: boolean;
  /** The permissions of the member at the organization; empty for others. */
  permissions: readonly string[];
}

/**
 * Reads the user, organization and membership that a token names, and the member's permissions, in one round trip of
 * strongly consistent reads while this instance has cached the model of roles.
 */
export async function readHolder(
  environmentId: string,
  { userId, organizationId }: { userId: string | undefined; organizationId: string | undefined },
): Promise<Holder> {
  const hasBoth = userId !== undefined && organizationId !== undefined;
  const [user, organization, membership, known] = await awaitAll([
    userId === undefined ? undefined : findUser(environmentId, userId),
    organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
    hasBoth ? findMembership(environmentId, userId, organizationId) : undefined,
    hasBoth ? rolesOfMemberships(environmentId, organizationId) : undefined,
  ]);
  const active = membership?.status === 'active' && organization !== undefined ? membership : undefined;
  return {
    hasUser: user !== undefined,
    hasOrganization: organization !== undefined,
    isMember: active !== undefined && user !== undefined,
    permissions: active === undefined || known === undefined ? [] : permissionsOfRoles(effectiveRoles(active, known)),
  };
}
