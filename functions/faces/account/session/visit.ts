import { awaitAll } from '../../../kernel/concurrency.ts';
import type { HeldSession } from '../../../kernel/pages/session.ts';
import { environmentOfSignIn } from '../../../kernel/authentication/client.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { findOpenEnvironment } from '../../../kernel/authentication/environment.ts';
import { clock } from '../../../kernel/clock.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { browserValue } from '../../../kernel/http/browser.ts';
import type { Binding } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { readUlid } from '../../../kernel/id-format.ts';
import type { FormBinding } from '../../../kernel/pages/form.ts';
import { findSurroundings, type Surroundings } from '../../../kernel/pages/surroundings.ts';
import { settings } from '../../../kernel/settings.ts';
import { type SignInSettings, signInSettings } from '../../../proofs/modules/email-proofs/public.ts';
import { browserDevice, type ClientContext, readClientContext } from '../../../tenancy/modules/known-devices/public.ts';
import { isImpersonationOpen } from '../../../sign-in/modules/impersonations/public.ts';
import {
  findBrowserSession,
  isLive,
  openSessionRow,
  readSessionProofs,
  type SignedInBrowser,
} from '../../../tenancy/sessions/public.ts';
import { askAccountChange } from '../../../sign-in/modules/sign-in/public.ts';
import { type AccountChange, type Authority, readProofs, type Verdict } from '../../../tenancy/modules/trust/public.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { type AccountSettings, accountSettings } from '../settings.ts';
import { type Translate, translateFor } from '../words/index.ts';
import { type AccountSession, accountSessions, SESSION_SECONDS } from './session.ts';

/** The environment of a request to the account page. */
export interface Place {
  environmentId: string;
  request: IncomingRequest;
  surroundings: Surroundings;
  translate: Translate;
  options: AccountSettings;
}

/** A request of a browser whose user may see the account page. */
export interface Visit extends Place {
  user: UserRecord;
  /** The session of the account page; absent if only the session of the hosted pages opened it. */
  session: HeldSession<AccountSession> | undefined;
  /** The browser's session of the hosted pages, if it is one of the same user. */
  browser: SignedInBrowser | undefined;
  /** The cookie to which forms are bound, and its value. */
  binding: Binding;
  cookie: string;
  /** The permission to change the account; undefined for an operator who acts as the user. */
  verdict: Verdict<AccountChange> | undefined;
  /** The address of the operator who acts as the user; undefined for the user. */
  impersonator: string | undefined;
  signIn: SignInSettings;
  origin: ClientContext;
  /** The results of {@link lazily}. */
  loaded: Map<string, Promise<unknown>>;
}

/** The cookie of the account page in an environment. */
export const accountBinding = (environmentId: string): Binding => ({ purpose: 'account', id: readUlid(environmentId) });

const browserBinding = (environmentId: string): Binding => ({ purpose: 'session', id: readUlid(environmentId) });

/** The path of a page of the account; without a name that of its overview. */
export const accountPath = (environmentId: string, page?: string): string =>
  `/hosted/account/${makeClientId(environmentId)}${page === undefined ? '' : `/${page}`}`;

/** The URL of a page of the account. */
export const accountAddress = (environmentId: string, page?: string): string =>
  `${settings().GATEHOUSE_BASE_URL}${accountPath(environmentId, page)}`;

/** Finds the environment in the path `/hosted/account/{client_id}/…`; undefined if there is none. */
export async function findPlace(request: IncomingRequest, clientId: string): Promise<Place | undefined> {
  const environmentId = environmentOfSignIn(clientId);
  if (environmentId === undefined || (await findOpenEnvironment(environmentId)) === undefined) return undefined;
  const [surroundings, options] = await awaitAll([
    findSurroundings(environmentId, request),
    findSettings(environmentId, accountSettings),
  ]);
  return { environmentId, request, surroundings, translate: await translateFor(surroundings), options };
}

/**
 * Finds the user whose account a browser may see, by two GetItems in parallel and one after them; one more for a session that
 * ends with an application's. Returns undefined if no user is signed in.
 */
export async function findVisit(place: Place): Promise<Visit | undefined> {
  const { environmentId, request } = place;
  const [own, signedIn] = await awaitAll([
    accountSessions.find(environmentId, request),
    findBrowserSession(environmentId, request),
  ]);
  for (const candidate of listCandidates(own, signedIn)) {
    const visit = await openCandidate(place, candidate);
    if (visit !== undefined) return visit;
  }
  return undefined;
}

