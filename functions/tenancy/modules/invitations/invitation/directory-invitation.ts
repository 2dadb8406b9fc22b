import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import { findHolder, release } from '../../../../kernel/storage/unique.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { type InvitationRecord, invitations, openPlace } from './entity.ts';
import { DEFAULT_DAYS, computeState } from './rules.ts';
import { findInvitationRoom, isReachable, stageInvitation } from './stage.ts';
import { currentPayload } from './token.ts';

/** A user that a directory invites to an organization. */
interface Guest {
  environmentId: string;
  /** The email address, normalized by `normalizeEmail`. */
  email: string;
  organization: { id: string; name: string };
}

/**
 * The invitation that has the unique key of an address in an organization, pending or expired, by two GetItems in sequence.
 */
async function openInvitation({ environmentId, email, organization }: Guest): Promise<InvitationRecord | undefined> {
  const holder = await findHolder(openPlace(environmentId, { email, organizationId: organization.id }));
  return holder === undefined ? undefined : invitations.get(environmentId, holder);
}

/**
 * Stages an invitation with its mail, for the default number of days. It stages nothing if one is pending, if no mail
 * can reach the address, or if the organization has sent it too many today.
 */
export async function inviteGuest(unit: Unit<'invitation.created'>, guest: Guest): Promise<void> {
  const { environmentId, email, organization } = guest;
  const [former, canArrive, room] = await awaitAll([
    openInvitation(guest),
    isReachable(environmentId, email),
    findInvitationRoom(environmentId, email, organization.id),
  ]);
  const isPending = former !== undefined && computeState(former, clock.now()) === 'pending';
  if (isPending || !canArrive || !room.allowed) return;
  await stageInvitation(unit, { environmentId, email, organization, days: DEFAULT_DAYS, former });
}

/** Stages the revocation of a pending invitation, with `invitation.revoked`. It stages nothing if there is none. */
export async function withdrawInvitation(unit: Unit<'invitation.revoked'>, guest: Guest): Promise<void> {
  const record = await openInvitation(guest);
  if (record === undefined || computeState(record, clock.now()) !== 'pending') return;
  const revokedAt = clock.timestamp();
  const revision = invitations.revise(record, { revokedAt }, revokedAt);
  unit.announce(revision, 'invitation.revoked', currentPayload, { organizationId: record.organizationId });
  unit.stage(release(openPlace(guest.environmentId, record), record.id));
}
