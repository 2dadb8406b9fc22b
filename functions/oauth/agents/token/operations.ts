import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { operation } from '../../../kernel/operation.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import { readUnverifiedClaims, verifyToken } from '../../../kernel/tokens/verify.ts';
import { sessionRows } from '../../../tenancy/sessions/public.ts';
import { findBlueprint } from '../blueprint/entity.ts';
import { blueprintNotFound } from '../blueprint/errors.ts';
import { invalidBody, invalidRequest } from '../errors.ts';
import { placeInClaims } from './claims.ts';
import * as errors from './errors.ts';
import { readFacts } from './facts.ts';
import { findEnd, grant, computePermissions } from './validity.ts';
import { EXPIRED_SECONDS, mintForAgent, mintForOrganization, mintForUser } from './mint.ts';
import { refresh, type RefreshContext } from './refresh.ts';
import { AgentToken, AgentTokenValidation, type MintRequest, MintToken, ValidateToken } from './schema.ts';

function mint(context: RefreshContext, body: MintRequest) {
  switch (body.type) {
    case 'user_delegated':
      return mintForUser(context, body.user_access_token);
    case 'autonomous':
      return mintForOrganization(context, body.organization_id);
    case 'agent_delegated':
      return mintForAgent(context, body.agent_access_token);
    case 'refresh':
      return refresh(context, body.refresh_token);
  }
}

const mintToken = operation({
  id: 'agent_blueprints.mint_token',
  method: 'POST',
  path: '/agents/blueprints/{agent_blueprint_id}/tokens',
  summary: 'Mint a token of an agent, or refresh one',
  description:
    '`user_delegated` acts for the member whose session’s token is sent, `autonomous` for an organization without a user, and ' +
    '`agent_delegated` for another agent; each opens a session, in an instance that the first mint creates. The permissions are those ' +
    'of the blueprint that the member and the delegating agent have at this moment. `refresh` continues a session and checks all conditions again; its refresh token is replaced at each use; parallel refreshes get the same new token, and a replaced token that is used later revokes the session.',
  auth: apiKey,
  body: MintToken,
  bodyError: invalidBody,
  responses: { 200: AgentToken },
  errors: [invalidRequest, blueprintNotFound, ...Object.values(errors)],
  emits: ['agent.instance.created', 'agent.instance.session.created', 'agent.instance.session.revoked'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const context = {
      environmentId,
      blueprintId: params.agent_blueprint_id,
      intent: body.intent,
      unit,
      fail,
      errors: { ...errors, blueprintNotFound },
    };
    return { status: 200, headers: { 'cache-control': 'no-store' }, body: await mint(context, body) };
  },
});

const { invalidAgentToken, sessionRevoked, sessionExpired, userSessionEnded } = errors;

const validateToken = operation({
  id: 'agent_blueprints.validate_token',
  method: 'POST',
  path: '/agents/blueprints/{agent_blueprint_id}/tokens/validate',
  summary: 'Validate a token of an agent of this blueprint',
  description:
    'Reads what the token depends on: its session, instance and blueprint, those from which it was delegated, the user’s session and ' +
    'membership, the organization, and the stops (`/x/agents/stop`) that apply to it. A change of any of them takes effect once the response to that change is sent. An invalid token is rejected with a 400 whose code is the reason.',
  auth: apiKey,
  body: ValidateToken,
  bodyError: invalidBody,
  responses: { 200: AgentTokenValidation },
  errors: [invalidRequest, blueprintNotFound, invalidAgentToken, sessionRevoked, sessionExpired, userSessionEnded],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, fail }) {
    const { agent_access_token: token } = body;
    const blueprintId = params.agent_blueprint_id;
    const place = placeInClaims(readUnverifiedClaims(token));
    if (place === undefined) {
      const blueprint = await findBlueprint(environmentId, blueprintId);
      throw fail(blueprint === undefined ? blueprintNotFound : invalidAgentToken);
    }
    const { userId, organizationId } = place;
    const [claims, facts, userSessions] = await readTogether(() =>
      awaitAll([
        verifyToken(environmentId, 'agent', token, undefined, EXPIRED_SECONDS),
        readFacts(environmentId, blueprintId, place),
        userId === undefined ? [] : sessionRows(environmentId, userId),
      ]),
    );
    if (facts.blueprint === undefined) throw fail(blueprintNotFound);
    if (claims === undefined || claims.client_id !== blueprintId) throw fail(invalidAgentToken);
    const end = findEnd(facts, userSessions, clock.now());
    if (end === 'user_session_ended') throw fail(userSessionEnded);
    if (end === 'session_expired' || end === 'max_age_exceeded') throw fail(sessionExpired);
    const session = facts.chain.at(-1)?.session;
    if (end !== undefined || session === undefined) throw fail(sessionRevoked);
    if (claims.exp <= clock.seconds()) throw fail(invalidAgentToken);
    const rights = new Set(grant(facts.blueprint, facts, computePermissions(facts.chain.slice(0, -1), facts)));
    const named = claims.permissions_omitted === true ? session.permissions : ((claims.permissions ?? []) as string[]);
    return {
      status: 200,
      body: {
        valid: true as const,
        agent_instance_id: session.instanceId,
        agent_instance_session_id: session.id,
        organization_id: organizationId,
        permissions: named.filter((slug) => rights.has(slug)),
        intent: (claims.intent as { text: string } | undefined)?.text ?? null,
        acting_user_id: userId ?? null,
        session_expires_at: session.endsAt,
      },
    };
  },
});

export const tokenOperations = [mintToken, validateToken] as const;
