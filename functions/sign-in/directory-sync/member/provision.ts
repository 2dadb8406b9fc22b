import { isDeepStrictEqual } from 'node:util';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { clock } from '../../../kernel/clock.ts';
import { withdrawInvitation } from '../../../tenancy/modules/invitations/public.ts';
import {
  findMembership,
  rolesOfMemberships,
  stageMembershipChange,
  stageMembershipEnd,
} from '../../../tenancy/modules/memberships/public.ts';
import { findOrganization } from '../../../tenancy/organizations/public.ts';
import { stageRevocationOfAll } from '../../../tenancy/sessions/public.ts';
import { coversAccount } from '../../../tenancy/modules/trust/public.ts';
import { findUser, touchUserVersion } from '../../../tenancy/modules/users/public.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import type { DirectoryUserRecord } from '../user/entity.ts';
import { join, stageNames, wantedNames } from './join.ts';
import type { Link, ProvisioningUnit } from './link.ts';
import { mayGovernAccount } from './rules.ts';

/**
 * Stages what follows for the organization's members from a directory user's new state: joining, changes of names and
 * custom attributes, leaving, and returning. A transition without effect costs no read.
 * @param former undefined for a new directory user
 * @param next undefined for a directory user who is removed
 * @returns the link to store with the directory user, without the assigned roles if they must be written again
 */
export async function provision(
  unit: ProvisioningUnit,
  directory: DirectoryRecord,
  former: DirectoryUserRecord | undefined,
  next: DirectoryUserRecord | undefined,
): Promise<Link> {
  const { memberUserId, membershipId, mappedRoles }: Partial<Link> = former ?? {};
  const link: Link = { memberUserId, membershipId, mappedRoles };
  if (next === undefined || next.state !== 'active') {
    if (former?.state !== 'active' || membershipId === undefined) return link;
    return leave(unit, directory, former);
  }
  if (directory.provisioning === 'off') return link;
  if (membershipId !== undefined && former?.state === 'active') {
    await follow(unit, directory, former, next);
    return link;
  }
  return join(unit, directory, next, link);
}

/**
 * Stages changes of the membership's custom attributes and, if the organization's word covers the account, of its names. The
 * address of a user never changes this way.
 */
async function follow(
  unit: ProvisioningUnit,
  { environmentId, organizationId }: DirectoryRecord,
  former: DirectoryUserRecord,
  next: DirectoryUserRecord,
): Promise<void> {
  const isRenamed = !isDeepStrictEqual(wantedNames(former), wantedNames(next));
  const isChanged = !isDeepStrictEqual(former.customAttributes, next.customAttributes);
  if (!isRenamed && !isChanged) return;
  const userId = former.memberUserId ?? '';
  const [organization, user, membership] = await awaitAll([
    isRenamed ? findOrganization(environmentId, organizationId) : undefined,
    isRenamed ? findUser(environmentId, userId) : undefined,
    findMembership(environmentId, userId, organizationId),
  ]);
  if (user !== undefined && organization !== undefined) {
    if (mayGovernAccount(organization, user, membership?.status, clock.now())) stageNames(unit, user, next);
  }
  if (membership !== undefined && isChanged) {
    stageMembershipChange(unit, membership, { customAttributes: next.customAttributes as Record<string, unknown> });
  }
}

/**
 * Stages that a user leaves the organization, in one transaction. The membership becomes inactive, which refreshes,
 * exchanges of codes and the pages check; its roles are reset. The sessions of the organization are revoked, and also those
 * without an organization if the organization's word covers the account. A pending membership is deleted with its invitation.
 * One that an administrator has made inactive stays as it is.
 * @returns the link to the membership that is kept
 */
async function leave(
  unit: ProvisioningUnit,
  { environmentId, organizationId }: DirectoryRecord,
  { memberUserId, membershipId }: DirectoryUserRecord,
): Promise<Link> {
  const link = { memberUserId, membershipId, mappedRoles: undefined };
  const userId = memberUserId ?? '';
  const [organization, user, membership, known] = await awaitAll([
    findOrganization(environmentId, organizationId),
    findUser(environmentId, userId),
    findMembership(environmentId, userId, organizationId),
    rolesOfMemberships(environmentId, organizationId),
  ]);
  if (user === undefined || organization === undefined || membership === undefined) return link;
  if (membership.status === 'pending') {
    stageMembershipEnd(unit, membership, 'directory');
    await withdrawInvitation(unit, { environmentId, email: user.email, organization });
    return { ...link, membershipId: undefined };
  }
  if (membership.status === 'inactive') return link;
  const roles = { known, own: [known.defaultRole] };
  stageMembershipChange(unit, membership, { status: 'inactive', inactiveBy: 'directory', roles });
  touchUserVersion(unit, user);
  const isCovered = coversAccount(organization, user);
  await stageRevocationOfAll(unit, environmentId, user.id, (session) =>
    session.organizationId === undefined ? isCovered : session.organizationId === organizationId,
  );
  return link;
}
