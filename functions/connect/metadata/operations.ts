import * as z from 'zod';

import { findEnvironment } from '../../kernel/authentication/environment.ts';
import { operation } from '../../kernel/operation.ts';
import { makeClientId } from '../../kernel/authentication/api-key.ts';
import { settings } from '../../kernel/settings.ts';
import { issuerOf } from '../../kernel/tokens/issuer.ts';
import { makeJwk, publishedKeys } from '../../kernel/tokens/jwks.ts';
import { Jwks } from '../../kernel/tokens/jwks-schema.ts';
import { ensureSigningKey } from '../../kernel/tokens/keys.ts';
import { ISSUER_PATH, SERVER_PATH, serverInPath, serverNotFound } from '../server.ts';

/**
 * Time in seconds for which clients may cache keys and metadata: a third of the time for which a key is published before it
 * is used.
 */
const CACHED = { 'cache-control': 'public, max-age=300' };

export const getServerKeys = operation({
  id: 'oauth2.jwks',
  method: 'GET',
  path: `${SERVER_PATH}/jwks`,
  summary: 'The public keys of the access tokens of applications, widgets and the client API',
  description:
    'A JWK Set (RFC 7517). The keys of session tokens are in `/sso/jwks/{clientId}`: the keys of one set do not verify ' +
    'the tokens of the other. Clients may cache it for five minutes.',
  auth: serverInPath(serverNotFound),
  browser: true,
  responses: { 200: Jwks },
  errors: [serverNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const keys = publishedKeys(await ensureSigningKey(environmentId, 'connect')).map(makeJwk);
    return { status: 200, body: { keys }, headers: CACHED };
  },
});

/** The metadata of RFC 8414 section 2. */
const ServerMetadata = z
  .object({
    issuer: z.string(),
    token_endpoint: z.string(),
    introspection_endpoint: z.string(),
    jwks_uri: z.string(),
    grant_types_supported: z.array(z.string()),
    response_types_supported: z.array(z.string()),
    token_endpoint_auth_methods_supported: z.array(z.string()),
    introspection_endpoint_auth_methods_supported: z.array(z.string()),
  })
  .meta({ id: 'OAuthServerMetadata' });

/** The metadata, which names only endpoints that exist. */
async function composeMetadata(environmentId: string): Promise<z.input<typeof ServerMetadata>> {
  const environment = await findEnvironment(environmentId);
  if (environment === undefined) throw new Error('The environment of the server is gone');
  const server = `${settings().GATEHOUSE_BASE_URL}/oauth2/${makeClientId(environmentId)}`;
  const methods = ['client_secret_basic', 'client_secret_post'];
  return {
    issuer: issuerOf(environment),
    token_endpoint: `${server}/token`,
    introspection_endpoint: `${server}/introspection`,
    jwks_uri: `${server}/jwks`,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: methods,
    introspection_endpoint_auth_methods_supported: methods,
  };
}

/**
 * The metadata endpoint. The well-known path is put before the path of the issuer (RFC 8414 section 3.1), because clients
 * look there first.
 */
export const getServerMetadata = operation({
  id: 'oauth2.metadata',
  method: 'GET',
  path: `/.well-known/oauth-authorization-server${ISSUER_PATH}`,
  summary: 'The metadata of an environment’s authorization server',
  description: 'RFC 8414. It lists only the endpoints and grants that the server has.',
  auth: serverInPath(serverNotFound),
  browser: true,
  responses: { 200: ServerMetadata },
  errors: [serverNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    return { status: 200, body: await composeMetadata(environmentId), headers: CACHED };
  },
});
