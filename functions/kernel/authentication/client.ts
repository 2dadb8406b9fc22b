import { declareError, Failure, general } from '../errors.ts';
import { queryObject } from '../http/input.ts';
import { bodyValue } from '../http/request.ts';
import { isId, readUlid } from '../id-format.ts';
import { makeCaller, makeClientId, environmentIdOf } from './api-key.ts';
import type { Authenticator, Caller } from './caller.ts';
import { isOperatorsEnvironment } from './environment-id.ts';
import { findOpenEnvironment } from './environment.ts';

/** The error for an unknown client, or a secret that is not one of its environment's API keys (RFC 6749 section 5.2). */
export const invalidClient = declareError({
  status: 400,
  code: 'invalid_client',
  message:
    'The client_id belongs to no environment, or the client_secret is not an API key of that environment. Check both; public clients omit the secret.',
  form: 'oauth',
});

/** The error for a request without a client id. */
export const missingClient = declareError({
  ...general.invalidParameters,
  status: 400,
  code: 'invalid_request',
  form: 'oauth',
});

/**
 * Finds the environment of a public client id without a read; undefined for any other text, and for the environment of the
 * operators, whose only client is the console.
 */
export function environmentOfClient(clientId: string): string | undefined {
  const environmentId = environmentOfSignIn(clientId);
  return environmentId === undefined || isOperatorsEnvironment(environmentId) ? undefined : environmentId;
}

/**
 * Finds the environment of a client id, that of the operators included. It is only for the operations by which the console signs its
 * operators in, and for their account page.
 */
export const environmentOfSignIn = (clientId: string): string | undefined =>
  isId('client', clientId) ? environmentIdOf(readUlid(clientId)) : undefined;

/**
 * Authenticates a client that identifies itself in the body, JSON or form, by `client_id` and, if it is confidential, by
 * `client_secret`, which is an API key of its environment (RFC 6749 section 2.3.1). `caller.client` is its type.
 */
export const clientInBody: Authenticator = {
  security: [],
  authenticate: async (request) => readClient(bodyValue({ form: true }, request), environmentOfClient),
};

/** Identifies the public client of a browser's request by `client_id` in the query. */
export const clientInQuery: Authenticator = {
  security: [],
  authenticate: async ({ rawQuery }) => readClient({ client_id: queryObject(rawQuery).client_id }, environmentOfClient),
};

/** Like {@link clientInBody}, and accepts the console: see {@link environmentOfSignIn}. */
export const signInClientInBody: Authenticator = {
  security: [],
  authenticate: async (request) => readClient(bodyValue({ form: true }, request), environmentOfSignIn),
};

/** Like {@link clientInQuery}, and accepts the console: see {@link environmentOfSignIn}. */
export const signInClientInQuery: Authenticator = {
  security: [],
  authenticate: async ({ rawQuery }) => readClient({ client_id: queryObject(rawQuery).client_id }, environmentOfSignIn),
};

async function readClient(
  members: unknown,
  findEnvironmentId: (clientId: string) => string | undefined,
): Promise<Caller> {
  const { client_id: clientId, client_secret: secret } = (members ?? {}) as Record<string, unknown>;
  if (typeof clientId !== 'string' || clientId === '') {
    const issue = { field: 'client_id', code: 'required', message: 'is required' };
    throw new Failure(missingClient, { issues: [issue] });
  }
  const environmentId = findEnvironmentId(clientId);
  if (environmentId === undefined) throw new Failure(invalidClient);
  if (typeof secret === 'string' && secret !== '') return confidential(environmentId, secret);
  if ((await findOpenEnvironment(environmentId)) === undefined) throw new Failure(invalidClient);
  return {
    environmentId,
    actor: { id: makeClientId(environmentId), source: 'api', name: null },
    proof: clientId,
    client: 'public',
  };
}

async function confidential(environmentId: string, secret: string): Promise<Caller> {
  const caller = await makeCaller(secret);
  if (caller?.environmentId !== environmentId) throw new Failure(invalidClient);
  return { ...caller, client: 'confidential' };
}
