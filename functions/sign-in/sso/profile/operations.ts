import { exchangeFault } from '../../../kernel/authentication/code-exchange.ts';
import { clientInBody, invalidClient } from '../../../kernel/authentication/client.ts';
import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { declareError, Failure, notFound, orFail } from '../../../kernel/errors.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { messages } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findCode, type Grant, openGrant, profileOfToken, stageToken, TOKEN_SECONDS } from './code.ts';
import { profileCodes, profileTokens } from './entity.ts';
import { Profile, SsoToken, TokenQuery } from './schema.ts';
import { organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { exchangeIdToken, invalidSubjectToken, keysUnavailable } from './token-exchange.ts';

const oauth = <const Code extends string>(code: Code, message: string) =>
  declareError({ status: 400, code, message, form: 'oauth' });

const invalidGrant = oauth(
  'invalid_grant',
  'The code is unknown, expired or used, or it was issued for another client or code_challenge. Start the sign-in again.',
);
const invalidRequest = oauth('invalid_request', 'A parameter that the grant_type requires is missing.');
const unauthorizedClient = oauth(
  'unauthorized_client',
  'This grant requires the client_secret: the code was issued without a code_challenge.',
);
const unsupportedGrant = oauth(
  'unsupported_grant_type',
  'grant_type must be "authorization_code" or "urn:ietf:params:oauth:grant-type:token-exchange".',
);
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

const respond = (unit: Pick<Unit, 'stage'>, environmentId: string, { profile, tokens }: Grant) => {
  const { token, id } = stageToken(unit, environmentId, profile);
  const body = {
    token_type: 'Bearer' as const,
    access_token: token,
    expires_in: TOKEN_SECONDS,
    profile,
    ...(tokens === undefined
      ? {}
      : {
          oauth_tokens: {
            provider: tokens.provider,
            refresh_token: tokens.refreshToken,
            access_token: tokens.accessToken,
            expires_at: tokens.expiresAt,
            scopes: [...tokens.scopes],
          },
        }),
  };
  return { id, body };
};

const exchangeToken = operation({
  id: 'sso.token',
  method: 'POST',
  path: '/sso/token',
  summary: 'Exchange a code of /sso/authorize for a profile',
  description:
    'A code is exchanged once, within ten minutes; a second exchange invalidates the access token of the first. A code ' +
    'with a code_challenge requires its code_verifier, with or without a secret. The token exchange accepts an ID ' +
    'token of the organization’s own OpenID provider that was issued for the connection’s client within the last ten ' +
    'minutes; it can be used once.',
  auth: clientInBody,
  body: TokenQuery,
  form: true,
  responses: { 200: SsoToken },
  errorForm: { ...messages, malformed: 'oauth' },
  errors: [
    invalidClient,
    invalidGrant,
    invalidRequest,
    unauthorizedClient,
    unsupportedGrant,
    invalidSubjectToken,
    organizationNotFound,
    keysUnavailable,
  ],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, caller, unit, fail }) {
    if (body.grant_type === TOKEN_EXCHANGE) {
      if (caller.client === 'public') throw fail(unauthorizedClient);
      const { subject_token: token, organization_id: organizationId, subject_token_type: type } = body;
      const isComplete = token !== undefined && organizationId !== undefined;
      if (!isComplete || type !== 'urn:ietf:params:oauth:token-type:id_token') throw fail(invalidRequest);
      const profile = await exchangeIdToken(unit, environmentId, organizationId, token);
      return { status: 200, body: respond(unit, environmentId, { profile }).body };
    }
    if (body.grant_type !== 'authorization_code') throw fail(unsupportedGrant);
    const { code, code_verifier: verifier } = body;
    if (code === undefined || code === '') throw fail(invalidRequest);
    const record = await orFail(findCode(environmentId, code), () => fail(invalidGrant));
    const presented = { client: caller.client ?? 'public', verifier, redirectUri: undefined };
    const fault = exchangeFault(record, presented, constantTimeEqual);
    if (fault === 'secret_required') throw fail(unauthorizedClient);
    if (fault !== undefined) throw fail(invalidGrant);
    const grant = openGrant(record, code);
    if (grant === undefined) {
      // The code may have been stolen, so the access token is revoked for both callers (RFC 6749 section 4.1.2).
      if (record.tokenId !== undefined) unit.stage(profileTokens.removeByKey({ environmentId, id: record.tokenId }));
      throw fail(invalidGrant, { commitOnFailure: true });
    }
    const { id, body: granted } = respond(unit, environmentId, grant);
    unit.stage(profileCodes.revise(record, { sealed: undefined, tokenId: id }).write);
    return { status: 200, body: granted };
  },
});

const profileNotFound = notFound('profile');

const noToken = declareError({
  status: 401,
  code: 'Unauthorized',
  message: 'The access token is not valid.',
  form: 'oauth',
});

const getProfile = operation({
  id: 'sso.profile',
  method: 'GET',
  path: '/sso/profile',
  summary: 'Get the profile of an access token of /sso/token',
  auth: anyCaller,
  responses: { 200: Profile },
  errors: [noToken, profileNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ request, fail }) {
    const [scheme = '', token = ''] = (request.headers.authorization ?? '').split(' ', 2);
    const found = scheme.toLowerCase() === 'bearer' ? await profileOfToken(token) : undefined;
    if (found === undefined) throw new Failure(noToken);
    // The connection was deleted after the token was issued.
    if (!found.exists) throw fail(profileNotFound);
    return { status: 200, body: found.profile };
  },
});

export const profileOperations = [exchangeToken, getProfile] as const;
