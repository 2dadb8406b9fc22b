import { makeClientId } from '../../kernel/authentication/api-key.ts';
import { findSettings } from '../../kernel/environment-settings.ts';
import { oauthErrors } from '../../kernel/http/error-response.ts';
import { operation } from '../../kernel/operation.ts';
import { issuerClaims } from '../../kernel/tokens/issuer.ts';
import { signToken } from '../../kernel/tokens/sign.ts';
import { findAudience } from '../../client-settings/public.ts';
import { loadModel } from '../../roles/public.ts';
import { clientIdOfApplication } from '../application/schema.ts';
import { clientOfRequest, invalidClient } from '../client-secret/credentials.ts';
import { SERVER_PATH, serverInPath } from '../server.ts';
import { connectSettings } from '../settings.ts';
import { invalidScope, invalidTarget, unauthorizedClient, unsupportedGrantType } from './errors.ts';
import { TokenRequest, TokenResponse } from './schema.ts';

/** Responses with tokens are not cached (RFC 6749 section 5.1). */
const NO_STORE = { 'cache-control': 'no-store', pragma: 'no-cache' };

/** The token endpoint (RFC 6749 section 3.2). */
export const issueToken = operation({
  id: 'oauth2.token',
  method: 'POST',
  path: `${SERVER_PATH}/token`,
  summary: 'Issue an access token to an application',
  description:
    'The grant `client_credentials` (RFC 6749 section 4.4) gives an m2m application a token for its organization: a JWT of the ' +
    'type `at+jwt` (RFC 9068) with `org_id` and `scope`, which the keys of `jwks_uri` verify. The client authenticates with ' +
    'HTTP Basic or with `client_id` and `client_secret` in the form.',
  auth: serverInPath(invalidClient),
  body: TokenRequest,
  form: true,
  responses: { 200: TokenResponse },
  errorForm: oauthErrors,
  errors: [invalidClient, unsupportedGrantType, unauthorizedClient, invalidScope, invalidTarget],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, request, fail }) {
    if (body.grant_type !== 'client_credentials') throw fail(unsupportedGrantType);
    const [application, audience, model, issued, settings] = await Promise.all([
      clientOfRequest(environmentId, request, body),
      findAudience(environmentId, body.resource),
      loadModel(environmentId),
      issuerClaims(environmentId),
      findSettings(environmentId, connectSettings),
    ]);
    if (application.applicationType !== 'm2m') throw fail(unauthorizedClient);
    if (audience === null) throw fail(invalidTarget);
    const held = application.scopes.filter((scope) => model.permissionsBySlug.has(scope));
    const asked = body.scope?.split(' ').filter((scope) => scope !== '') ?? [];
    const scopes = asked.length === 0 ? held : held.filter((scope) => asked.includes(scope));
    if (asked.length > 0 && scopes.length === 0) throw fail(invalidScope);
    const clientId = clientIdOfApplication(application);
    const claims = {
      iss: issued.iss,
      aud: audience ?? makeClientId(environmentId),
      sub: clientId,
      client_id: clientId,
      org_id: application.organizationId,
      scope: scopes.join(' '),
    };
    const token = await signToken(environmentId, 'machine', claims, settings.access_token_seconds);
    return {
      status: 200,
      headers: NO_STORE,
      body: {
        access_token: token,
        token_type: 'Bearer' as const,
        expires_in: settings.access_token_seconds,
        scope: scopes.join(' '),
      },
    };
  },
});
