import { exchangeForAgent } from '../../agents/public.ts';
import { readBasic, serverOfClient, TOKEN_EXCHANGE } from '../../../sign-in/modules/authorization-server/public.ts';
import { makeCaller, makeClientId } from '../../../kernel/authentication/api-key.ts';
import type { Authenticator, Caller } from '../../../kernel/authentication/caller.ts';
import { Failure } from '../../../kernel/errors.ts';
import type { IncomingRequest } from '../../../kernel/http/incoming-request.ts';
import { bodyValue } from '../../../kernel/http/request.ts';
import { splitScopes } from '../authorize/scope.ts';
import { CHALLENGE, invalidClient } from '../client-secret/credentials.ts';
import { invalidScope, invalidTarget, missingParameter, unauthorizedClient } from './errors.ts';
import type { TokenGrant } from './grants.ts';

const ERRORS = { invalid_request: missingParameter, invalid_target: invalidTarget, invalid_scope: invalidScope };

/** Exchanges the token of a user’s session or of an agent for the token of an agent (RFC 8693). */
export const exchangeToken: TokenGrant = ({ environmentId, body, unit }) =>
  exchangeForAgent({
    environmentId,
    body,
    scopes: splitScopes(body.scope),
    unit,
    reject: (error, message) => new Failure(ERRORS[error], { message }),
  });

const anyClient = serverOfClient(invalidClient);

/**
 * Authenticates the caller of the token endpoint. An exchange is allowed only for the environment itself, since it can
 * delegate the rights of any user whose token the caller has. The environment authenticates by its client id with one of its
 * API keys, in the header or in the form (RFC 6749 section 2.3.1). For all other grants it is any client, whose credentials
 * the grant checks.
 */
export const tokenCaller: Authenticator = {
  security: [],
  authenticate: async (request) => {
    const caller = await anyClient.authenticate(request);
    const members = (bodyValue({ form: true }, request) ?? {}) as Readonly<Record<string, unknown>>;
    if (caller === undefined || members.grant_type !== TOKEN_EXCHANGE) return caller;
    return authenticateEnvironment(caller.environmentId, request, members);
  },
};

async function authenticateEnvironment(
  environmentId: string,
  request: IncomingRequest,
  members: Readonly<Record<string, unknown>>,
): Promise<Caller> {
  const { authorization } = request.headers;
  const inHeader = readBasic(authorization);
  const secret = inHeader?.secret ?? members.client_secret;
  const named = [inHeader?.clientId, members.client_id].filter((id) => id !== undefined);
  // A client uses one method of authentication only (RFC 6749 section 2.3).
  const isOne =
    (authorization === undefined) === (inHeader === undefined) &&
    (inHeader === undefined || members.client_secret === undefined) &&
    members.client_assertion === undefined;
  const isNamed = named.length > 0 && named.every((id) => id === makeClientId(environmentId));
  const caller = isOne && isNamed && typeof secret === 'string' ? await makeCaller(secret) : undefined;
  if (caller?.environmentId !== environmentId)
    throw new Failure(invalidClient, authorization === undefined ? {} : { headers: CHALLENGE });
  const { limits, ...unlimited } = caller;
  if (limits !== undefined && (limits.readOnly || limits.areas?.includes('agents') === false)) {
    throw new Failure(unauthorizedClient, {
      message:
        'This API key is limited and may not open sessions of agents. Use a key that may write in the area agents.',
    });
  }
  return unlimited;
}
