import * as z from 'zod';

import { findEnvironment } from '../../../../kernel/authentication/environment.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { issuerOf } from '../../../../kernel/tokens/issuer.ts';
import { connectSettings } from '../settings.ts';
import { AGENT_GRANTS, AgentAuth, composeAgentAuth } from './agent-auth.ts';
import { DEVICE_GRANT, OPENID_SCOPES, serverAddress, serverInPath, serverNotFound, TOKEN_EXCHANGE } from '../server.ts';

/**
 * Time in seconds for which clients may cache keys and metadata: a third of the time for which a key is published before it
 * is used.
 */
export const CACHED = { 'cache-control': 'public, max-age=300' };

const text = z.string();
const texts = z.array(text);
const flag = z.boolean();

/** The metadata of RFC 8414 section 2, with the members of OpenID Connect Discovery section 3. */
const ServerMetadata = z
  .object({
    issuer: text,
    authorization_endpoint: text,
    token_endpoint: text,
    pushed_authorization_request_endpoint: text,
    device_authorization_endpoint: text,
    end_session_endpoint: text,
    userinfo_endpoint: text,
    introspection_endpoint: text,
    revocation_endpoint: text,
    jwks_uri: text,
    registration_endpoint: text.optional(),
    client_id_metadata_document_supported: flag,
    scopes_supported: texts,
    grant_types_supported: texts,
    response_types_supported: texts,
    response_modes_supported: texts,
    code_challenge_methods_supported: texts,
    token_endpoint_auth_methods_supported: texts,
    revocation_endpoint_auth_methods_supported: texts,
    introspection_endpoint_auth_methods_supported: texts,
    token_endpoint_auth_signing_alg_values_supported: texts,
    revocation_endpoint_auth_signing_alg_values_supported: texts,
    introspection_endpoint_auth_signing_alg_values_supported: texts,
    subject_types_supported: texts,
    id_token_signing_alg_values_supported: texts,
    claims_supported: texts,
    prompt_values_supported: texts,
    claims_parameter_supported: flag,
    request_parameter_supported: flag,
    request_uri_parameter_supported: flag,
    require_pushed_authorization_requests: flag,
    authorization_response_iss_parameter_supported: flag,
    agent_auth: AgentAuth.optional().describe(
      'The registration of agents of other parties; absent if the settings enable no method of registration.',
    ),
  })
  .meta({ id: 'OAuthServerMetadata' });

const SECRET_METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt'];

/** The signature algorithms of the assertions with which clients authenticate (RFC 7523). */
const ASSERTION_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];

/** The parts of the metadata that are the same for every environment. */
const CAPABILITIES = {
  scopes_supported: [...OPENID_SCOPES],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials', DEVICE_GRANT, TOKEN_EXCHANGE],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  code_challenge_methods_supported: ['S256'],
  token_endpoint_auth_methods_supported: ['none', ...SECRET_METHODS],
  revocation_endpoint_auth_methods_supported: ['none', ...SECRET_METHODS],
  introspection_endpoint_auth_methods_supported: SECRET_METHODS,
  token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  introspection_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  claims_supported: [
    ...['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'sid', 'org_id', 'email', 'email_verified'],
    ...['name', 'given_name', 'family_name', 'picture', 'locale', 'updated_at'],
  ],
  prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
  claims_parameter_supported: false,
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  require_pushed_authorization_requests: false,
  authorization_response_iss_parameter_supported: true,
};

/** The metadata, which names only endpoints that exist. */
async function composeMetadata(environmentId: string): Promise<z.input<typeof ServerMetadata>> {
  const environment = await findEnvironment(environmentId);
  if (environment === undefined) throw new Error('The environment of the server is gone');
  const server = serverAddress(environmentId);
  const { registration } = await findSettings(environmentId, connectSettings);
  const agentAuth = await composeAgentAuth(environmentId);
  return {
    issuer: issuerOf(environment),
    authorization_endpoint: `${server}/authorize`,
    token_endpoint: `${server}/token`,
    pushed_authorization_request_endpoint: `${server}/par`,
    device_authorization_endpoint: `${server}/device_authorization`,
    end_session_endpoint: `${server}/end_session`,
    userinfo_endpoint: `${server}/userinfo`,
    introspection_endpoint: `${server}/introspection`,
    revocation_endpoint: `${server}/revocation`,
    jwks_uri: `${server}/jwks`,
    ...(registration === 'off' ? {} : { registration_endpoint: `${server}/register` }),
    client_id_metadata_document_supported: registration !== 'off',
    ...CAPABILITIES,
    ...(agentAuth === undefined
      ? {}
      : { agent_auth: agentAuth, grant_types_supported: [...CAPABILITIES.grant_types_supported, ...AGENT_GRANTS] }),
  };
}

/** The common parts of the operations that respond with the metadata. */
export const metadataOperation = {
  method: 'GET',
  auth: serverInPath(serverNotFound),
  beyondContract: true,
  browser: 'any-origin',
  responses: { 200: ServerMetadata },
  errors: [serverNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }: { environmentId: string }) {
    return { status: 200 as const, body: await composeMetadata(environmentId), headers: CACHED };
  },
} as const;
