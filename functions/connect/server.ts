import type { Authenticator } from '../kernel/authentication/caller.ts';
import { environmentOfClient } from '../kernel/authentication/client.ts';
import { environmentOf } from '../kernel/authentication/environment.ts';
import { clientIdOf } from '../kernel/authentication/api-key.ts';
import { type DeclaredError, Failure, notFound } from '../kernel/errors.ts';

/** The path of an environment's authorization server, below the service's address, unless it has another issuer. */
export const SERVER_PATH = '/user_management/{clientId}';

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
    const environment = environmentId === undefined ? undefined : await environmentOf(environmentId);
    if (environment === undefined) throw new Failure(unknown);
    const actor = { id: clientIdOf(environment.id), source: 'api' as const, name: null };
    return { environmentId: environment.id, actor, proof: clientId };
  },
});
