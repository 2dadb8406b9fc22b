import { agentTokenEvents, exchangeEvents } from '../../agents/public.ts';
import { Failure } from '../../../kernel/errors.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { invalidClient } from '../client-secret/credentials.ts';
import { DEVICE_GRANT, SERVER_PATH, TOKEN_EXCHANGE } from '../../../sign-in/modules/authorization-server/public.ts';
import { findGrantOfAgent } from './agent-grants.ts';
import { exchangeCode } from './authorization-code.ts';
import { grantToClient } from './client-credentials.ts';
import { pollForDevice } from './device-code.ts';
import {
  accessDenied,
  authorizationPending,
  expiredToken,
  invalidGrant,
  invalidScope,
  invalidTarget,
  missingParameter,
  slowDown,
  unauthorizedClient,
  unsupportedGrantType,
} from './errors.ts';
import type { TokenGrant } from './grants.ts';
import { refreshTokens } from './refresh.ts';
import { TokenRequest, TokenResponse } from './schema.ts';
import { exchangeToken, tokenCaller } from './token-exchange.ts';

/** Responses with tokens are not cached (RFC 6749 section 5.1). */
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** The grants by their `grant_type`. */
const GRANTS: ReadonlyMap<string, TokenGrant> = new Map([
  ['authorization_code', exchangeCode],
  ['client_credentials', grantToClient],
  ['refresh_token', refreshTokens],
  [DEVICE_GRANT, pollForDevice],
  [TOKEN_EXCHANGE, exchangeToken],
]);

/** The token endpoint (RFC 6749 section 3.2). */
export const issueToken = operation({
  id: 'oauth2.token',
  method: 'POST',
  path: `${SERVER_PATH}/token`,
  beyondContract: true,
  summary: 'Issue tokens to an application',
  description:
    'The grant `authorization_code` (RFC 6749 section 4.1) exchanges a code once for an access token of the user; the scope `openid` adds an ID token, and `offline_access` a refresh token. The grant `refresh_token` (section 6) replaces the refresh token at each use. `client_credentials` (section 4.4) gives an m2m application a token for its ' +
    'organization. With `urn:ietf:params:oauth:grant-type:device_code` (RFC 8628) a device polls for its approval. Access tokens are JWTs of the type `at+jwt` (RFC 9068), which the keys of `jwks_uri` verify. Agents that registered themselves exchange their assertion by ' +
    '`urn:ietf:params:oauth:grant-type:jwt-bearer`, or wait for their claim. With `urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693) your back end, which authenticates with the ' +
    'environment’s client id and an API key as the client secret, exchanges the access token of a user’s session or of an agent for the token of an agent: `audience` is its blueprint. A client that has a ' +
    'secret authenticates with HTTP Basic or with `client_id` and `client_secret` in the form; a client that has keys can send `client_assertion` instead (RFC 7523). Others only send `client_id`.',
  auth: tokenCaller,
  browser: 'any-origin',
  body: TokenRequest,
  form: true,
  responses: { 200: TokenResponse },
  errorForm: oauthErrors,
  errors: [
    invalidClient,
    unsupportedGrantType,
    unauthorizedClient,
    invalidScope,
    invalidTarget,
    invalidGrant,
    missingParameter,
    authorizationPending,
    slowDown,
    expiredToken,
    accessDenied,
  ],
  emits: [...agentTokenEvents, ...exchangeEvents],
  idempotency: 'none',
  async handle({ environmentId, body, request, unit }) {
    const grant = GRANTS.get(body.grant_type) ?? findGrantOfAgent(body.grant_type);
    if (grant === undefined) throw new Failure(unsupportedGrantType);
    return { status: 200, headers: NO_STORE, body: await grant({ environmentId, body, request, unit }) };
  },
});
