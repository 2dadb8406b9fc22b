import { environmentOfClient } from '../../../kernel/authentication/client.ts';
import { anyCaller } from '../../../kernel/authentication/caller.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { notFound } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { Jwks } from '../../../kernel/tokens/jwks-schema.ts';
import { makeJwk, publishedKeys } from '../../../kernel/tokens/jwks.ts';
import { ensureSigningKey } from '../../../kernel/tokens/keys.ts';

const clientNotFound = {
  ...notFound('client'),
  message: 'No environment has this client id. Check the client id in the path.',
};

/**
 * Time in seconds for which clients may cache the key set: a third of the time for which a key is published before it is
 * used.
 */
const MAX_AGE_SECONDS = 300;

export const getJwks = operation({
  id: 'sso.jwks',
  method: 'GET',
  path: '/sso/jwks/{clientId}',
  summary: 'The public keys of an environment’s access tokens',
  description:
    'Returns a JWK Set (RFC 7517): the current signing key, the next one, and former ones whose tokens may still be ' +
    'valid. Clients may cache it for five minutes; a key is used for signing no earlier than fifteen minutes ' +
    'after it first appeared here. Tokens are RS256; their `aud` is the client id, and their `iss` is `/user_management/{clientId}` below the address of the service, unless the environment has another issuer.',
  auth: anyCaller,
  browser: true,
  responses: { 200: Jwks },
  errors: [clientNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ params, fail }) {
    const environmentId = environmentOfClient(params.clientId);
    const environment = environmentId && (await findEnvironment(environmentId));
    if (!environment) throw fail(clientNotFound);
    const keys = publishedKeys(await ensureSigningKey(environment.id, 'sessions')).map(makeJwk);
    const headers = { 'cache-control': `public, max-age=${MAX_AGE_SECONDS}` };
    return { status: 200, body: { keys }, headers };
  },
});

export const signingKeyOperations = [getJwks] as const;
