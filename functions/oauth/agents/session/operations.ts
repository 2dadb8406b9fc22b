import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { clock } from '../../../kernel/clock.ts';
import { notFound, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { sessionsEnd } from '../work/end.ts';
import { findExistingSession, listSessions } from './find.ts';
import { AgentSession, AgentSessionList, ListSessions, presentSession } from './schema.ts';
import { stageRevocation } from './stage.ts';

const sessionNotFound = notFound('agent session');

const listAgentSessions = operation({
  id: 'agent_sessions.list',
  method: 'GET',
  path: '/agents/sessions',
  summary: 'List the sessions of agents',
  description:
    'Filters are combined. A page may have fewer entries than `limit` although the list continues: follow `list_metadata.after` until it is null. Sessions are listed until a week ' +
    'after their end.',
  auth: apiKey,
  query: ListSessions,
  responses: { 200: AgentSessionList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const filter = {
      organizationId: query.organization_id,
      blueprintId: query.agent_blueprint_id,
      instanceId: query.agent_instance_id,
    };
    const now = clock.now();
    const body = await readPage(
      query,
      (window) => listSessions(environmentId, filter, window),
      (session) => presentSession(session, now),
    );
    return { status: 200, body };
  },
});

const getAgentSession = operation({
  id: 'agent_sessions.get',
  method: 'GET',
  path: '/agents/sessions/{agent_instance_session_id}',
  summary: 'Get a session of an agent',
  auth: apiKey,
  responses: { 200: AgentSession },
  errors: [sessionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const finding = findExistingSession(environmentId, params.agent_instance_session_id);
    const session = await orFail(finding, () => fail(sessionNotFound));
    return { status: 200, body: presentSession(session, clock.now()) };
  },
});

const revokeAgentSession = operation({
  id: 'agent_sessions.revoke',
  method: 'POST',
  path: '/agents/sessions/{agent_instance_session_id}/revoke',
  summary: 'Revoke a session of an agent, and those that it delegated',
  description:
    'Their tokens are invalid for `tokens/validate` and for refreshes from this response on. A revoked session keeps its `revoked_at`, ' +
    'and one that has expired stays `expired`. The delegated sessions get their status and events in the background.\n\n' +
    'It does not prevent another session: a client with the API key and the session of the user can mint again. To keep the agent away, use `POST /x/agents/stop`, or revoke the session of the user.',
  auth: apiKey,
  operator: 'people.support',
  responses: { 200: AgentSession },
  errors: [sessionNotFound],
  emits: ['agent.instance.session.revoked'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const finding = findExistingSession(environmentId, params.agent_instance_session_id);
    const session = await orFail(finding, () => fail(sessionNotFound));
    const revoked = stageRevocation(unit, session);
    if (revoked !== session) sessionsEnd.stage(unit, environmentId, { below: 'session', id: session.id });
    return { status: 200, body: presentSession(revoked, clock.now()) };
  },
});

export const sessionOperations = [listAgentSessions, getAgentSession, revokeAgentSession] as const;
