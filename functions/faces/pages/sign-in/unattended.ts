import { failFlow, stageEndOfFlow } from '../../../sign-in/modules/sign-in-flows/public.ts';
import { clock } from '../../../kernel/clock.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findBrowserSession, type SignedInBrowser } from '../../../tenancy/sessions/public.ts';
import { normalizeEmail } from '../../../kernel/address.ts';
import { askAccountChange, type Attempt } from '../../../sign-in/modules/sign-in/public.ts';
import { readProofs } from '../../../tenancy/modules/trust/public.ts';
import { findUser, type UserRecord } from '../../../tenancy/modules/users/public.ts';
import { leaveForSso } from '../required-sso/required.ts';
import { advance, attemptIn, isForDevice } from '../flow/advance.ts';
import { isForOtherUser, type PageReply, redirect, type Visit } from '../flow/visit.ts';

/**
 * Signs in a user without a prompt who is signed in to the pages already, unless the application or the purpose of the
 * sign-in requires one, so that a second application opens at once. Returns undefined if a prompt is required. With
 * `prompt=none` there is no prompt, and the application gets the reason (OpenID Connect Core section 3.1.2.6).
 */
export async function signInUnattended(visit: Visit, unit: Unit): Promise<PageReply | undefined> {
  const isSilent = splitPrompts(visit).includes('none') && !isForDevice(visit);
  const signedIn = await signedInUser(visit);
  if (signedIn === undefined || asksAgain(visit, signedIn.session, signedIn.user)) {
    return isSilent ? fail(visit, unit, 'login_required', 'No user is signed in.') : undefined;
  }
  const { user, session } = signedIn;
  const { method, provider, authenticatedAt, mfa } = session;
  const authority = readProofs({ ...session, at: authenticatedAt });
  const proofs = { emailVerified: false, mfa, device: true };
  const attempt = attemptIn(visit, {
    user,
    method: method as never,
    provider,
    proofs,
    authority,
    authenticatedAt,
  });
  // The account page takes a proof that is sufficient for the account, which that of another organization is not.
  if (visit.flow.account !== undefined && !(await askAccountChange(authority, user)).isAllowed) return undefined;
  if (isSilent) return signInSilently(visit, unit, attempt);
  const reply = await advance(unit, visit, attempt);
  if (!('kind' in reply)) return reply;
  return reply.required === undefined ? undefined : leaveForSso(visit, reply.required, user.email);
}

/**
 * Signs in with `prompt=none`: a sign-in with a remaining step, or a rejected one, ends with an error for the application.
 * Nothing of it is committed, so that no code is sent.
 */
async function signInSilently(visit: Visit, unit: Unit, attempt: Attempt): Promise<PageReply> {
  const failed = (error: string, description: string): PageReply => {
    unit.discard();
    return fail(visit, unit, error, description);
  };
  const needsPage = (): PageReply => failed('interaction_required', 'The sign-in cannot be completed without a page.');
  const reply = await advance(unit, visit, attempt, needsPage);
  if (!('kind' in reply)) return reply;
  const { code, required, message } = reply;
  if (code === 'access_denied') return failed('access_denied', message ?? 'The sign-in was denied.');
  if (required === undefined) return needsPage();
  return failed('interaction_required', 'The organization of the user requires single sign-on.');
}

/** The user who is signed in in this browser, unless the session was revoked. */
async function signedInUser({
  flow: { environmentId },
  request,
}: Visit): Promise<{ user: UserRecord; session: SignedInBrowser } | undefined> {
  const session = await findBrowserSession(environmentId, request);
  const user = session && (await findUser(environmentId, session.holderId));
  if (session === undefined || user === undefined || session.epoch !== (user.credentialEpoch ?? 0)) return undefined;
  return { user, session };
}

/** Reports whether the user has to authenticate again, or may be another one. */
function asksAgain(visit: Visit, { authenticatedAt }: SignedInBrowser, { email }: UserRecord): boolean {
  const { maxAge, loginHint, invitationToken } = visit.flow;
  const prompts = splitPrompts(visit);
  if (isForOtherUser(visit)) return true;
  if (prompts.includes('login') || prompts.includes('select_account') || prompts.includes('create')) return true;
  if (maxAge !== undefined && clock.now() - authenticatedAt >= maxAge * 1_000) return true;
  // An invitation must be accepted by a user who is present, and a hint may name another user.
  if (invitationToken !== undefined) return true;
  return loginHint !== undefined && loginHint.includes('@') && normalizeEmail(loginHint) !== email;
}

/** Splits the values of `prompt`, which are separated by spaces (OpenID Connect Core section 3.1.2.1). */
export const splitPrompts = ({ flow: { prompt } }: Pick<Visit, 'flow'>): string[] => (prompt ?? '').split(' ');

/** Ends a sign-in with an error for the application. */
export function fail({ flow }: Visit, unit: Unit, error: string, description: string): PageReply {
  stageEndOfFlow(unit, flow);
  return redirect(failFlow(flow, error, description));
}
