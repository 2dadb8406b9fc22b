import { systemActor } from '../../../kernel/authentication/caller.ts';
import {
  makeClientId,
  OPERATORS_ENVIRONMENT_ID,
  OPERATORS_ORGANIZATION_ID,
} from '../../../kernel/authentication/environment-id.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { MINUTE_MS } from '../../../kernel/durations.ts';
import { callOwnService } from '../../../kernel/egress/own-service.ts';
import { EgressError } from '../../../kernel/egress/errors.ts';
import { declareError } from '../../../kernel/errors.ts';
import { browserValue, isFromBrowser } from '../../../kernel/http/browser.ts';
import { removeCookie } from '../../../kernel/http/cookies.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { parseJson } from '../../../kernel/json.ts';
import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { log } from '../../../kernel/log.ts';
import { makeConsoleCallback, readConsoleUrl } from '../../../kernel/own-origin.ts';
import { html } from '../../../kernel/pages/html.ts';
import { PageFailure } from '../../../kernel/pages/error-page.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import { issuerOf } from '../../../kernel/tokens/issuer.ts';
import { verifyToken } from '../../../kernel/tokens/verify.ts';
import { findMembership } from '../../../tenancy/modules/memberships/public.ts';
import { isLive, openSessionRow, readSessionProofs, type SessionRecord } from '../../../tenancy/sessions/public.ts';
import { consoleAddress, plainPage } from '../page/plain.ts';
import { makeVerifier } from './begin-sign-in.ts';
import { stageEndOfUserSession } from './end-session.ts';
import { admitConsole } from '../link/authority.ts';
import { consoleSessions, stageConsoleSession } from './session.ts';
import { KEPT_FORM } from './kept-form.ts';
import { type ConsoleSignInRecord, consoleSignIns, signInBinding } from './sign-in-entity.ts';
import { signInForm } from './sign-in-form.ts';

/** The error for a response to a sign-in that this browser did not begin, or that was used, has expired, or was rejected. */
export const signInRejected = declareError({
  status: 400,
  code: 'console_sign_in_rejected',
  message: 'The sign-in was not begun in this browser, was already used, has expired, or was cancelled. Sign in again.',
});

/** The error for a user who is no active operator, or who signed in without a second factor. */
export const notAnOperator = declareError({
  status: 403,
  code: 'console_operator_required',
  message:
    'This user is no active operator, or signed in without a second factor. Ask an owner for an invitation or, to add a factor, for a link.',
});

const rejected = (): PageFailure =>
  new PageFailure(signInRejected, () =>
    plainPage({
      title: 'The sign-in was not completed',
      lead: 'It was begun in another browser, was already used, has expired, or was cancelled.',
      body: signInForm('/console'),
    }),
  );

const foreign = (): PageFailure =>
  new PageFailure(notAnOperator, () =>
    plainPage({
      title: 'You cannot open the console',
      lead: 'You are no active operator, or you signed in without a second factor. Ask an owner for an invitation or, to add a factor, for a link.',
      body: html`<p><a href="${consoleAddress()}">Back to the console</a></p>`,
    }),
  );

/**
 * Finishes a sign-in: exchanges the code of the response, and opens a session of the console. The response counts once, and only in
 * the browser that began the sign-in; its `iss` is that of the operators (RFC 9207).
 * @throws PageFailure 400 for any other response, 403 for a user who is no active operator
 */
export async function finishSignIn(request: IncomingRequest) {
  const query = new URLSearchParams(request.rawQuery);
  const [state = '', code = ''] = [query.get('state') ?? undefined, query.get('code') ?? undefined];
  const id = sha256Hex(state);
  const signIn = await consoleSignIns.get(OPERATORS_ENVIRONMENT_ID, id);
  const binding = signInBinding(id);
  const cookie = browserValue(request, binding);
  const isOwn = signIn !== undefined && isFromBrowser(request, binding, signIn.browserHash);
  // A response that was used is rejected here, since a second exchange of its code would end the session (RFC 6749 section 4.1.2).
  if (!isOwn || cookie === undefined || signIn.isDone === true || (signIn.expiresAt ?? 0) <= clock.seconds())
    throw rejected();
  const environment = await findEnvironment(OPERATORS_ENVIRONMENT_ID);
  if (environment === undefined || query.get('iss') !== issuerOf(environment)) throw rejected();
  // The sign-in was denied, for example that of an operator without a second factor.
  if (query.get('error') === 'access_denied') throw foreign();
  const session = await exchange(code, makeVerifier(cookie, state));
  if (session === undefined) throw rejected();
  const opened = await openConsoleSession(signIn, session, request);
  const location = new URL(signIn.returnTo, readConsoleUrl());
  const keepsForm = signIn.sealed !== undefined;
  if (keepsForm) location.searchParams.set(KEPT_FORM, id);
  return {
    status: 303 as const,
    headers: { location: location.href },
    cookies: [opened, ...(keepsForm ? [] : [removeCookie(binding)])],
  };
}

