import { clock } from '../../../../kernel/clock.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import {
  findInvitationByToken,
  type InvitationRecord,
  InvitationRejected,
  invitationStateOf,
  stageInvitationAcceptance,
} from '../../../../tenancy/modules/invitations/public.ts';
import type { UserRecord } from '../../../../tenancy/modules/users/public.ts';
import type { RejectionReason, RejectedSignIn } from './attempt.ts';

const rejected = (code: RejectionReason): RejectedSignIn => ({ kind: 'rejected', code });

/**
 * Reads the invitation of a sign-in, if there is one, which must be pending and for the address of the user. It stages
 * nothing.
 */
export async function checkInvitation(
  environmentId: string,
  token: string | undefined,
  email: string,
): Promise<{ kind: 'open'; invitation: InvitationRecord | undefined } | RejectedSignIn> {
  if (token === undefined) return { kind: 'open', invitation: undefined };
  const invitation = await findInvitationByToken(environmentId, token);
  if (invitation === undefined || invitationStateOf(invitation, clock.now()) !== 'pending') {
    return rejected('invitation_invalid');
  }
  return invitation.email === email ? { kind: 'open', invitation } : rejected('invitation_cannot_be_used_for_email');
}

/** Accepts an invitation in the unit of work of the sign-in. */
export async function accept(unit: Unit, invitation: InvitationRecord, user: UserRecord) {
  try {
    const { membership } = await stageInvitationAcceptance(unit, invitation, user);
    return { kind: 'accepted' as const, membership };
  } catch (error) {
    if (!(error instanceof InvitationRejected)) throw error;
    return rejected(error.reason === 'email_mismatch' ? 'invitation_cannot_be_used_for_email' : 'invitation_invalid');
  }
}
