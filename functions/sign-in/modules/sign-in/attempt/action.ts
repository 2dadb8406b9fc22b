import { askAuthentication, type DeniedByAction } from '../../../../outbound/modules/actions/public.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { presentMembership } from '../../../../tenancy/modules/memberships/public.ts';
import { findOrganization } from '../../../../tenancy/organizations/public.ts';
import { methodName } from '../../../../proofs/modules/sign-in-checks/public.ts';
import { presentUser } from '../../../../tenancy/modules/users/public.ts';
import type { Attempt, Ready } from './attempt.ts';

/**
 * Asks the environment's action whether a complete sign-in is allowed, or the move of a session to another organization, when nothing
 * else is missing.
 */
export const askAction = (
  unit: Unit,
  {
    environmentId,
    method,
    provider,
    ipAddress,
    userAgent,
  }: Pick<Attempt, 'environmentId' | 'method' | 'provider' | 'ipAddress' | 'userAgent'>,
  {
    user,
    organizationId,
    organization,
    membership,
  }: Pick<Ready, 'user' | 'organizationId' | 'organization' | 'membership'>,
): Promise<DeniedByAction | undefined> =>
  askAuthentication(unit, {
    environmentId,
    userId: user.id,
    organizationId: organizationId ?? null,
    email: user.email,
    ipAddress,
    userAgent,
    async context() {
      const entered =
        organization ??
        (organizationId === undefined ? undefined : await findOrganization(environmentId, organizationId));
      const authenticationMethod = methodName(method, provider);
      return {
        user: presentUser(user),
        ...(entered && { organization: entered.presented }),
        ...(membership && { organization_membership: presentMembership(membership, user, entered?.name ?? '') }),
        ...(authenticationMethod === undefined ? {} : { authentication_method: authenticationMethod }),
      };
    },
  });
