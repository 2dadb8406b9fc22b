import {
  ENVIRONMENT_TYPE,
  OPERATORS_ENVIRONMENT_ID,
  OPERATORS_ORGANIZATION_ID,
} from '../../../kernel/authentication/environment-id.ts';
import type { OperatorPermission } from '../../../kernel/authentication/operator-permission.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { findMembershipRights } from './rights.ts';

/**
 * Reports whether an operator has a permission in an environment now, for what continues after the call that began it. Every read is strongly
 * consistent. An emergency access has no membership, so it has no permission here.
 */
export async function hasOperatorPermission(
  environmentId: string,
  operatorId: string,
  permission: OperatorPermission,
): Promise<boolean> {
  const member = await findMembership(OPERATORS_ENVIRONMENT_ID, operatorId, OPERATORS_ORGANIZATION_ID);
  const rights = member && (await findMembershipRights(OPERATORS_ENVIRONMENT_ID, member.id, ENVIRONMENT_TYPE));
  if (rights?.isActive !== true) return false;
  const places = [rights.atOrganization, rights.onResources.get(environmentId)];
  return places.some((place) => place?.permissions.has(permission) === true);
}
