import { clock } from '../../../kernel/clock.ts';
import { browserHash } from '../../../kernel/http/browser.ts';
import { cookiePairs } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import type { PageSession } from '../../../kernel/pages/session.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { stageEndOfTrust } from '../../../tenancy/modules/known-devices/public.ts';
import {
  findBrowserSession,
  type SignedInBrowser,
  stageBrowserSession,
  stageEndOfBrowserSessions,
} from '../../../tenancy/sessions/public.ts';
import { askAccountChange } from '../../../sign-in/modules/sign-in/public.ts';
import type { AccountChange, Verdict } from '../../../tenancy/modules/trust/public.ts';
import type { UserRecord } from '../../../tenancy/modules/users/public.ts';
import { type AccountSession, accountSessions, SESSION_SECONDS } from './session.ts';
import type { Visit } from './visit.ts';

type Staging = Pick<Unit, 'stage'>;

/** The members of a new session of the account page, except its epoch and proofs. */
export type Opening = Omit<AccountSession, keyof PageSession | 'epoch' | 'proofs'>;

/**
 * Opens a session of the account page, with a new cookie in every case. It replaces the browser's former one.
 * @returns the Set-Cookie header
 */
export const stageAccountSession = (
  unit: Staging,
  { authority }: Verdict<AccountChange>,
  { environmentId, id, credentialEpoch: epoch = 0 }: UserRecord,
  opening: Opening,
  request: IncomingRequest,
): Promise<string> =>
  accountSessions.stageOpening(
    unit,
    { environmentId, holderId: id, owner: ownerKey('user', id), seconds: SESSION_SECONDS },
    { ...opening, proofs: authority, epoch },
    request,
  );

/** The permission of a visit. An operator who acts as the user has none, and changes nothing. */
function requireVerdict({ verdict }: Pick<Visit, 'verdict'>): Verdict<AccountChange> {
  if (verdict === undefined) throw new Error('An operator changes nothing of an account');
  return verdict;
}

/** The hash of the session's cookie that a Set-Cookie header sets. */
export const hashOfCookie = (header: string): string =>
  browserHash(cookiePairs({ headers: { cookie: header.split(';', 1)[0] } })[0]?.[1] ?? '');

/**
 * Opens the account page at the end of a sign-in, which is a proof of the user's identity. The session ends with the browser's
 * session of the hosted pages, if there is one.
 * @param proof `sessionCookie` is the Set-Cookie header of a session that this sign-in opens
 * @returns the Set-Cookie header
 */
export async function stageAccountOpening(
  unit: Staging,
  verdict: Verdict<AccountChange>,
  user: UserRecord,
  proof: { method: string; provenAt: number; sessionCookie: string | undefined },
  request: IncomingRequest,
): Promise<string> {
  const { method, provenAt, sessionCookie } = proof;
  const former = sessionCookie === undefined ? await findBrowserSession(user.environmentId, request) : undefined;
  const hash = sessionCookie === undefined ? former?.hash : hashOfCookie(sessionCookie);
  return stageAccountSession(unit, verdict, user, { method, provenAt, browserHash: hash }, request);
}

const describeOpening = ({ session, browser }: Pick<Visit, 'session' | 'browser'>): Opening => ({
  provenAt: session?.provenAt,
  method: session?.method,
  sessionId: session?.sessionId,
  returnUrl: session?.returnUrl,
  browserHash: session === undefined ? browser?.hash : session.browserHash,
});

/**
 * Stores a proof of identity, or the first part of one.
 * @returns the Set-Cookie header
 */
export const stageProof = (
  unit: Staging,
  visit: Visit,
  proof: Pick<AccountSession, 'provenAt' | 'method' | 'awaiting'>,
): Promise<string> =>
  stageAccountSession(unit, requireVerdict(visit), visit.user, { ...describeOpening(visit), ...proof }, visit.request);

/**
 * Keeps this browser on the account page, and signed in to the hosted pages if it was, after a change in the same unit of work
 * that ends the sessions of the user.
 * @param user the user as the unit of work writes it
 * @returns the Set-Cookie headers
 */
export async function stageStay(unit: Staging, visit: Visit, user: UserRecord): Promise<string[]> {
  const { browser, request } = visit;
  const cookies = browser === undefined ? [] : await stageSameBrowser(unit, browser, user, request);
  const [cookie] = cookies;
  const { browserHash: former, ...opening } = describeOpening(visit);
  const hash = former === undefined || cookie === undefined ? former : hashOfCookie(cookie);
  // A browser without a session of the account page proved its identity by its sign-in, moments ago.
  const proof = visit.session === undefined ? { provenAt: browser?.authenticatedAt, method: browser?.method } : {};
  return [
    ...cookies,
    await stageAccountSession(unit, requireVerdict(visit), user, { ...opening, ...proof, browserHash: hash }, request),
  ];
}

/** Renews the browser's session by its own proofs, not by those of the session of the page. @returns the Set-Cookie headers */
async function stageSameBrowser(
  unit: Staging,
  { endsAt, authenticatedAt, method, provider, proofs = [], mfa, untilClosed }: SignedInBrowser,
  user: UserRecord,
  request: IncomingRequest,
): Promise<string[]> {
  const { environmentId, id: userId, credentialEpoch: epoch = 0 } = user;
  const asked = await askAccountChange(proofs, user);
  if (!asked.isAllowed) return [];
  const seconds = Math.max(1, Math.ceil((endsAt - clock.now()) / 1_000));
  const opening = { environmentId, userId, seconds, epoch, mfa, method, provider, authenticatedAt, untilClosed };
  return [await stageBrowserSession(unit, asked, opening, request)];
}

/** Ends the sessions of a user on the account page and on the hosted pages, and the trust, in every browser. */
export function stageEndOfPages(unit: Staging, user: UserRecord): void {
  const { environmentId, id } = user;
  accountSessions.stageEndOfAll(unit, environmentId, id);
  stageEndOfBrowserSessions(unit, environmentId, id);
  stageEndOfTrust(unit, user);
}
