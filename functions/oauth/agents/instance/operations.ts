import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { notFound, orFail } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { sessionsEnd } from '../work/end.ts';
import { findExistingInstance, listInstances } from './find.ts';
import { Instance, InstanceList, ListInstances, presentInstance } from './schema.ts';
import { findPlace, stageInstanceRemoval } from './stage.ts';

const instanceNotFound = notFound('agent instance');

const listAgentInstances = operation({
  id: 'agent_instances.list',
  method: 'GET',
  path: '/agents/instances',
  summary: 'List instances of agents',
  description:
    'Filters are combined. A page may have fewer entries than `limit` although the list continues: follow `list_metadata.after` until it is null.',
  auth: apiKey,
  query: ListInstances,
  responses: { 200: InstanceList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const filter = { organizationId: query.organization_id, blueprintId: query.agent_blueprint_id };
    const list = (window: Parameters<typeof listInstances>[2]) => listInstances(environmentId, filter, window);
    return { status: 200, body: await readPage(query, list, presentInstance) };
  },
});

const getAgentInstance = operation({
  id: 'agent_instances.get',
  method: 'GET',
  path: '/agents/instances/{agent_instance_id}',
  summary: 'Get an instance of an agent',
  auth: apiKey,
  responses: { 200: Instance },
  errors: [instanceNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const finding = findExistingInstance(environmentId, params.agent_instance_id);
    const record = await orFail(finding, () => fail(instanceNotFound));
    return { status: 200, body: presentInstance(record) };
  },
});

const deleteAgentInstance = operation({
  id: 'agent_instances.delete',
  method: 'DELETE',
  path: '/agents/instances/{agent_instance_id}',
  summary: 'Delete an instance of an agent with its sessions',
  description:
    'Its tokens are invalid for `tokens/validate` and for refreshes from this response on. Its sessions are removed in the ' +
    'background, each active one with its event.\n\n' +
    'It removes what the agent has, and does not keep it away: a later `POST /agents/blueprints/{agent_blueprint_id}/tokens` for the same member or organization creates another ' +
    'instance. To keep it away, stop its user, organization or blueprint (`POST /x/agents/stop`) before you delete.',
  auth: apiKey,
  operator: 'people.change',
  responses: { 204: null },
  errors: [instanceNotFound],
  emits: ['agent.instance.deleted'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const finding = findExistingInstance(environmentId, params.agent_instance_id);
    const record = await orFail(finding, () => fail(instanceNotFound));
    const place = await findPlace(environmentId, record.blueprintId, record);
    stageInstanceRemoval(unit, record, place);
    sessionsEnd.stage(unit, environmentId, { below: 'instance', id: record.id });
    return { status: 204 };
  },
});

export const instanceOperations = [listAgentInstances, getAgentInstance, deleteAgentInstance] as const;
