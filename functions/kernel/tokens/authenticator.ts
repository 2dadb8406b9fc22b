import { bearerToken, makeClientId } from '../authentication/api-key.ts';
import type { Authenticator, Caller } from '../authentication/caller.ts';
import { environmentOfClient } from '../authentication/client.ts';
import { Failure, general } from '../errors.ts';
import type { IncomingRequest } from '../http/incoming-request.ts';
import { parseJson } from '../json.ts';
import type { TokenKindName } from './kinds.ts';
import { type VerifiedClaims, verifyToken } from './verify.ts';

const noToken = 'No valid token of this kind. Create a new one, and send it as "Authorization: Bearer eyJ…".';

/**
 * Authenticates the bearer of a token of one kind, whose claims `claimsOfCaller` returns. The operation itself reads
 * whether the user, organization or membership in the claims still exists.
 */
export const bearerOfToken = (kind: TokenKindName): Authenticator => ({
  security: [{ [`${kind}_token`]: [] }],
  isForPages: true,
  authenticate: (request) => callerWithToken(kind, request),
});

/**
 * The claims of the token that authenticated a call.
 * @throws Error for an operation that accepts no token
 */
export function claimsOfCaller({ claims }: Caller): VerifiedClaims {
  if (claims === undefined) throw new Error('This operation is not called with a token');
  return claims as VerifiedClaims;
}

/**
 * Finds the caller of a request by its token.
 * @throws Failure 401 unless the request has a valid token of the kind
 */
async function callerWithToken(kind: TokenKindName, request: IncomingRequest): Promise<Caller> {
  const token = bearerToken(request) ?? '';
  const environmentId = statedEnvironment(token);
  const claims = environmentId === undefined ? undefined : await verifyToken(environmentId, kind, token);
  if (environmentId === undefined || claims === undefined)
    throw new Failure(general.unauthorized, { message: noToken });
  const actor = { id: makeClientId(environmentId), source: 'api' as const, name: null };
  return { environmentId, actor, proof: token, claims };
}

/** The environment that an unverified token names by `client_id`, whose keys then verify the token. */
function statedEnvironment(token: string): string | undefined {
  try {
    const claims = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const clientId = (claims as { client_id?: unknown } | null)?.client_id;
    return typeof clientId === 'string' ? environmentOfClient(clientId) : undefined;
  } catch {
    return undefined;
  }
}
