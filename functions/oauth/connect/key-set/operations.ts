import { operation } from '../../../kernel/operation.ts';
import { makeJwk, publishedKeys } from '../../../kernel/tokens/jwks.ts';
import { Jwks } from '../../../kernel/tokens/jwks-schema.ts';
import { ensureSigningKey } from '../../../kernel/tokens/keys.ts';
import {
  CACHED,
  SERVER_PATH,
  serverOfClient,
  serverNotFound,
} from '../../../sign-in/modules/authorization-server/public.ts';

export const getServerKeys = operation({
  id: 'oauth2.jwks',
  method: 'GET',
  path: `${SERVER_PATH}/jwks`,
  beyondContract: true,
  summary: 'The public keys of the access tokens of applications, widgets and the client API',
  description:
    'Returns a JWK Set (RFC 7517). The keys of session tokens are in `/sso/jwks/{clientId}`: the keys of one set do not verify ' +
    'the tokens of the other. Clients may cache it for five minutes.',
  auth: serverOfClient(serverNotFound),
  browser: 'any-origin',
  responses: { 200: Jwks },
  errors: [serverNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const keys = publishedKeys(await ensureSigningKey(environmentId, 'connect')).map(makeJwk);
    return { status: 200, body: { keys }, headers: CACHED };
  },
});
