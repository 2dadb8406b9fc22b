import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { findHolder } from '../../../../kernel/storage/unique.ts';
import { findOrganization, organizationNotFound } from '../../../organizations/public.ts';
import { findMembership, rolesOfMemberships } from '../../memberships/public.ts';
import { findUser, getUserByEmail } from '../../users/public.ts';
import { invitations, openPlace } from './entity.ts';
import {
  alreadyInvited,
  alreadyInvitedToOrganization,
  alreadyMember,
  invalidRole,
  inviterNotFound,
  organizationBlocked,
  userAlreadyExists,
} from './errors.ts';
import { computeState } from './rules.ts';
import { invitationSettings } from './settings.ts';

/** The invitee, the organization and the inviter of a request. */
export interface WantedInvitation {
  /** The email address, normalized by `normalizeEmail`. */
  email: string;
  organizationId?: string | undefined;
  roleSlug?: string | undefined;
  inviterId?: string | undefined;
}

/** The records that a request for an invitation names. */
export type Parties = Awaited<ReturnType<typeof findParties>>;

/** Reads all records that an invitation depends on, in two serial round trips, all strongly consistent. */
export async function findParties(
  environmentId: string,
  { email, organizationId, roleSlug, inviterId }: WantedInvitation,
) {
  const [settings, organization, inviter, user, holder, roles] = await awaitAll([
    findSettings(environmentId, invitationSettings),
    organizationId === undefined ? undefined : findOrganization(environmentId, organizationId),
    inviterId === undefined ? undefined : findUser(environmentId, inviterId),
    getUserByEmail(environmentId, email),
    findHolder(openPlace(environmentId, { email, organizationId })),
    organizationId === undefined || roleSlug === undefined
      ? undefined
      : rolesOfMemberships(environmentId, organizationId),
  ]);
  const [former, membership] = await awaitAll([
    holder === undefined ? undefined : invitations.get(environmentId, holder),
    organizationId === undefined || user === undefined
      ? undefined
      : findMembership(environmentId, user.id, organizationId),
  ]);
  const isBlocked = organizationId !== undefined && settings.blocked_organizations.includes(organizationId);
  const role = roles?.bySlug.get(roleSlug ?? '');
  return { organization, inviter, user, former, membership, isBlocked, role };
}

/** The error for an address that already has a pending invitation. */
export const takenBy = ({ organizationId }: Pick<WantedInvitation, 'organizationId'>) =>
  organizationId === undefined ? alreadyInvited : alreadyInvitedToOrganization;

/** The reason why an invitation is not possible; undefined if it is. */
export function findRejection(wanted: WantedInvitation, parties: Parties) {
  const wrongName = unknownName(wanted, parties);
  if (wrongName !== undefined) return wrongName;
  const { user, membership, former } = parties;
  if (wanted.organizationId === undefined && user !== undefined) return userAlreadyExists;
  // An invitation may be sent to a pending member, whose membership becomes active by it.
  if (membership !== undefined && membership.status !== 'pending') return alreadyMember;
  const isInvited = former !== undefined && computeState(former, clock.now()) === 'pending';
  return isInvited ? takenBy(wanted) : undefined;
}

function unknownName({ organizationId, inviterId, roleSlug }: WantedInvitation, parties: Parties) {
  if (organizationId !== undefined && parties.organization === undefined) return organizationNotFound;
  if (inviterId !== undefined && parties.inviter === undefined) return inviterNotFound;
  if (parties.isBlocked) return organizationBlocked;
  return roleSlug !== undefined && parties.role === undefined ? invalidRole : undefined;
}
