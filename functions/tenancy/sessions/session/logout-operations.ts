import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { type Authenticator, anyCaller } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { findSettings } from '../../../kernel/environment-settings.ts';
import { declareError } from '../../../kernel/errors.ts';
import { queryObject } from '../../../kernel/http/input.ts';
import { operation } from '../../../kernel/operation.ts';
import { PageBody } from '../../../kernel/pages/html.ts';
import { allEnvironments } from '../../../kernel/storage/environment.ts';
import { defaultRedirectUri, isRedirectUri } from '../../modules/client-settings/public.ts';
import * as z from 'zod';

import { stageEndOfBrowserSessions } from '../browser-session/stage.ts';
import { forgetTokenOfSession } from '../refresh-cookie/cookie.ts';
import { sessionSettings } from '../settings.ts';
import { findLocator, openSessionRow } from './find.ts';
import { stageRevocation } from './stage.ts';

const returnToNotAllowed = declareError({
  status: 422,
  code: 'invalid_return_to',
  message: 'The session has ended, but return_to is not one of the environment’s redirect URIs. Register it first.',
});

/**
 * Identifies the session of a request. The endpoint is not authenticated: knowing a session's id is sufficient to end the
 * session, and allows nothing else. The environment is the session's own; if no session has the id, it is that of a stage
 * with only one environment.
 */
const sessionInQuery: Authenticator = {
  security: [],
  authenticate: async (request) => {
    const sessionId = queryObject(request.rawQuery).session_id ?? '';
    const environmentId = (await findLocator(sessionId))?.environmentId ?? (await onlyEnvironment());
    if (environmentId === undefined) return anyCaller.authenticate(request);
    const actor = { id: makeClientId(environmentId), source: 'api' as const, name: null };
    return { environmentId, actor, proof: sessionId };
  },
};

async function onlyEnvironment(): Promise<string | undefined> {
  const living = (await allEnvironments()).filter(({ deletedAt }) => deletedAt === undefined);
  return living.length === 1 ? living[0]?.id : undefined;
}

export const logout = operation({
  id: 'sessions.logout',
  method: 'GET',
  path: '/user_management/sessions/logout',
  summary: 'End a session in the browser (logout URL)',
  description:
    'Ends the session `session_id` (the access token’s `sid`) and redirects to `return_to`, which must be a ' +
    'redirect URI or the `logout_uri` of the session settings. Without `return_to` it redirects to `logout_uri`, ' +
    'else to the default redirect URI, else to a hosted page. The response is the same if the session has ' +
    'already ended or never existed. A refresh token of the session in a cookie of this browser is removed.',
  auth: sessionInQuery,
  browser: true,
  credentials: true,
  query: z.object({ session_id: z.string().min(1).max(100), return_to: z.string().max(2_048).optional() }),
  responses: { 200: PageBody, 302: null },
  errors: [returnToNotAllowed],
  emits: ['session.revoked'],
  idempotency: 'none',
  async handle({ environmentId, query, unit, fail, request }) {
    const { session_id: sessionId, return_to: returnTo } = query;
    const [locator, location] = await awaitAll([findLocator(sessionId), destination(environmentId, returnTo)]);
    if (locator !== undefined) {
      const session = await openSessionRow(environmentId, locator.userId, sessionId);
      if (session !== undefined) stageRevocation(unit, session);
      // The user's own browsers stay signed in when an impersonator leaves.
      if (session?.impersonator === undefined) stageEndOfBrowserSessions(unit, environmentId, locator.userId);
      // The browser session is ended even if the session has ended already, because otherwise this browser would be signed in again without a prompt.
    }
    const cookies = environmentId === '' ? [] : forgetTokenOfSession(request, makeClientId(environmentId), sessionId);
    if (location === undefined) throw fail(returnToNotAllowed, { commitOnFailure: true, cookies });
    if (location !== '') return { status: 302, headers: { location }, cookies };
    if (environmentId !== '') return { status: 302, headers: { location: signedOutAddress(environmentId) }, cookies };
    const { plainSignedOutPage } = await import('../../../kernel/pages/apart.ts');
    return { status: 200, ...(await plainSignedOutPage(request)) };
  },
});

/** The hosted page that confirms the logout, in the environment's own design. */
const signedOutAddress = (environmentId: string): string =>
  `/hosted/signed-out?client_id=${makeClientId(environmentId)}`;

/** The address to redirect to: an empty text for the page, undefined if the address is not allowed. */
async function destination(environmentId: string, returnTo: string | undefined): Promise<string | undefined> {
  if (environmentId === '') return '';
  const { logout_uri: own } = await findSettings(environmentId, sessionSettings);
  if (returnTo === undefined) return own ?? (await defaultRedirectUri(environmentId)) ?? '';
  return returnTo === own || (await isRedirectUri(environmentId, returnTo)) ? returnTo : undefined;
}

export const sessionLogoutOperations = [logout] as const;
