import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { type HeldSession, type PageSession, pageSessions } from '../../../kernel/pages/session.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { AccountChange, Authority, Entry, Verdict } from '../../modules/trust/public.ts';

/** One browser in which a user is signed in to the hosted pages. */
interface BrowserSession extends PageSession {
  /** The time (in milliseconds since the epoch) and method of the user's last authentication there. */
  authenticatedAt: number;
  method: string;
  provider?: string | undefined;
  /** The proofs of the user at that time; absent in older rows. */
  proofs?: Authority | undefined;
  /** True if a second factor was used. */
  mfa: boolean;
  /** The user's `credentialEpoch` at that time: the session is invalid when the user has another one. */
  epoch: number;
  /** True if the session ends when the browser is closed. */
  untilClosed?: boolean | undefined;
}

const sessions = pageSessions<BrowserSession>({ kind: 'browser-sessions', purpose: 'session', most: 20 });

/** The sign-in of a user to an environment's hosted pages in a browser; `holderId` is the user's id. */
export type SignedInBrowser = HeldSession<BrowserSession>;

/**
 * Finds the user who is signed in in this browser, by one strongly consistent GetItem if it has the cookie. The caller
 * reads the user and compares `epoch`.
 */
export const findBrowserSession = (
  environmentId: string,
  request: IncomingRequest,
): Promise<SignedInBrowser | undefined> => sessions.find(environmentId, request);

/** The data of a new browser session. */
export interface BrowserOpening extends Omit<BrowserSession, keyof PageSession | 'proofs'> {
  environmentId: string;
  userId: string;
  /** The lifetime of the session in seconds; 0 opens no session and ends the one that the browser had. */
  seconds: number;
}

/**
 * Signs a browser in to the hosted pages. **The caller revises the user's row in the same unit.**
 * @param verdict a permission with the proofs of the sign-in, which the session stores
 * @returns the Set-Cookie header
 */
export const stageBrowserSession = (
  unit: Pick<Unit, 'stage'>,
  { authority: proofs }: Verdict<Entry | AccountChange>,
  { environmentId, userId, seconds, ...session }: BrowserOpening,
  request: IncomingRequest,
): Promise<string> =>
  sessions.stageOpening(
    unit,
    { environmentId, holderId: userId, owner: ownerKey('user', userId), seconds, untilClosed: session.untilClosed },
    { ...session, proofs },
    request,
  );

/** Signs a user out of the hosted pages in every browser, even in those that sign in concurrently. */
export const stageEndOfBrowserSessions = (unit: Pick<Unit, 'stage'>, environmentId: string, userId: string): void =>
  sessions.stageEndOfAll(unit, environmentId, userId);
