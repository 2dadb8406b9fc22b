import type { Authenticator, Caller } from '../../../kernel/authentication/caller.ts';
import { environmentOfClient } from '../../../kernel/authentication/client.ts';
import { findOpenEnvironment } from '../../../kernel/authentication/environment.ts';
import { makeClientId } from '../../../kernel/authentication/api-key.ts';
import { settings } from '../../../kernel/settings.ts';
import { type DeclaredError, Failure, notFound } from '../../../kernel/errors.ts';

/**
 * The path of an environment's issuer, unless the environment has another issuer. Clients derive the path of the metadata
 * from it.
 */
export const ISSUER_PATH = '/user_management/{clientId}';

/**
 * The path of an environment's OAuth endpoints, which the metadata contains. It does not begin with the issuer's path: a path
 * parameter there, next to fixed segments such as `users`, would need one route of the HTTP API for each operation, and the
 * API has at most 300.
 */
export const SERVER_PATH = '/oauth2/{clientId}';

/** The base address of the endpoints of an environment. */
export const serverAddress = (environmentId: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/oauth2/${makeClientId(environmentId)}`;

export const serverNotFound = {
  ...notFound('authorization server'),
  message: 'No environment has this client id. Check the client id in the path.',
};

/**
 * Returns the caller of a request to an environment that was found by a client id. Any client may call.
 * @throws Failure with `unknown` if there is no environment, or if it is suspended
 */
export async function acceptAnyClient(environmentId: string | undefined, unknown: DeclaredError): Promise<Caller> {
  const environment = environmentId === undefined ? undefined : await findOpenEnvironment(environmentId);
  if (environment === undefined) throw new Failure(unknown);
  const id = makeClientId(environment.id);
  return { environmentId: environment.id, actor: { id, source: 'api', name: null }, proof: id };
}

/** The environment's client id in the path; undefined at a root endpoint. */
export const readClientInPath = (path: string): string | undefined =>
  path.split('/').find((part) => part.startsWith('client_'));

/**
 * Finds the environment by the client id in the path of its authorization server. The caller is any client: an operation
 * that needs an authenticated one checks its credentials itself. It reads nothing while the environment is cached.
 * @param unknown the error for a client id without an environment
 */
export const serverInPath = (unknown: DeclaredError): Authenticator => ({
  security: [],
  authenticate: async ({ path }) => acceptAnyClient(environmentOfClient(readClientInPath(path) ?? ''), unknown),
});

/** The grant of devices (RFC 8628 section 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The grant that exchanges the token of a user’s session or of an agent for the token of an agent (RFC 8693 section 2.1). */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The scopes of OpenID Connect (Core section 5.4, section 11), which every application may have. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;

/** Reports whether a scope is one of OpenID Connect, and no permission. */
export const isOpenIdScope = (scope: string): boolean => (OPENID_SCOPES as readonly string[]).includes(scope);
