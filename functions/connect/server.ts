import type { Authenticator } from '../kernel/authentication/caller.ts';
import { environmentOfClient } from '../kernel/authentication/client.ts';
import { findEnvironment } from '../kernel/authentication/environment.ts';
import { makeClientId } from '../kernel/authentication/api-key.ts';
import { settings } from '../kernel/settings.ts';
import { type DeclaredError, Failure, notFound } from '../kernel/errors.ts';

/** The path of the issuer of an environment, unless it has another one: clients look for metadata before it. */
export const ISSUER_PATH = '/user_management/{clientId}';

/**
 * The path of its endpoints, which the metadata names. They are not below the issuer's path: a parameter next to `users` and its
 * neighbours would cost an HTTP API a route for each of their operations, of which it has 300.
 */
export const SERVER_PATH = '/oauth2/{clientId}';

/** The address below which the endpoints of an environment are. */
export const serverAddress = (environmentId: string): string =>
  `${settings().GATEHOUSE_BASE_URL}/oauth2/${makeClientId(environmentId)}`;

export const serverNotFound = notFound('authorization server');

/**
 * Finds the environment by the client id in the path of its authorization server. The caller is any client: an operation that
 * needs an authenticated one checks its credentials itself. No read while the environment is cached.
 * @param unknown the error for a client id of no environment
 */
export const serverInPath = (unknown: DeclaredError): Authenticator => ({
  security: [],
  authenticate: async ({ path }) => {
    const clientId = path.split('/').find((part) => part.startsWith('client_')) ?? '';
    const environmentId = environmentOfClient(clientId);
    const environment = environmentId === undefined ? undefined : await findEnvironment(environmentId);
    if (environment === undefined) throw new Failure(unknown);
    const actor = { id: makeClientId(environment.id), source: 'api' as const, name: null };
    return { environmentId: environment.id, actor, proof: clientId };
  },
});
