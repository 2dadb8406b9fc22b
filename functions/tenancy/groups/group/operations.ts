import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { orFail } from '../../../kernel/errors.ts';
import { messagesWithBadRequest } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { findOrganization, organizationNotFound } from '../../organizations/public.ts';
import { stageGroup, stageGroupChange } from './stage.ts';
import { groupNotFound } from './errors.ts';
import { findGroup, listGroupsFor } from './find.ts';
import { stageEndOfGroup } from './end.ts';
import { CreateGroup, Group, GroupList, ListGroups, presentGroup, UpdateGroup } from './schema.ts';

const listGroups = operation({
  id: 'groups.list',
  method: 'GET',
  path: '/organizations/{organizationId}/groups',
  summary: 'List the groups of an organization',
  description: 'The list may lag behind changes for a moment. `search` matches the beginnings of words of the name.',
  auth: apiKey,
  operator: 'config.read',
  query: ListGroups,
  responses: { 200: GroupList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params: { organizationId }, query, fail }) {
    const [organization, body] = await awaitAll([
      findOrganization(environmentId, organizationId),
      readPage(query, (window) => listGroupsFor(environmentId, organizationId, query.search, window), presentGroup),
    ]);
    if (organization === undefined) throw fail(organizationNotFound);
    return { status: 200, body };
  },
});

const createGroup = operation({
  id: 'groups.create',
  method: 'POST',
  path: '/organizations/{organizationId}/groups',
  summary: 'Create a group',
  auth: apiKey,
  operator: 'people.change',
  body: CreateGroup,
  responses: { 201: Group },
  errors: [organizationNotFound],
  emits: ['group.created'],
  errorForm: messagesWithBadRequest,
  idempotency: 'replay',
  dryRun: true,
  async handle({ environmentId, params: { organizationId }, body, unit, fail }) {
    await orFail(findOrganization(environmentId, organizationId), () => fail(organizationNotFound));
    const { name, description } = body;
    const record = stageGroup(unit, { environmentId, organizationId, name, description: description ?? undefined });
    return { status: 201, body: presentGroup(record) };
  },
});

const getGroup = operation({
  id: 'groups.get',
  method: 'GET',
  path: '/organizations/{organizationId}/groups/{groupId}',
  summary: 'Get a group',
  auth: apiKey,
  operator: 'config.read',
  responses: { 200: Group },
  errors: [groupNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const found = await orFail(findGroup(environmentId, params.organizationId, params.groupId), () =>
      fail(groupNotFound),
    );
    return { status: 200, body: presentGroup(found.group) };
  },
});

const updateGroup = operation({
  id: 'groups.update',
  method: 'PATCH',
  path: '/organizations/{organizationId}/groups/{groupId}',
  summary: 'Update a group',
  description: 'Absent fields are unchanged; a null description clears it.',
  auth: apiKey,
  operator: 'people.change',
  body: UpdateGroup,
  responses: { 200: Group },
  errors: [groupNotFound],
  emits: ['group.updated'],
  errorForm: messagesWithBadRequest,
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, body, unit, fail }) {
    const found = await orFail(findGroup(environmentId, params.organizationId, params.groupId), () =>
      fail(groupNotFound),
    );
    const { group: former } = found;
    const record = stageGroupChange(unit, former, {
      name: body.name ?? former.name,
      description: body.description === undefined ? former.description : (body.description ?? undefined),
    });
    return { status: 200, body: presentGroup(record) };
  },
});

const deleteGroup = operation({
  id: 'groups.delete',
  method: 'DELETE',
  path: '/organizations/{organizationId}/groups/{groupId}',
  summary: 'Delete a group',
  description:
    'Access that members have only through the group ends with this response. Their organization memberships are kept; ' +
    'they leave the group in the background, without an event for each.',
  auth: apiKey,
  operator: 'people.change',
  responses: { 204: null },
  errors: [groupNotFound],
  emits: ['group.deleted'],
  idempotency: 'none',
  dryRun: true,
  async handle({ environmentId, params, unit, fail }) {
    const found = await orFail(findGroup(environmentId, params.organizationId, params.groupId), () =>
      fail(groupNotFound),
    );
    await stageEndOfGroup(unit, found.group);
    return { status: 204 };
  },
});

/** Operations on groups. */
export const groupOperations = [listGroups, createGroup, getGroup, updateGroup, deleteGroup] as const;
