import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { release } from '../../../../kernel/storage/unique.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { findOrganization } from '../../../organizations/public.ts';
import {
  findMembership,
  type OrganizationMembershipRecord,
  rolesOfMemberships,
  stageMembership,
  stageMembershipChange,
} from '../../memberships/public.ts';
import type { UserRecord } from '../../users/public.ts';
import { type InvitationRecord, invitations, openPlace } from './entity.ts';
import { computeState } from './rules.ts';
import { currentPayload } from './token.ts';

/** The reasons why an invitation cannot be accepted. */
export type RejectionReason =
  /** The invitation was accepted, was revoked or has expired. */
  | 'not_pending'
  /** The invitation is for another address than the user's. */
  | 'email_mismatch'
  /** The organization of the invitation was deleted. */
  | 'organization_gone'
  /**
   * The user's membership of the organization is inactive, and an older invitation does not override an administrator's
   * decision.
   */
  | 'membership_inactive';

/** An invitation that this user cannot accept. */
export class InvitationRejected extends Error {
  readonly reason: RejectionReason;

  constructor(reason: RejectionReason) {
    super(`The invitation cannot be accepted: ${reason}`);
    this.name = 'InvitationRejected';
    this.reason = reason;
  }
}

/** Events of an acceptance. */
type AcceptanceEvent = 'invitation.accepted' | 'organization_membership.created' | 'organization_membership.updated';

/**
 * Stages the acceptance of an invitation by a user: `invitation.accepted`, and an active membership of its organization.
 * Only one of any number of callers commits, since the invitation's version is checked; a retry finds it accepted. It does
 * not verify the user's address: presenting the token proves access to it, and the caller stages that with `proveEmail`.
 * @param user the user as read in this call, or as this unit of work made or changed them
 * @throws InvitationRejected
 */
export async function stageInvitationAcceptance(
  unit: Unit<AcceptanceEvent>,
  invitation: InvitationRecord,
  user: UserRecord,
): Promise<{ invitation: InvitationRecord; membership?: OrganizationMembershipRecord }> {
  const { environmentId, organizationId } = invitation;
  if (computeState(invitation, clock.now()) !== 'pending') throw new InvitationRejected('not_pending');
  if (user.email !== invitation.email) throw new InvitationRejected('email_mismatch');
  const membership = organizationId === undefined ? undefined : await join(unit, organizationId, invitation, user);
  const acceptedAt = clock.timestamp();
  const record = unit.announce(
    invitations.revise(invitation, { acceptedAt, acceptedUserId: user.id }, acceptedAt),
    'invitation.accepted',
    currentPayload,
    { organizationId },
  );
  unit.stage(release(openPlace(environmentId, invitation), invitation.id));
  return { invitation: record, ...(membership === undefined ? {} : { membership }) };
}

async function join(
  unit: Unit<AcceptanceEvent>,
  organizationId: string,
  { environmentId, roleSlug, roleId }: InvitationRecord,
  { id: userId }: UserRecord,
): Promise<OrganizationMembershipRecord> {
  const [organization, former, known] = await awaitAll([
    findOrganization(environmentId, organizationId),
    findMembership(environmentId, userId, organizationId),
    rolesOfMemberships(environmentId, organizationId),
  ]);
  if (organization === undefined) throw new InvitationRejected('organization_gone');
  const role = known.bySlug.get(roleSlug ?? '');
  // A role that was deleted since is not assigned, and neither is a new role with the same slug.
  const isGiven = role !== undefined && (roleId === undefined || role.id === roleId);
  const given = [isGiven ? role : known.defaultRole];
  if (former === undefined) return stageMembership(unit, { environmentId, userId, organizationId, roles: given });
  if (former.status === 'inactive') throw new InvitationRejected('membership_inactive');
  if (former.status === 'active') return former;
  return stageMembershipChange(unit, former, {
    status: 'active',
    ...(roleSlug !== undefined && { roles: { known, own: given } }),
  });
}
