import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { type Failure, type Issue, notFound, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { findOrganization, organizationNotFound } from '../../../tenancy/organizations/public.ts';
import { findStop, isInForce, readStop, type StopKind } from '../../../access/modules/credential-holders/public.ts';
import { findUser, userNotFound } from '../../../tenancy/modules/users/public.ts';
import { findBlueprint } from '../blueprint/entity.ts';
import { blueprintNotFound } from '../blueprint/errors.ts';
import { type Ended, sessionsEnd } from '../work/end.ts';
import { AgentStop, FindStop, LiftStop, presentStop, StopAgents } from './schema.ts';

const stopNotFound = notFound('stop of agents');

/** The target of a stop. */
interface Target {
  target: StopKind;
  target_id?: string | undefined;
}

/** Checks that the request has the id of exactly those targets that have ids. @throws Failure otherwise */
function requireId({ target, target_id: id }: Target, invalid: (issues: readonly Issue[]) => Failure): string {
  if (target === 'environment' && id !== undefined)
    throw invalid([{ field: 'target_id', code: 'invalid_value', message: 'must be absent for environment' }]);
  if (target !== 'environment' && id === undefined)
    throw invalid([{ field: 'target_id', code: 'required', message: `is required for ${target}` }]);
  return id ?? '';
}

/** The 404 errors, which all have the same code. */
type MissingError = typeof organizationNotFound;

/** The error for a target that does not exist, because a stop with a mistyped id would have no effect. */
async function findMissing(environmentId: string, kind: StopKind, id: string): Promise<MissingError | undefined> {
  const missing = (found: unknown, error: MissingError) => (found === undefined ? error : undefined);
  switch (kind) {
    case 'environment':
      return undefined;
    case 'organization':
      return missing(await findOrganization(environmentId, id), organizationNotFound);
    case 'user':
      return missing(await findUser(environmentId, id), userNotFound);
    case 'agent_blueprint':
      return missing(await findBlueprint(environmentId, id), blueprintNotFound);
  }
}

const BELOW = {
  environment: 'environment',
  organization: 'organization',
  user: 'user',
  agent_blueprint: 'blueprint',
} as const satisfies Record<StopKind, Ended['below']>;

const stopAgents = operation({
  id: 'agent_stops.create',
  method: 'POST',
  path: '/x/agents/stop',
  summary: 'Stop all agents of the environment, an organization, a user or a blueprint',
  description:
    'All sessions of the target’s agents are invalid for `tokens/validate` and for refreshes from this response on, and no new ones can be opened until the stop is lifted. Their status and events are updated in the background. ' +
    'The same applies to agents of other parties: their assertions and tokens are invalid from this response on, their API keys within five seconds, and no agent can register or be claimed. Services that only check the signature ' +
    'of a token accept it until it expires. If the target is stopped already, only the reason is replaced.\n\n' +
    'This is the emergency stop: it keeps agents away until you lift it. The revocation of a session and the deletion of an instance invalidate the tokens that were issued, but a later request for a token succeeds.',
  auth: apiKey,
  operator: 'people.support',
  body: StopAgents,
  responses: { 200: AgentStop },
  errors: [organizationNotFound, userNotFound, blueprintNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const { target, reason } = body;
    const targetId = requireId(body, invalid);
    const [missing, { former, change }] = await awaitAll([
      findMissing(environmentId, target, targetId),
      readStop(environmentId, target, targetId),
    ]);
    if (missing !== undefined) throw fail(missing);
    const stoppedAt = former !== undefined && isInForce(former) ? former.stoppedAt : clock.timestamp();
    const fields = { target, targetId: targetId || undefined, reason, stoppedAt, liftedAt: undefined };
    const { record, writes } = change(fields);
    unit.stage(writes);
    sessionsEnd.stage(unit, environmentId, { below: BELOW[target], id: targetId, until: clock.timestamp() });
    return { status: 200, body: presentStop(record) };
  },
});

const liftStop = operation({
  id: 'agent_stops.lift',
  method: 'POST',
  path: '/x/agents/lift',
  summary: 'Lift a stop of agents',
  description:
    'New sessions can be opened again, and agents of other parties can register and get credentials. What was issued before this call stays invalid.',
  auth: apiKey,
  operator: 'people.support',
  body: LiftStop,
  responses: { 200: AgentStop },
  errors: [stopNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const { former, change } = await readStop(environmentId, body.target, requireId(body, invalid));
    if (former === undefined) throw fail(stopNotFound);
    if (!isInForce(former)) return { status: 200, body: presentStop(former) };
    const { target, targetId, reason, stoppedAt } = former;
    const { record, writes } = change({ target, targetId, reason, stoppedAt, liftedAt: clock.timestamp() });
    unit.stage(writes);
    return { status: 200, body: presentStop(record) };
  },
});

const getStop = operation({
  id: 'agent_stops.get',
  method: 'GET',
  path: '/x/agents/stop',
  summary: 'Get the stop of agents of a target, active or lifted',
  auth: apiKey,
  operator: 'config.read',
  query: FindStop,
  responses: { 200: AgentStop },
  errors: [stopNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail, invalid }) {
    const stop = await orFail(findStop(environmentId, query.target, requireId(query, invalid)), () =>
      fail(stopNotFound),
    );
    return { status: 200, body: presentStop(stop) };
  },
});

export const stopOperations = [stopAgents, liftStop, getStop] as const;
