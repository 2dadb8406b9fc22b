import * as z from 'zod';

import { bearerToken, makeClientId } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, Failure } from '../../../kernel/errors.ts';
import { oauthErrors } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { findAudience } from '../../../tenancy/modules/client-settings/public.ts';
import { findTokenState } from '../introspection/state.ts';
import { SERVER_PATH, serverOfClient } from '../../../sign-in/modules/authorization-server/public.ts';
import { claimsOfUser } from './claims.ts';

/** The error for a missing or invalid access token (RFC 6750 section 3.1). */
const invalidToken = declareError({
  status: 401,
  code: 'invalid_token',
  message: 'The request has no valid access token of a user for this server. Authorize again with the scope openid.',
  form: 'oauth',
});

const insufficientScope = declareError({
  status: 403,
  code: 'insufficient_scope',
  message: 'The access token does not have the scope openid. Authorize again with it.',
  form: 'oauth',
});

/** The response: the claims that the scopes request (OpenID Connect Core section 5.3.2). */
const Userinfo = z.looseObject({ sub: z.string() }).meta({ id: 'OAuthUserinfo' });

const common = {
  path: `${SERVER_PATH}/userinfo`,
  beyondContract: true,
  auth: serverOfClient(invalidToken),
  browser: 'any-origin',
  responses: { 200: Userinfo },
  errorForm: oauthErrors,
  errors: [invalidToken, insufficientScope],
  emits: [],
  idempotency: 'none',
} as const;

/**
 * Makes the response to a token. It accepts tokens whose audience is the environment or its default resource. A token for another
 * resource was issued for use there only, so that resource cannot read the user's profile with it (RFC 8707 section 1).
 */
async function respondWithClaims(environmentId: string, token: string) {
  const challenge = (code: string) => ({ headers: { 'www-authenticate': `Bearer error="${code}"` } });
  const [state, standard] = await awaitAll([
    findTokenState(environmentId, token),
    findAudience(environmentId, undefined),
  ]);
  const isOurs = state?.kind === 'user' && [makeClientId(environmentId), standard].includes(state.claims.aud as string);
  if (!isOurs) throw new Failure(invalidToken, challenge('invalid_token'));
  if (!state.scopes.includes('openid')) throw new Failure(insufficientScope, challenge('insufficient_scope'));
  const { user, grant } = state;
  const organization = grant.organizationId === undefined ? {} : { org_id: grant.organizationId };
  return { status: 200 as const, body: { sub: user.id, ...organization, ...claimsOfUser(user, state.scopes) } };
}

const getUserinfo = operation({
  ...common,
  id: 'oauth2.userinfo',
  method: 'GET',
  summary: 'Read the claims about the user of an access token',
  description:
    'Returns the claims of OpenID Connect Core section 5.3. The access token must have the scope `openid` and be for the environment itself or its default ' +
    'resource; `profile` and `email` decide which claims there are. A revoked token is rejected at once.',
  handle: ({ environmentId, request }) => respondWithClaims(environmentId, bearerToken(request) ?? ''),
});

/**
 * The same operation by POST, with the token in the header or in the form (RFC 6750 section 2.2), never in both (OpenID
 * Connect Core section 5.3.1).
 */
const postUserinfo = operation({
  ...common,
  id: 'oauth2.userinfo_by_post',
  method: 'POST',
  summary: 'Read the claims about the user of an access token, by POST',
  description: 'Does the same as GET, with the token in the header or as `access_token` in the form, but not in both.',
  body: z.object({ access_token: z.string().max(16_384).optional().meta({ format: 'password' }) }),
  bodyOptional: true,
  form: true,
  handle: async ({ environmentId, body, request }) => {
    const tokens = [bearerToken(request), body.access_token].filter((token) => token !== undefined);
    return respondWithClaims(environmentId, tokens.length === 1 ? (tokens[0] ?? '') : '');
  },
});

export const userinfoOperations = [getUserinfo, postUserinfo] as const;
