import { obtainGrant } from '../../kernel/authentication/grant.ts';
import { type PageSession, pageSessions } from '../../kernel/pages/session.ts';
import { type Intent, operationsFor } from '../intents.ts';

/** Seconds after which a session ends, even if it is in use. */
export const SESSION_SECONDS = 8 * 3_600;

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

/** Finds the grant with which a session calls the API. @param cookie The value of its cookie */
export const findGrant = (environmentId: string, cookie: string, session: PortalSession): Promise<string> =>
  obtainGrant(environmentId, cookie, {
    organizationId: session.organizationId,
    operations: operationsFor(session.intents),
    actor: { id: session.actorId, name: session.actorName },
  });
