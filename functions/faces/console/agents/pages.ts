import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type ConsolePage, consolePage, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { given, givenLines, linesField, textField } from '../view/fields.ts';
import { listPage } from '../view/list-page.ts';
import { type List, panel, tableOr } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { code, record, small, tags, when } from '../view/values.ts';
import { type AgentSession, revokeAgentSession, sessionColumns, sessionPages, sessionsAddress } from './sessions.ts';
import { findStop, liftStop, renderStop, type Stop, stopAgents } from './stop.ts';

interface Blueprint {
  id: string;
  name: string;
  description: string | null;
  permissions: string[];
  created_at: string;
}

const createBlueprint: Act = {
  name: 'create-blueprint',
  label: 'Add a blueprint',
  operation: 'agent_blueprints.create',
  call: ({ name, description, permissions }) =>
    call(
      'agent_blueprints.create',
      {},
      {},
      {
        name,
        description: given(description),
        permissions: givenLines(permissions) ?? [],
      },
    ),
  done: 'The blueprint is added.',
  next: (visit, body) => addressIn(visit, 'agents', (body as Blueprint).id),
};

const renderCreation = (visit: Visit) =>
  renderAct(visit, createBlueprint, {
    fields: {},
    effect: 'Adds the template of an agent. Agents of it have no more than its permissions.',
    more: (kept) =>
      html`${textField(kept, { name: 'name', label: 'Name', isRequired: true, most: 100 })}
      ${textField(kept, { name: 'description', label: 'Description' })}
      ${linesField(kept, { name: 'permissions', label: 'Slugs of its permissions, one a line' })}`,
  });

const blueprintsPage = listPage<Blueprint>({
  path: 'e/{environment}/agents',
  title: 'Agents',
  permission: 'config.read',
  menu: { group: 'Agents' },
  operation: 'agent_blueprints.list',
  acts: [createBlueprint],
  above: renderCreation,
  columns: (visit) => [
    {
      title: 'Blueprint',
      cell: (each) => html`${record(visit, each.id, each.name)}${small(each.description)}`,
    },
    { title: 'Permissions', cell: (each) => tags(each.permissions) },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No agents yet. The form above or POST /agents/blueprints makes the first blueprint.',
});

interface Instance {
  id: string;
  type: string;
  organization_id: string;
  created_at: string;
}

const blueprintPage: ConsolePage = recordPage({
  path: 'e/{environment}/agents/{agent_blueprint_id}',
  title: 'Blueprint',
  permission: 'config.read',
  parent: 'e/{environment}/agents',
  operation: 'agent_blueprints.get',
  change: 'agent_blueprints.update',
  removal: {
    act: {
      name: 'delete-blueprint',
      label: 'Delete the blueprint',
      operation: 'agent_blueprints.delete',
      call: (_, { params: { agent_blueprint_id: id } }) => call('agent_blueprints.delete', { agent_blueprint_id: id }),
      done: 'The blueprint is deleted.',
      next: (visit) => addressIn(visit, 'agents'),
    },
    effect: (name) => `The agents of “${name}” get no further token, and their sessions end. It cannot be undone.`,
  },
  acts: [revokeAgentSession, stopAgents, liftStop],
  calls: (visit) => {
    const { agent_blueprint_id: id } = visit.params;
    return {
      stop: findStop(visit),
      instances: call('agent_instances.list', {}, { agent_blueprint_id: id, limit: 25 }),
      sessions: call('agent_sessions.list', {}, { agent_blueprint_id: id, limit: 25 }),
    };
  },
  more: ({ stop, instances, sessions }, visit) =>
    html`${stop !== undefined && renderStop(visit, stop as Part<Stop>, 'The agents of this blueprint')}${panel(
      'Sessions',
      sessions as Part<List<AgentSession>>,
      ({ data }) =>
        tableOr(
          'Sessions',
          [
            ...sessionColumns,
            {
              title: 'Change',
              cell: (each) =>
                each.status === 'active' &&
                renderAct(visit, revokeAgentSession, {
                  fields: { id: each.id },
                  effect: 'Ends the session; the agent can begin another one.',
                  of: each.id,
                }),
            },
          ],
          data,
          'No sessions.',
        ),
      { more: html`<a href="${sessionsAddress(visit)}">All sessions</a>` },
    )}
    ${panel('Instances', instances as Part<List<Instance>>, ({ data }) =>
      tableOr(
        'Instances',
        [
          { title: 'Instance', cell: (each) => code(each.id) },
          { title: 'Kind', cell: (each) => each.type },
          { title: 'Organization', cell: (each) => record(visit, each.organization_id) },
          { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
        ],
        data,
        'No instances.',
      ),
    )}`,
});

/** The stop of all agents of the environment. */
const stopPage = consolePage({
  path: 'e/{environment}/agents/stop',
  title: 'Stopped agents',
  permission: 'config.read',
  menu: { group: 'Agents' },
  acts: [stopAgents, liftStop],
  calls: (visit) => ({ stop: findStop(visit) }),
  view: ({ stop }, visit) => html`${renderStop(visit, stop, 'The agents of this environment')}`,
});

/** Agents with their sessions, and their stop. */
export const agentPages = [blueprintsPage, ...sessionPages, stopPage, blueprintPage];
