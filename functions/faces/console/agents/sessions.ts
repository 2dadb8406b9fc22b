import { bulkPages } from '../bulk/pages.ts';
import { type Act, call } from '../page/declare.ts';
import { addressIn, type Visit, withQuery } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import type { Column } from '../view/parts.ts';
import { code, record, state, when } from '../view/values.ts';

/** A session of an agent, in responses of the API. */
export interface AgentSession {
  id: string;
  agent_instance_id: string;
  status: string;
  expires_at: string;
  created_at: string;
}

export const revokeAgentSession: Act = {
  name: 'revoke-session',
  label: 'Revoke',
  operation: 'agent_sessions.revoke',
  call: ({ id }) => call('agent_sessions.revoke', { agent_instance_session_id: id }),
  done: 'The agent’s session is revoked.',
  bulk: {
    record: 'agent_session',
    plural: 'agent sessions',
    effect: 'Ends each session with those that it delegated. The agents can begin other ones: a stop keeps them away.',
    isDanger: true,
    isRepeatable: true,
  },
};

/** The columns of sessions of agents. */
export const sessionColumns: readonly Column<AgentSession>[] = [
  { title: 'Session', cell: (each) => code(each.id) },
  { title: 'State', cell: (each) => state(each.status) },
  { title: 'Began', look: 'when', cell: (each) => when(each.created_at) },
  { title: 'Ends', look: 'when', cell: (each) => when(each.expires_at) },
];

/** The list of the sessions of the blueprint that a page shows. */
export const sessionsAddress = (visit: Visit): string =>
  withQuery(addressIn(visit, 'agents', 'sessions'), { agent_blueprint_id: visit.params.agent_blueprint_id });

/** The sessions of all agents, the newest first. */
const sessionsPage = listPage<AgentSession>({
  path: 'e/{environment}/agents/sessions',
  title: 'Sessions of agents',
  permission: 'people.read',
  menu: { group: 'Agents' },
  operation: 'agent_sessions.list',
  filters: [
    { name: 'agent_blueprint_id', label: 'Blueprint id', placeholder: 'agent_blueprint_…' },
    { name: 'organization_id', label: 'Organization id', placeholder: 'org_…' },
    { name: 'agent_instance_id', label: 'Instance id', placeholder: 'agent_…' },
  ],
  idPrefix: 'agent_session',
  acts: [revokeAgentSession],
  select: ({ id, status }) => (status === 'active' ? { id, name: id } : undefined),
  columns: (visit) => [...sessionColumns, { title: 'Instance', cell: (each) => record(visit, each.agent_instance_id) }],
  none: 'No sessions yet. POST /agents/blueprints/{agent_blueprint_id}/tokens opens the first one.',
});

/** The sessions of agents, and the act on many of them. */
export const sessionPages = [sessionsPage, ...bulkPages({ ...sessionsPage, permission: 'people.read' })];