interface Candidate {
  session: HeldSession<AccountSession> | undefined;
  browser: SignedInBrowser | undefined;
}

/** The sessions that may open the page, in the order in which they are tried: the one that was opened last comes first. */
function listCandidates(
  session: HeldSession<AccountSession> | undefined,
  browser: SignedInBrowser | undefined,
): Candidate[] {
  const isBound = session?.browserHash === undefined || session.browserHash === browser?.hash;
  const own = session !== undefined && isBound ? session : undefined;
  const same = own !== undefined && own.holderId === browser?.holderId ? browser : undefined;
  const ownCandidates = own === undefined ? [] : [{ session: own, browser: same }];
  const others = browser === undefined ? [] : [{ session: undefined, browser }];
  const openedAt = (own?.endsAt ?? 0) - SESSION_SECONDS * 1_000;
  const isOlder = same === undefined && browser !== undefined && browser.authenticatedAt > openedAt;
  return isOlder ? [...others, ...ownCandidates] : [...ownCandidates, ...others];
}

async function openCandidate(place: Place, candidate: Candidate): Promise<Visit | undefined> {
  const { environmentId, request } = place;
  const { session } = candidate;
  const holder = session ?? candidate.browser;
  if (holder === undefined) return undefined;
  const [user, application, signIn] = await awaitAll([
    findUser(environmentId, holder.holderId),
    findApplicationSession(environmentId, session),
    findSettings(environmentId, signInSettings),
  ]);
  const epoch = user?.credentialEpoch ?? 0;
  if (user === undefined || holder.epoch !== epoch || application === 'ended') return undefined;
  const browser = candidate.browser?.epoch === epoch ? await admitBrowser(candidate.browser, user) : undefined;
  // The proofs that opened a session of the page count, or those of the application's session on which it depends.
  const ask = application.proofs ?? session?.proofs ?? browser?.proofs ?? [];
  const asked = await askAccountChange(ask, user);
  if (!asked.isAllowed && asked.reason !== 'impersonated') return undefined;
  const verdict = asked.isAllowed ? asked : undefined;
  const binding = session === undefined ? browserBinding(environmentId) : accountBinding(environmentId);
  const { deviceId: device_id } = browserDevice(environmentId, request);
  const origin = readClientContext('public', { device_id }, request);
  const cookie = browserValue(request, binding) ?? '';
  const { impersonator } = application;
  return {
    ...place,
    user,
    session,
    browser,
    binding,
    cookie,
    signIn,
    verdict,
    impersonator,
    origin,
    loaded: new Map(),
  };
}

/**
 * Reads the session of the application that a session of the page depends on.
 * @returns `ended` if it is not live, or is that of an operator who may not act as the user any more
 */
async function findApplicationSession(
  environmentId: string,
  session: Candidate['session'],
): Promise<'ended' | { impersonator: string | undefined; proofs?: Authority }> {
  if (session?.sessionId === undefined) return { impersonator: undefined };
  const row = await openSessionRow(environmentId, session.holderId, session.sessionId);
  if (row === undefined || !isLive(row)) return 'ended';
  const { operatorId, operatorSessionId } = row;
  const isOpen =
    operatorId === undefined || (await isImpersonationOpen(environmentId, { operatorId, operatorSessionId }));
  if (!isOpen) return 'ended';
  const { impersonator } = row as { impersonator?: { email: string } };
  return { impersonator: impersonator?.email, proofs: readSessionProofs(row) };
}

/** The browser's session of the hosted pages, if what was proved there is sufficient for the account. */
async function admitBrowser(browser: SignedInBrowser, user: UserRecord): Promise<SignedInBrowser | undefined> {
  const proofs = readProofs({ ...browser, at: browser.authenticatedAt });
  const asked = await askAccountChange(proofs, user);
  return asked.isAllowed ? { ...browser, proofs } : undefined;
}

/** Binds the forms of a page to the browser's session and to the page. */
export const bindForm = ({ cookie }: Pick<Visit, 'cookie'>, page: string): FormBinding => ({
  value: cookie,
  subject: `account ${page}`,
});

/** Does a read once in a visit, although several parts of a page need its result. */
export function lazily<T>({ loaded }: Visit, name: string, read: () => Promise<T>): Promise<T> {
  const reading = (loaded.get(name) as Promise<T> | undefined) ?? read();
  loaded.set(name, reading);
  return reading;
}

/** The time in ms since a moment, which is given in milliseconds since the epoch. */
export const findAge = (at: number): number => clock.now() - at;
