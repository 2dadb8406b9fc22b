import { clock } from '../../../kernel/clock.ts';
import { readSessionProofs, type SessionRecord } from '../../../tenancy/sessions/public.ts';
import { ungoverned } from '../../../tenancy/modules/organization-sso/public.ts';
import { askEntry } from '../../../sign-in/modules/sign-in/public.ts';
import { admitMinting } from '../../../tenancy/modules/trust/public.ts';
import type { AgentVerdict } from '../registration/assertion.ts';
import type { Facts } from './facts.ts';

/**
 * The permission of the session of a user to delegate to an agent in an organization; undefined if its proofs are not sufficient there.
 * What the agent gets never reaches further than the session. As at a refresh of the session, single sign-on is asked for only
 * if the session is in another organization now. It reads nothing then for a proof of the person or of the organization.
 */
export async function admitDelegation(
  { user, membershipId }: Facts,
  organizationId: string,
  session: SessionRecord | undefined,
): Promise<AgentVerdict | undefined> {
  if (session === undefined || user === undefined) return undefined;
  const authority = readSessionProofs(session);
  const isMember = membershipId !== undefined;
  const sso = session.organizationId === organizationId ? ungoverned(organizationId) : undefined;
  const entry = await askEntry({ user, authority, organizationId, isMember, sso, isRenewal: true });
  return entry.isAllowed ? entry : undefined;
}

/** The permission of an agent without a user, which the API key of the environment makes act for an organization. */
export const admitAutonomous = (organizationId: string): AgentVerdict =>
  admitMinting([{ method: 'api_key', word: 'environment', at: clock.now() }], organizationId);