/**
 * Exchanges a code at the token endpoint, as any public client does (RFC 6749 section 4.1.3).
 * @returns the session that it opened; undefined if the code was rejected
 */
async function exchange(code: string, verifier: string): Promise<SessionRecord | undefined> {
  const body = {
    grant_type: 'authorization_code',
    client_id: makeClientId(OPERATORS_ENVIRONMENT_ID),
    redirect_uri: makeConsoleCallback(),
    code_verifier: verifier,
    code,
  };
  try {
    const response = await callOwnService({ method: 'POST', path: '/user_management/authenticate', body });
    if (response.status !== 200) return undefined;
    const { access_token: token } = parseJson(Buffer.from(response.body).toString('utf8')) as { access_token: string };
    const claims = await verifyToken(OPERATORS_ENVIRONMENT_ID, 'session', token);
    return claims && (await openSessionRow(OPERATORS_ENVIRONMENT_ID, claims.sub, String(claims.sid)));
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    log.warn('the code of a sign-in to the console got no response', { error });
    return undefined;
  }
}

/** Reports whether a sign-in used a second factor: a code of one, or a passkey, which verifies its user. */
const hasFactor = ({ mfa, authMethod }: SessionRecord): boolean => mfa === true || authMethod === 'passkey';

/** Milliseconds by which the clock of an identity provider may be late. */
const SKEW_MS = MINUTE_MS;

/** Reports whether a session proves the identity that a step-up asks for: that operator's, by a new authentication. True for a sign-in. */
const isProofFor = ({ userId, startedAt }: ConsoleSignInRecord, session: SessionRecord): boolean =>
  userId === undefined || (session.userId === userId && Date.parse(session.authenticatedAt) >= startedAt - SKEW_MS);

/** Opens the session of an operator, and uses the sign-in up in the same transaction. @returns the Set-Cookie header */
async function openConsoleSession(
  { id }: ConsoleSignInRecord,
  { id: sessionId, userId }: Pick<SessionRecord, 'id' | 'userId'>,
  request: IncomingRequest,
): Promise<string> {
  const environmentId = OPERATORS_ENVIRONMENT_ID;
  const cookie = await applyWork(environmentId, systemActor, async (unit) => {
    const [signIn, session, membership] = await awaitAll([
      consoleSignIns.get(environmentId, id),
      openSessionRow(environmentId, userId, sessionId),
      findMembership(environmentId, userId, OPERATORS_ORGANIZATION_ID),
    ]);
    if (signIn === undefined || signIn.isDone === true) throw rejected();
    const keepsForm = signIn.sealed !== undefined;
    unit.stage(keepsForm ? consoleSignIns.revise(signIn, { isDone: true }).write : consoleSignIns.remove(signIn));
    if (session === undefined || !isLive(session)) throw rejected();
    const verdict = admitConsole(readSessionProofs(session));
    const isOperator = membership?.status === 'active' && hasFactor(session) && isProofFor(signIn, session);
    if (!isOperator || !verdict.isAllowed) {
      await stageEndOfUserSession(unit, userId, sessionId);
      return undefined;
    }
    const provenAt = Math.min(Date.parse(session.authenticatedAt), clock.now());
    const opening = { provenAt, method: 'sign_in' as const, sessionId };
    const former = await consoleSessions.find(environmentId, request);
    if (former?.sessionId !== undefined) await stageEndOfUserSession(unit, former.holderId, former.sessionId);
    return stageConsoleSession(
      unit,
      verdict,
      { id: userId, owner: ownerKey('user', userId) },
      // A time of authentication that a provider states in the future counts as now.
      { ...opening, membershipId: membership.id },
      request,
    );
  });
  if (cookie === undefined) throw foreign();
  return cookie;
}
