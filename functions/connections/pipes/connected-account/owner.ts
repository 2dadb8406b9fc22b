import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, type Failure, type Issue, notFound } from '../../../kernel/errors.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';
import type { Holder } from './entity.ts';

export const userNotFound = notFound('user');

export const notAnActiveMember = declareError({
  status: 403,
  code: 'not_an_active_member',
  message:
    'The user is not an active member of the organization, so they cannot act for it. Send the user_id of an active member.',
});

/** The owner of a connected account. */
export interface AccountOwner extends Holder {
  ownership: 'user' | 'organization';
  /** The owning user; undefined for a connected account of an organization. */
  userId: string | undefined;
  /** The owning organization, or the one that a user's connected account is scoped to. */
  organizationId: string | undefined;
  /** The organization or user that the rows are erased with. */
  owner: string;
}

export interface OwnerMembers {
  user_id: string;
  organization_id?: string | undefined;
  connection_owner?: 'user' | 'organization' | undefined;
}

interface Rejections {
  fail: (error: typeof userNotFound | typeof notAnActiveMember) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

/** Makes the owner of a user's connected account, without reading any record. */
export const userOwner = (userId: string, organizationId: string | undefined): AccountOwner => ({
  ownership: 'user',
  holder: ownerKey('user', userId),
  scope: organizationId ?? '-',
  userId,
  organizationId,
  owner: organizationId === undefined ? ownerKey('user', userId) : ownerKey('organization', organizationId),
});

/** Makes the owner of an organization's connected account, without reading any record. */
export const organizationOwner = (organizationId: string): AccountOwner => ({
  ownership: 'organization',
  holder: ownerKey('organization', organizationId),
  scope: '-',
  userId: undefined,
  organizationId,
  owner: ownerKey('organization', organizationId),
});

/** Reads the owner from a request's members; {@link checkOwner} checks that its records exist. */
export function readOwner(members: OwnerMembers, invalid: Rejections['invalid']): AccountOwner {
  const { user_id, organization_id, connection_owner = 'user' } = members;
  if (connection_owner === 'user') return userOwner(user_id, organization_id);
  if (organization_id !== undefined) return organizationOwner(organization_id);
  const message = 'is required when connection_owner is organization';
  throw invalid([{ field: 'organization_id', code: 'required', message }]);
}

/** Facts from the records of an owner. */
export interface OwnerState {
  /** The epoch that an account of the owner must have: a user's `ownershipEpoch`, always 0 for an organization. */
  epoch: number;
  /** The `ownershipEpoch` of the acting user. */
  actorEpoch: number;
}

/**
 * Rejects a missing user or organization, and a user who acts for an organization without being an active member of it. It
 * takes strongly consistent GetItems in parallel; for an organization's connected account two in sequence.
 */
export async function checkOwner(
  environmentId: string,
  owner: AccountOwner,
  actingUserId: string,
  { fail }: Rejections,
): Promise<OwnerState> {
  const { organizationId } = owner;
  const [user, organization, membership] = await awaitAll([
    findUser(environmentId, actingUserId),
    organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
    owner.ownership === 'organization' && organizationId !== undefined
      ? findMembership(environmentId, actingUserId, organizationId)
      : undefined,
  ]);
  if (user === undefined) throw fail(userNotFound);
  if (organizationId !== undefined && organization === undefined) throw fail(organizationNotFound);
  if (owner.ownership === 'organization' && membership?.status !== 'active') throw fail(notAnActiveMember);
  const { ownershipEpoch: actorEpoch = 0 } = user;
  return { epoch: owner.ownership === 'user' ? actorEpoch : 0, actorEpoch };
}

/**
 * Rejects a path with a missing user or organization, by GetItems in parallel.
 * @returns the owner's epoch
 */
export async function checkHolder(
  environmentId: string,
  { userId, organizationId }: AccountOwner,
  fail: (error: typeof userNotFound) => Failure,
): Promise<number> {
  const [user, organization] = await awaitAll([
    userId === undefined ? undefined : findUser(environmentId, userId),
    organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
  ]);
  if (userId !== undefined && user === undefined) throw fail(userNotFound);
  if (organizationId !== undefined && organization === undefined) throw fail(organizationNotFound);
  return user?.ownershipEpoch ?? 0;
}
