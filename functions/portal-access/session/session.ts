import { clock } from '../../kernel/clock.ts';
import { awaitAll } from '../../kernel/concurrency.ts';
import type { IncomingRequest } from '../../kernel/http/incoming-request.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { type HeldSession, type PageSession, pageSessions } from '../../kernel/pages/session.ts';
import { findInvitation } from '../invitation/find.ts';
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
}

/** The sessions of the portal. The organization holds them: at most 20 browsers at once, each for up to two hours without use. */
export const portalSessions = pageSessions<PortalSession>({
  kind: 'portal-session',
  purpose: 'portal',
  most: 20,
  idleSeconds: 2 * 3_600,
});

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
