import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { redirectTo } from '../../../kernel/http/callback.ts';
import { declareError } from '../../../kernel/errors.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { withPages } from '../../../kernel/pages/error-page.ts';
import { verifyToken } from '../../../kernel/tokens/verify.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { SERVER_PATH, serverOfClient } from '../../../sign-in/modules/authorization-server/public.ts';
import { stageEndOfBrowserSessions } from '../../../tenancy/sessions/public.ts';
import { type ApplicationUri, findApplication } from '../application/entity.ts';
import { chooseRedirectUri } from '../authorize/redirect-uri.ts';

/**
 * Seconds for which an expired ID token still identifies the session to end, because applications keep the token of the
 * sign-in.
 */
const HINT_SECONDS = 90 * 86_400;

const invalidHint = declareError({
  status: 400,
  code: 'invalid_request',
  message: 'id_token_hint is not an ID token of this server for the application. Nothing was ended.',
  form: 'oauth',
});

const invalidReturn = declareError({
  status: 400,
  code: 'invalid_request',
  message: 'post_logout_redirect_uri is not one of the redirect URIs of the application. Nothing was ended.',
  form: 'oauth',
});

const text = z.string().max(4_096).optional();

/** The `aud` of a token that is not verified yet. The server signed the token itself, so the application's keys do not matter. */
function readAudience(token: string): string {
  try {
    const { aud } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { aud?: unknown };
    return typeof aud === 'string' ? aud : '';
  } catch {
    return '';
  }
}

/**
 * RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0 section 2). `id_token_hint` is required, because otherwise
 * another site could sign users out with a link.
 */
export const endSession = operation({
  id: 'oauth2.end_session',
  method: 'GET',
  path: `${SERVER_PATH}/end_session`,
  beyondContract: true,
  summary: 'Sign the user of an application out in the browser',
  description:
    'Ends the user’s sign-in to the hosted pages in every browser (OpenID Connect RP-Initiated Logout 1.0), so that the next authorization requires a new sign-in. Then it redirects to `post_logout_redirect_uri`, which must be one of the application’s redirect URIs; without it a hosted page is shown. ' +
    'Tokens stay valid: to end them, revoke the refresh token.',
  auth: serverOfClient(invalidHint),
  query: z.object({
    id_token_hint: z.string().max(16_384).optional(),
    client_id: text,
    post_logout_redirect_uri: text,
    state: text,
    logout_hint: text,
    ui_locales: text,
  }),
  responses: { 302: null },
  errorForm: withPages(oauthErrors),
  errors: [invalidHint, invalidReturn],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, unit, fail }) {
    const { id_token_hint: hint = '', client_id: clientId, post_logout_redirect_uri: wanted, state } = query;
    const audience = readAudience(hint);
    const [claims, application] = await awaitAll([
      verifyToken(environmentId, 'identity', hint, audience, HINT_SECONDS),
      findApplication(environmentId, audience),
    ]);
    const isOther = clientId !== undefined && clientId !== audience;
    if (claims === undefined || application === undefined || isOther) throw fail(invalidHint);
    const registered = (application.redirectUris as ApplicationUri[]).map(({ uri }) => uri);
    const redirectUri = wanted === undefined ? undefined : chooseRedirectUri(registered, wanted);
    if (wanted !== undefined && redirectUri === undefined) throw fail(invalidReturn);
    stageEndOfBrowserSessions(unit, environmentId, claims.sub);
    const location =
      redirectUri === undefined
        ? `/hosted/signed-out?client_id=${makeClientId(environmentId)}`
        : redirectTo({ redirectUri, state }, {});
    return { status: 302, headers: { location } };
  },
});
