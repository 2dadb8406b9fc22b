import type { InvitationRecord } from '../../../tenancy/modules/invitations/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';

/** The inviter's name if known, otherwise the email. */
export async function findInviter({ environmentId, inviterUserId }: InvitationRecord): Promise<string | undefined> {
  const inviter = inviterUserId === undefined ? undefined : await findUser(environmentId, inviterUserId);
  const name = [inviter?.firstName, inviter?.lastName].filter(Boolean).join(' ');
  return name === '' ? inviter?.email : name;
}
