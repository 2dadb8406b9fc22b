import type { Failure } from '../../../kernel/errors.ts';
import { isSubjectOf } from '../../../kernel/tokens/kinds.ts';
import { readUnverifiedClaims } from '../../../kernel/tokens/verify.ts';
import { blueprintNotFound } from '../blueprint/errors.ts';
import * as errors from '../token/errors.ts';
import type { MintContext, MintError, MintUnit } from '../token/issue.ts';
import { mintForAgent, mintForUser } from '../token/mint.ts';

/** The types of tokens (RFC 8693 section 3): sessions and agents have access tokens, which are JWTs. */
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';

/** The events of an exchange, which opens a session of an agent. */
export const exchangeEvents = ['agent.instance.created', 'agent.instance.session.created'] as const;

/** The members of a token request that an exchange reads (RFC 8693 section 2.1). */
export interface ExchangeRequest {
  audience?: string | undefined;
  subject_token?: string | undefined;
  subject_token_type?: string | undefined;
  requested_token_type?: string | undefined;
  actor_token?: string | undefined;
  resource?: string | undefined;
}

/** The error codes of RFC 8693 section 2.2.2 and RFC 6749 section 5.2. */
export type ExchangeError = 'invalid_request' | 'invalid_target' | 'invalid_scope';

export interface ExchangeCall {
  environmentId: string;
  body: ExchangeRequest;
  /** The permissions that the token may have at most; empty for all that the rules of delegation allow. */
  scopes: readonly string[];
  unit: MintUnit;
  reject: (error: ExchangeError, message: string) => Failure;
}

/** The errors that concern the blueprint, and so the audience (RFC 8693 section 2.2.2). */
const TARGET_ERRORS: ReadonlySet<MintError> = new Set<MintError>([
  blueprintNotFound,
  errors.organizationNotInvocable,
  errors.roleNotInvocable,
  errors.unsupportedInvocationType,
  errors.agentsStopped,
  errors.sessionSettingsNotFound,
]);

const INVALID_SUBJECT =
  'subject_token is not a valid access token of a session in an organization or of an agent of this environment, or it is an impersonator’s. ' +
  'Send the current token of the delegating user or agent.';

/** Reports the first parameter that is missing or that this grant does not support. */
function findFault(body: ExchangeRequest): [ExchangeError, string] | undefined {
  const { audience, subject_token: token, subject_token_type: type, requested_token_type: requested } = body;
  if (audience === undefined) return ['invalid_request', 'audience is required: the id of an agent blueprint.'];
  if (body.resource !== undefined) return ['invalid_target', 'Name the blueprint in audience, and send no resource.'];
  if (token === undefined) return ['invalid_request', 'subject_token is required.'];
  if (type !== ACCESS_TOKEN && type !== JWT)
    return ['invalid_request', `subject_token_type is required, and is ${ACCESS_TOKEN} or ${JWT}.`];
  if (requested !== undefined && requested !== ACCESS_TOKEN)
    return ['invalid_request', `requested_token_type can only be ${ACCESS_TOKEN}.`];
  if (body.actor_token !== undefined)
    return ['invalid_request', 'actor_token is not supported: the acting agent is the blueprint in audience.'];
  return undefined;
}

/**
 * Opens a session of the blueprint in `audience` for the user or agent of `subject_token`, by the rules of a mint. `scope` can
 * reduce its permissions. The session has no refresh token, so it ends with its access token: exchange again.
 * @throws Failure of `reject`
 */
export async function exchangeForAgent({ environmentId, body, scopes, unit, reject }: ExchangeCall) {
  const fault = findFault(body);
  if (fault !== undefined) throw reject(...fault);
  const { audience: blueprintId = '', subject_token: token = '' } = body;
  const context: MintContext = {
    environmentId,
    blueprintId,
    intent: undefined,
    unit,
    errors: { ...errors, blueprintNotFound },
    exchange: { scopes },
    fail: (error) => {
      if (error === errors.invalidUserToken || error === errors.invalidAgentToken)
        return reject('invalid_request', INVALID_SUBJECT);
      return reject(TARGET_ERRORS.has(error) ? 'invalid_target' : 'invalid_request', error.message);
    },
  };
  const isOfUser = isSubjectOf('session', readUnverifiedClaims(token)?.sub);
  const minted = await (isOfUser ? mintForUser(context, token) : mintForAgent(context, token));
  if (scopes.length > 0 && minted.permissions.length === 0)
    throw reject(
      'invalid_scope',
      'The agent may have none of these permissions now. Request others, or leave scope out.',
    );
  return {
    access_token: minted.access_token,
    issued_token_type: ACCESS_TOKEN,
    token_type: minted.token_type,
    expires_in: minted.expires_in,
    scope: minted.permissions.join(' '),
  };
}
