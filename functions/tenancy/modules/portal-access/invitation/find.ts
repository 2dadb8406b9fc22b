import { clock } from '../../../../kernel/clock.ts';
import { type InvitationRecord, invitations } from './entity.ts';

/** Finds the invitation of an organization's IT contact, which may have expired: one strongly consistent GetItem. */
export const findInvitation = (environmentId: string, organizationId: string): Promise<InvitationRecord | undefined> =>
  invitations.get(environmentId, organizationId);

/**
 * Finds the invitation of a link's token. It is found through the index, which lags, and read again, so that a revoked link
 * is rejected at once.
 */
export async function findInvitationByToken(
  environmentId: string,
  tokenHash: string,
): Promise<InvitationRecord | undefined> {
  const [found] = await invitations.list('byToken', { environmentId, tokenHash }).take(1);
  const current = found && (await findInvitation(environmentId, found.id));
  return isActiveInvitation(current) && current.tokenHash === tokenHash ? current : undefined;
}

/** Reports whether an invitation exists and has not expired. */
export const isActiveInvitation = (invitation: InvitationRecord | undefined): invitation is InvitationRecord =>
  (invitation?.expiresAt ?? 0) > clock.seconds();
