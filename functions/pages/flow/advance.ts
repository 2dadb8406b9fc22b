import {
  type Attempt,
  callerAt,
  completeSignIn,
  finishFlow,
  issueAuthorizationCode,
  type Origin,
  originOf,
  type SignIn,
  type Step,
} from '../../authentication/public.ts';
import { clock } from '../../kernel/clock.ts';
import type { Caller } from '../../kernel/limits/caller.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { browserSessionOf, stageBrowserSession } from '../../sessions/public.ts';
import { holdUser, type UserRecord } from '../../users/public.ts';
import { newOffer } from '../second-factor/offer.ts';
import { PAGE_OF, PATHS } from './paths.ts';
import { pageIn, type PageReply, redirect, stageState, type Visit } from './visit.ts';

/** A sign-in that ends here, as the engine says it. */
export type Refusal = Extract<SignIn, { kind: 'refused' }>;

/** Where a visit comes from: the request itself tells, and the browser's cookie which device it is. */
export const originIn = ({ request, device }: Visit): Origin =>
  originOf('public', { device_id: device.deviceId }, request);

/** Who asks in a visit for something to be sent to an address. */
export const callerIn = (visit: Visit, email: string): Caller =>
  callerAt(visit.flow.environmentId, email, originIn(visit));

/** What a first proof in a visit is made of. */
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

/** Whether a sign-in decides on a device in the end, instead of going back to an application. */
export const isForDevice = ({ flow }: Pick<Visit, 'flow'>): boolean => flow.device !== undefined;

/**
 * Goes on with a sign-in: to the page of what is still asked for, or back to the application with a code.
 * @returns `refused` as the engine says it; nothing is to be committed then.
 */
export async function advance(unit: Unit, visit: Visit, attempt: Attempt): Promise<PageReply | Refusal> {
  const signIn = await completeSignIn(unit, attempt);
  if (signIn.kind === 'refused') return signIn;
  if (signIn.kind === 'ready') return finish(unit, visit, attempt, signIn);
  return pageOfStep(unit, visit, { ...signIn, email: attempt.user.email });
}

/** What a sign-in waits for. */
export interface WaitingStep {
  code: Step;
  token: string;
  members: Readonly<Record<string, unknown>>;
  /** Of whoever signs in. */
  email: string;
}

/** Leads to the page of what a sign-in waits for. */
export async function pageOfStep(
  unit: Pick<Unit, 'stage'>,
  visit: Visit,
  { code, token, members, email }: WaitingStep,
): Promise<PageReply> {
  const isEnrolment = code === 'mfa_enrollment';
  const offer = isEnrolment ? { offer: await newOffer(visit.flow.environmentId, email) } : {};
  stageState(unit, visit, { email, pending: { code, token, members: { ...members, ...offer } } });
  return redirect(pageIn(visit, PAGE_OF[code]));
}

async function finish(
  unit: Unit,
  visit: Visit,
  attempt: Attempt,
  { user, organizationId }: Extract<SignIn, { kind: 'ready' }>,
): Promise<PageReply> {
  const { flow } = visit;
  const { environmentId } = flow;
  const { method, provider, authenticatedAt = clock.now() } = attempt;
  const cookies = [...(await signInBrowser(unit, visit, attempt, user, authenticatedAt)), visit.device.cookie];
  if (isForDevice(visit)) {
    const epoch = user.credentialEpoch ?? 0;
    const ready = { userId: user.id, organizationId, method, provider, epoch };
    stageState(unit, visit, { email: user.email, ready });
    return redirect(pageIn(visit, PATHS.device), cookies);
  }
  const { oauthTokens } = attempt;
  const grant = { environmentId, flow, user, organizationId, method, provider, oauthTokens, authenticatedAt };
  const { code } = await issueAuthorizationCode(unit, grant);
  const location = finishFlow(flow, code);
  stageState(unit, visit, { location });
  return redirect(location, cookies);
}

/** Keeps the browser signed in to the pages, under a new cookie; tells of a user who proved themselves anew. */
async function signInBrowser(
  unit: Unit,
  { flow: { environmentId }, surroundings, request }: Visit,
  { method, provider, proofs, ipAddress, userAgent }: Attempt,
  user: UserRecord,
  authenticatedAt: number,
): Promise<string[]> {
  const former = await browserSessionOf(environmentId, request);
  // A revocation at the same time comes before or after, and not unseen.
  const held = holdUser(unit, user);
  // An unattended sign-in proves nothing anew: the browser keeps what it has.
  if (former?.authenticatedAt === authenticatedAt && former.userId === user.id) return [];
  if (former?.userId === user.id) {
    unit.emit('authentication.reauthentication_succeeded', {
      type: 'reauthentication',
      status: 'succeeded',
      ip_address: ipAddress,
      user_agent: userAgent,
      user_id: user.id,
      email: user.email,
    });
  }
  const opening = {
    environmentId,
    userId: user.id,
    seconds: surroundings.settings.browser_session_seconds,
    epoch: held.credentialEpoch ?? 0,
    mfa: proofs.mfa,
    method,
    provider,
    authenticatedAt,
  };
  return [await stageBrowserSession(unit, opening, request)];
}
