import { bearerToken } from '../../../kernel/authentication/api-key.ts';
import type { Authenticator } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { DeclaredError } from '../../../kernel/errors.ts';
import { environmentOfClient } from '../../../kernel/authentication/client.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { clock } from '../../../kernel/clock.ts';
import { queryObject } from '../../../kernel/http/input.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { parseJson } from '../../../kernel/json.ts';
import { TtlCache } from '../../../kernel/memory.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { readUnverifiedClaims } from '../../../kernel/tokens/verify.ts';
import { readBasic } from './basic.ts';
import { acceptAnyClient, readClientInPath } from './server.ts';

/**
 * A row that names the environment of an application, by the application's client id. A request to a root endpoint such as
 * `/oauth2/token` names no environment, so this is one of the few rows whose key does not begin with one.
 */
const ClientLocatorEntity = entity({
  model: model('connect-client'),
  attributes: { ...recordAttributes, ...ownedAttributes, ...expiringAttributes },
  indexes: {
    primary: {
      pk: { field: 'pk', composite: ['id'], template: 'stage#connect-client#${id}', casing: 'none' },
      sk: sortedBy('sk'),
    },
    owned: ownedIndex,
  },
});

const clientLocators = collection(ClientLocatorEntity, 'internal');

/** Caches the environments of client ids. The environment of a client id never changes. */
const LOCATED_MS = 3_600_000;
const located = new TtlCache<string>(10_000, LOCATED_MS);

/** An application that requests to root endpoints name by its client id. */
interface Located {
  environmentId: string;
  clientId: string;
  owner: string | undefined;
  /** Seconds since the epoch; undefined for an application that does not expire. */
  expiresAt: number | undefined;
}

/**
 * Returns the write of the row with which root endpoints find the environment of an application. It replaces an existing row
 * of the application.
 */
export function locateClient({ environmentId, clientId, owner, expiresAt }: Located): Write {
  const { params } = clientLocators.create({ environmentId, id: clientId, owner, expiresAt }).write;
  return {
    kind: 'Put',
    params: {
      ...params,
      ConditionExpression: 'attribute_not_exists(pk) OR environmentId = :own',
      ExpressionAttributeValues: { ':own': environmentId },
    },
  };
}

/** Returns the write that removes the row with which root endpoints find the environment of an application. */
export const stopLocatingClient = (environmentId: string, clientId: string): Write =>
  clientLocators.removeByKey({ environmentId, id: clientId });

/**
 * Finds the environment of a client id, which is that of the environment itself or of an application, by at most one GetItem
 * each. Returns undefined for any other text.
 */
async function locateEnvironment(clientId: string): Promise<string | undefined> {
  const own = environmentOfClient(clientId);
  if (own === undefined) return undefined;
  return located.load(clientId, async () => {
    const [environment, locator] = await awaitAll([findEnvironment(own), clientLocators.get('', clientId)]);
    if (environment !== undefined) return own;
    const isOver = locator === undefined || (locator.expiresAt ?? Infinity) <= clock.seconds();
    return isOver ? undefined : locator.environmentId;
  });
}

const readClaim = (token: unknown, name: string): unknown =>
  typeof token === 'string' ? readUnverifiedClaims(token)?.[name] : undefined;

function readMembers({ headers, rawBody }: IncomingRequest): Readonly<Record<string, unknown>> {
  if (rawBody === '') return {};
  if (headers['content-type']?.includes('json') !== true) return queryObject(rawBody);
  try {
    return (parseJson(rawBody) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/**
 * Finds the environment of a request to a root endpoint by the client that the request names in the header, the form, the
 * query or the presented token. The client id is not verified here: the endpoint verifies the credentials and the token.
 */
async function findEnvironmentByClient(request: IncomingRequest): Promise<string | undefined> {
  const members = { ...queryObject(request.rawQuery), ...readMembers(request) };
  const named = [
    readBasic(request.headers.authorization)?.clientId,
    members.client_id,
    readClaim(members.client_assertion, 'sub'),
    readClaim(bearerToken(request) ?? members.access_token, 'client_id'),
    readClaim(members.id_token_hint, 'aud'),
  ].find((text) => typeof text === 'string' && text !== '');
  return typeof named === 'string' ? locateEnvironment(named) : undefined;
}

/**
 * Finds the environment as {@link serverInPath} does and, for an endpoint at the root, by the client that the request names.
 * @param unknown the error for a client without an environment
 */
export const serverOfClient = (unknown: DeclaredError): Authenticator => ({
  security: [],
  authenticate: async (request) => {
    const clientId = readClientInPath(request.path);
    const environmentId =
      clientId === undefined ? await findEnvironmentByClient(request) : environmentOfClient(clientId);
    return acceptAnyClient(environmentId, unknown);
  },
});
