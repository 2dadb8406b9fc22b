import { clock } from '../../../../kernel/clock.ts';
import { awaitAll } from '../../../../kernel/concurrency.ts';
import type { IncomingRequest } from '../../../../kernel/http/incoming-request.ts';
import { constantTimeEqual } from '../../../../kernel/keys/hash.ts';
import { type HeldSession, type PageSession, pageSessions } from '../../../../kernel/pages/session.ts';
import { ownerKey } from '../../../../kernel/storage/record.ts';
import type { Unit } from '../../../../kernel/storage/unit.ts';
import { findInvitation } from '../invitation/find.ts';
import { type Authority, type MintingVerdict, organizationWord } from '../../trust/public.ts';
import type { Intent } from '../intents.ts';
import { limitToInvitation } from './rules.ts';

/** A person who is signed in to the portal, in one browser. */
export interface PortalSession extends PageSession {
  organizationId: string;
  intents: Intent[];
  returnUrl?: string | undefined;
  successUrl?: string | undefined;
  providerType?: string | undefined;
  /** The actor of the changes that the person makes. */
  actorId: string;
  actorName: string | null;
  /**
   * The IT contact whose link opened the session. The session ends with the contact's invitation, and finishing the set-up
   * ends both.
   */
  contactId?: string | undefined;
  /** The proof by which it was opened: the organization's word, by a link or by the invitation of its IT contact. */
  proofs?: Authority | undefined;
}

/** Seconds after which a session ends, even if it is in use. */
const SESSION_SECONDS = 8 * 3_600;

/** The sessions of the portal. The organization holds them: at most 20 browsers at once, each for up to two hours without use. */
export const portalSessions = pageSessions<PortalSession>({
  kind: 'portal-session',
  purpose: 'portal',
  most: 20,
  idleSeconds: 2 * 3_600,
});

/**
 * Opens a session with a new cookie in every case.
 * @param opening the members of the session, except its proofs
 * @returns the Set-Cookie header
 */
export const stagePortalSession = (
  unit: Pick<Unit, 'stage'>,
  { facts: { organizationId }, authority }: MintingVerdict<string>,
  environmentId: string,
  opening: Omit<PortalSession, keyof PageSession | 'organizationId' | 'proofs'>,
  request: IncomingRequest,
): Promise<string> =>
  portalSessions.stageOpening(
    unit,
    {
      environmentId,
      holderId: organizationId,
      owner: ownerKey('organization', organizationId),
      seconds: SESSION_SECONDS,
    },
    { ...opening, organizationId, proofs: authority },
    request,
  );

/** The proofs of a session; one from before they were stored was opened by the organization's word. */
export const readSessionProofs = ({ proofs, organizationId }: PortalSession): Authority =>
  proofs ?? [{ method: 'portal', word: organizationWord(organizationId), at: 0 }];

/** Finds the session of a browser: one GetItem, and a second one for an IT contact's session. */
export async function findPortalSession(
  environmentId: string,
  request: IncomingRequest,
): Promise<HeldSession<PortalSession> | undefined> {
  const session = await portalSessions.find(environmentId, request);
  if (session?.contactId === undefined) return session;
  return limitToInvitation(session, await findInvitation(environmentId, session.organizationId), clock.seconds());
}

/** Finds a session by the hash of its cookie: two strongly consistent GetItems in parallel. */
export async function findSessionByHash(
  environmentId: string,
  organizationId: string,
  hash: string,
): Promise<PortalSession | undefined> {
  const [sessions, invitation] = await awaitAll([
    portalSessions.findLive(environmentId, organizationId),
    findInvitation(environmentId, organizationId),
  ]);
  const session = sessions.find((one) => constantTimeEqual(one.hash, hash));
  return session && limitToInvitation(session, invitation, clock.seconds());
}
