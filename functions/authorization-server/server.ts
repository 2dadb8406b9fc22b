import type { Authenticator, Caller } from '../kernel/authentication/caller.ts';
import { environmentOfClient } from '../kernel/authentication/client.ts';
import { findEnvironment } from '../kernel/authentication/environment.ts';
import { makeClientId } from '../kernel/authentication/api-key.ts';
import { settings } from '../kernel/settings.ts';
import { type DeclaredError, Failure, notFound } from '../kernel/errors.ts';

/**
 * The path of an environment's issuer, unless the environment has another issuer. Clients derive the path of the metadata
 * from it.
 */
export const ISSUER_PATH = '/user_management/{clientId}';

/**
 * The path of an environment's OAuth endpoints, which the metadata names. They are not below the issuer's path: with a path
 * parameter in the place of `users` and other fixed segments, the HTTP API would need a route for each of their operations,
 * and it can have only 300.
 */
export const SERVER_PATH = '/oauth2/{clientId}';

/** The base address of the endpoints of an environment. */
export const serverAddress = (environmentId: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/oauth2/${makeClientId(environmentId)}`;

export const serverNotFound = notFound('authorization server');

/** The caller in an environment that was found by its client: any client. @throws Failure with `unknown` for no environment */
export async function acceptAnyClient(environmentId: string | undefined, unknown: DeclaredError): Promise<Caller> {
  const environment = environmentId === undefined ? undefined : await findEnvironment(environmentId);
  if (environment === undefined) throw new Failure(unknown);
  const id = makeClientId(environment.id);
  return { environmentId: environment.id, actor: { id, source: 'api', name: null }, proof: id };
}

/** The environment's client id in a path; undefined in that of an endpoint at the root. */
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

/** The scopes of OpenID Connect (Core section 5.4, section 11), which every application may have. */
export const OPENID_SCOPES = ['openid', 'profile', 'email', 'offline_access'] as const;

/** Reports whether a scope is one of OpenID Connect, and no permission. */
export const isOpenIdScope = (scope: string): boolean => (OPENID_SCOPES as readonly string[]).includes(scope);
