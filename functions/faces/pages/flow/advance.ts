import { DAY_MS } from '../../../kernel/durations.ts';
import { describeRequest } from '../../../kernel/messages/describe-request.ts';
import type { RequestOfMail } from '../../../kernel/messages/templates/request-facts.ts';
import { stageAccountOpening } from '../../account/public.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { type Authority, type Entry, readProofs, type Verdict } from '../../../tenancy/modules/trust/public.ts';
import {
  askAccountChange,
  askEntry,
  type Attempt,
  completeSignIn,
  findFactorHash,
  type SignIn,
} from '../../../sign-in/modules/sign-in/public.ts';
import {
  callerAt,
  type ClientContext,
  findTrust,
  readClientContext,
  stageTrust,
  type Trust,
} from '../../../tenancy/modules/known-devices/public.ts';
import { finishFlow, type Step } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { issueAuthorizationCode } from '../../../sign-in/modules/authorization-codes/public.ts';
import { clock } from '../../../kernel/clock.ts';
import type { Caller } from '../../../kernel/limits/caller.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findBrowserSession, stageBrowserSession } from '../../../tenancy/sessions/public.ts';
import { touchUserVersion, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { newOffer } from '../second-factor/offer.ts';
import { keepChoices } from './choices.ts';
import { listMethodCookies } from './last-method.ts';
import { findOffer } from './offers.ts';
import { PAGE_OF, PATHS } from './paths.ts';
import type { ReadyStep } from './state.ts';
import { otherUserPage, pageIn, type PageReply, redirect, stageState, type Visit } from './visit.ts';

/** A rejected sign-in with its reason. */
export type RejectedSignIn = Extract<SignIn, { kind: 'rejected' }>;

/** The client of a visit, with the address of the request and the device that the browser's cookie identifies. */
export const originIn = ({ request, device }: Visit): ClientContext =>
  readClientContext('public', { device_id: device.deviceId }, request);

/** The caller of a visit, for the limits of messages to an email address. */
export const callerIn = (visit: Visit, email: string): Caller =>
  callerAt(visit.flow.environmentId, email, originIn(visit));

/** The request of a visit, for the mail that it causes: from where and when it was asked for. */
export const askedIn = ({ request }: Visit): RequestOfMail => describeRequest(request);

/** The data of a first proof in a visit. */
export const attemptIn = (
  visit: Visit,
  proved: Pick<Attempt, 'user' | 'method' | 'proofs'> & Partial<Attempt>,
): Attempt => ({
  ...originIn(visit),
  environmentId: visit.flow.environmentId,
  organizationId: visit.flow.organizationId,
  invitationToken: visit.flow.invitationToken,
  flow: visit.flow,
  ...proved,
});

/** Reports whether a sign-in ends with the approval of a device, and not with a redirect to an application. */
export const isForDevice = ({ flow }: Pick<Visit, 'flow'>): boolean => flow.device !== undefined;

/** The page with the last step of a sign-in that does not return to an application at once; undefined for others. */
export function findOwnStep({ flow }: Pick<Visit, 'flow'>): string | undefined {
  if (flow.device !== undefined) return PATHS.device;
  if (flow.agentClaim !== undefined) return PATHS.agent;
  return flow.application === undefined ? undefined : PATHS.consent;
}

/**
 * Continues a sign-in: to the page of the next step, or back to the application with a code.
 * @param takeStep responds to a remaining step, by default with its page
 * @returns a rejection with its reason; then nothing must be committed
 */
export async function advance(
  unit: Unit,
  visit: Visit,
  attempt: Attempt,
  takeStep: (...step: Parameters<typeof pageOfStep>) => PageReply | Promise<PageReply> = pageOfStep,
): Promise<PageReply | RejectedSignIn> {
  const isAsked = visit.trustDays !== undefined && !attempt.proofs.mfa;
  const found = isAsked ? await findTrust(attempt.user, visit.request) : undefined;
  // A shorter time in the settings also ends what began under a longer one.
  const longestMs = (visit.trustDays ?? 0) * DAY_MS;
  const trust = found !== undefined && found.endsAt - clock.now() <= longestMs ? found : undefined;
  const signIn = await completeSignIn(unit, { ...attempt, trustedFactors: trust?.factors });
  if (signIn.kind === 'rejected') return signIn;
  if (signIn.kind === 'ready') return finish(unit, visit, attempt, { ...signIn, trust });
  return takeStep(unit, visit, { ...signIn, email: attempt.user.email });
}

/** The next step of a sign-in. */
export interface WaitingStep {
  code: Step;
  token: string;
  members: Readonly<Record<string, unknown>>;
  /** The user who signs in. */
  email: string;
}

/** Redirects to the page of the next step. */
export async function pageOfStep(
  unit: Pick<Unit, 'stage'>,
  visit: Visit,
  { code, token, members, email }: WaitingStep,
): Promise<PageReply> {
  const isEnrolment = code === 'mfa_enrollment';
  const offer = isEnrolment ? { offer: await newOffer(visit.flow.environmentId, email) } : {};
  const pending = { code, token, members: { ...members, ...offer } };
  stageState(unit, visit, { ...keepChoices(visit.state), email, pending });
  const isPasskeyOnly = code === 'mfa_challenge' && members.authentication_challenge === undefined;
  return redirect(pageIn(visit, isPasskeyOnly ? PATHS.passkeyChallenge : PAGE_OF[code]));
}

async function finish(
  unit: Unit,
  visit: Visit,
  attempt: Attempt,
  { user, organizationId, verdict, trust }: Extract<SignIn, { kind: 'ready' }> & { trust: Trust | undefined },
): Promise<PageReply> {
  const { flow, surroundings } = visit;
  const { method, provider, oauthTokens, proofs, authenticatedAt = clock.now() } = attempt;
  const { authority } = verdict;
  const session = await signInBrowser(unit, visit, { attempt, verdict, user, authenticatedAt });
  const cookies = [
    ...session,
    visit.device.cookie,
    ...(await renewTrust(unit, visit, { attempt, user, trust })),
    ...listMethodCookies(visit, attempt),
  ];
  if (flow.account !== undefined) {
    const [sessionCookie] = surroundings.settings.browser_session_seconds > 0 ? session : [];
    return openAccount(unit, visit, user, { authority, method, authenticatedAt, sessionCookie }, cookies);
  }
  const epoch = user.credentialEpoch ?? 0;
  const { mfa } = proofs;
  const signedIn = { userId: user.id, organizationId, method, provider, mfa, epoch, authenticatedAt, oauthTokens };
  const ready = { ...signedIn, proofs: authority };
  // If the trust in the browser replaced the second factor, the sign-in offers no new factor: it would outlive the trust,
  // and count as a proof.
  const offer = session.length > 0 && trust === undefined ? await findOffer(user, method) : undefined;
  if (offer !== undefined) {
    stageState(unit, visit, { email: user.email, ready, factorOffer: offer.factorOffer });
    return redirect(pageIn(visit, offer.path), cookies);
  }
  return leave(unit, visit, user, ready, { cookies, verdict });
}

/** A complete sign-in that ends on the account page. */
interface AccountEntry {
  authority: Authority;
  method: string;
  /** Milliseconds since the epoch. */
  authenticatedAt: number;
  /** The Set-Cookie header of a session of the browser that this sign-in opens. */
  sessionCookie: string | undefined;
}

/**
 * Opens the account page for a user who has just signed in. The word of an organization that does not cover the account is not
 * sufficient: the user signs in by a method of their own.
 */
export async function openAccount(
  unit: Unit,
  visit: Visit,
  user: UserRecord,
  { authority, method, authenticatedAt, sessionCookie }: AccountEntry,
  cookies: readonly string[] = [],
): Promise<PageReply> {
  const asked = await askAccountChange(authority, user);
  if (!asked.isAllowed) return redirect(otherUserPage(visit), cookies);
  const location = visit.flow.account?.page ?? '';
  stageState(unit, visit, { location });
  const proof = { method, provenAt: authenticatedAt, sessionCookie };
  return redirect(location, [...cookies, await stageAccountOpening(unit, asked, user, proof, visit.request)]);
}

/**
 * Trusts the browser of a user who has just passed a second factor and chose so, or replaces the cookie by which the second
 * factor was skipped: its end stays the same.
 * @returns the Set-Cookie headers
 */
async function renewTrust(
  unit: Unit,
  { state, trustDays, request }: Visit,
  { attempt, user, trust }: { attempt: Attempt; user: UserRecord; trust: Trust | undefined },
): Promise<string[]> {
  if (trust !== undefined) {
    const seconds = Math.max(1, Math.floor((trust.endsAt - clock.now()) / 1_000));
    return [await stageTrust(unit, user, { seconds, factors: trust.factors }, request)];
  }
  if (trustDays === undefined || state.trusts !== true || !attempt.proofs.mfa) return [];
  const factors = await findFactorHash(user);
  return factors === undefined
    ? []
    : [await stageTrust(unit, user, { seconds: (trustDays * DAY_MS) / 1_000, factors }, request)];
}

/**
 * Ends the sign-in of a user: by the page with its last step, or by a redirect to the application with a code.
 * @param user the user as the unit of work writes it
 * @param verdict the permission to enter, if this unit of work has just got it
 */
export async function leave(
  unit: Unit,
  visit: Visit,
  user: UserRecord,
  ready: ReadyStep,
  { cookies = [], verdict }: { cookies?: readonly string[]; verdict?: Verdict<Entry> } = {},
): Promise<PageReply> {
  const { flow } = visit;
  const { environmentId } = flow;
  const ownStep = findOwnStep(visit);
  if (ownStep !== undefined) {
    stageState(unit, visit, { email: user.email, ready });
    return redirect(pageIn(visit, ownStep), cookies);
  }
  const { method, provider, oauthTokens, mfa, authenticatedAt = clock.now() } = ready;
  const entry = verdict ?? (await askReady(user, ready));
  if (entry === undefined) return redirect(otherUserPage(visit), cookies);
  const grant = { environmentId, flow, user, verdict: entry, method, provider, oauthTokens, mfa, authenticatedAt };
  const { code } = await issueAuthorizationCode(unit, grant);
  const location = finishFlow(flow, code);
  stageState(unit, visit, { location });
  return redirect(location, cookies);
}

/** Asks again whether a signed-in user may enter, since a page may have been shown for minutes. */
export async function askReady(user: UserRecord, ready: ReadyStep): Promise<Verdict<Entry> | undefined> {
  const { organizationId, authenticatedAt = clock.now() } = ready;
  const membership =
    organizationId === undefined ? undefined : await findMembership(user.environmentId, user.id, organizationId);
  const authority = readProofs({ ...ready, ssoOrganizationId: organizationId, at: authenticatedAt });
  const entry = await askEntry({ user, authority, organizationId, isMember: membership?.status === 'active' });
  return entry.isAllowed ? entry : undefined;
}

/** Maximum lifetime in seconds of the session of a browser that is signed in until it is closed: browsers may restore it. */
const UNTIL_CLOSED_SECONDS = 43_200;

/** A complete sign-in in a browser. */
interface BrowserEntry {
  attempt: Attempt;
  verdict: Verdict<Entry>;
  user: UserRecord;
  /** Milliseconds since the epoch. */
  authenticatedAt: number;
}

/** Keeps the browser signed in to the pages, with a new cookie, and emits an event for a user who authenticated again. */
async function signInBrowser(
  unit: Unit,
  { flow: { environmentId }, surroundings: { settings }, state, request }: Visit,
  { attempt, verdict, user, authenticatedAt }: BrowserEntry,
): Promise<string[]> {
  const { method, provider, proofs, ipAddress, userAgent } = attempt;
  const former = await findBrowserSession(environmentId, request);
  // The unit of work writes the user's row, so that a concurrent revocation comes before or after it and is never missed.
  const touchedUser = touchUserVersion(unit, user);
  // A sign-in without a prompt is not a new authentication, so the browser keeps its session.
  if (former?.authenticatedAt === authenticatedAt && former.holderId === user.id) return [];
  if (former?.holderId === user.id) {
    unit.emit('authentication.reauthentication_succeeded', {
      type: 'reauthentication',
      status: 'succeeded',
      ip_address: ipAddress,
      user_agent: userAgent,
      user_id: user.id,
      email: user.email,
    });
  }
  const untilClosed = settings.stay_signed_in === 'ask' && state.stays !== true;
  const longest = settings.browser_session_seconds;
  const opening = {
    environmentId,
    userId: user.id,
    seconds: untilClosed ? Math.min(longest, UNTIL_CLOSED_SECONDS) : longest,
    untilClosed,
    epoch: touchedUser.credentialEpoch ?? 0,
    mfa: proofs.mfa,
    method,
    provider,
    authenticatedAt,
  };
  return [await stageBrowserSession(unit, verdict, opening, request)];
}
