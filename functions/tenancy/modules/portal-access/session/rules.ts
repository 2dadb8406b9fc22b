import { type Intent, intentsOfInvitation } from '../intents.ts';

/** The part of an IT contact's invitation that decides about the sessions of its link. */
export interface Invited {
  contactId: string;
  /** The tasks, as the contract names them. */
  intents: readonly string[];
  /** The end of the invitation, in seconds since the epoch. */
  expiresAt?: number | undefined;
}

/**
 * The session with the tasks that it still has. That of a generated link has those of the link. That of an IT contact ends with the
 * contact's invitation, and has no task that the current invitation does not have.
 * @param now in seconds since the epoch
 * @returns undefined if the session has ended with the invitation
 */
export function limitToInvitation<S extends { contactId?: string | undefined; intents: readonly Intent[] }>(
  session: S,
  invitation: Invited | undefined,
  now: number,
): S | undefined {
  if (session.contactId === undefined) return session;
  if (invitation?.contactId !== session.contactId || (invitation.expiresAt ?? 0) <= now) return undefined;
  const current = intentsOfInvitation(invitation.intents);
  return { ...session, intents: session.intents.filter((intent) => current.includes(intent)) };
}
