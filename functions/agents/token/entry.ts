import { readSessionProofs, type SessionRecord } from '../../sessions/public.ts';
import { ungoverned } from '../../organization-sso/public.ts';
import { askEntry } from '../../sign-in/public.ts';
import type { Facts } from './facts.ts';

/**
 * Reports whether the session of a user may delegate to an agent in an organization: its proofs are sufficient for that organization.
 * What the agent gets never reaches further than the session. As at a refresh of the session, single sign-on is asked for only
 * if the session is in another organization now. It reads nothing then for a proof of the person or of the organization.
 * @param session undefined for an agent without a user
 */
export async function mayDelegate(
  { user, membershipId }: Facts,
  organizationId: string,
  session: SessionRecord | undefined,
): Promise<boolean> {
  if (session === undefined || user === undefined) return true;
  const authority = readSessionProofs(session);
  const isMember = membershipId !== undefined;
  const sso = session.organizationId === organizationId ? ungoverned(organizationId) : undefined;
  const entry = await askEntry({ user, authority, organizationId, isMember, sso, isRenewal: true });
  return entry.isAllowed;
}
