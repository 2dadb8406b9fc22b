import type { Authority } from '../../../tenancy/modules/trust/public.ts';
import { type PageSession, pageSessions } from '../../../kernel/pages/session.ts';

/** Seconds after which a session of the account page ends, even if it is in use. */
export const SESSION_SECONDS = 3_600;

/** A browser in which a user has opened the account page. */
export interface AccountSession extends PageSession {
  /** The user's `credentialEpoch` at that time: the session is invalid when the user has another one. */
  epoch: number;
  /** The proofs that opened the session (`Authority` in `trust`); absent in older rows, which end within the hour. */
  proofs?: Authority | undefined;
  /** The time of the last proof of identity, in milliseconds since the epoch; absent until there is one. */
  provenAt?: number | undefined;
  /** The method of the last proof, as sessions name it. */
  method?: string | undefined;
  /** A second proof that is still missing: the challenge of a factor, and the time and method of the first proof. */
  awaiting?: { challengeId: string; method: string; since: number } | undefined;
  /**
   * The hash of the browser's session of the hosted pages, if that session opened this one, which then ends with it.
   */
  browserHash?: string | undefined;
  /** The session of the application whose link opened this one, which then ends with it. */
  sessionId?: string | undefined;
  /** The address of the application, for the link back. */
  returnUrl?: string | undefined;
}

/**
 * The sessions of the account page. They are separate from the browser's session of the hosted pages, because a link of an
 * application opens the account page only, and signs in to nothing else. A user has at most five, and each ends after twenty
 * minutes without use.
 */
export const accountSessions = pageSessions<AccountSession>({
  kind: 'account-sessions',
  purpose: 'account',
  most: 5,
  idleSeconds: 20 * 60,
});
