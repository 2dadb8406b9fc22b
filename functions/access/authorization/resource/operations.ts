import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { general, orFail } from '../../../kernel/errors.ts';
import { messagesWithBadRequest } from '../../../kernel/http/error-response.ts';
import { isId } from '../../../kernel/id-format.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { loadModel } from '../../../tenancy/roles/public.ts';
import { changeErrors, creationErrors, stageResource, stageResourceChange } from './change.ts';
import { stageDeletion } from './delete.ts';
import {
  hasDependents,
  lockTimeout,
  missingOrganizationOrType,
  organizationResourceIsFixed,
  resourceNotFound,
  typeUpdateInProgress,
} from './errors.ts';
import { findResource, findResourceByExternalId } from './find.ts';
import { listResources as findResources } from './list.ts';
import {
  CreateResource,
  DeleteResource,
  ListResources,
  presentResource,
  Resource,
  ResourceList,
  UpdateResource,
} from './schema.ts';

const BY_ID = '/authorization/resources/{resource_id}';
const BY_EXTERNAL_ID = '/authorization/organizations/{organization_id}/resources/{resource_type_slug}/{external_id}';

const listResources = operation({
  id: 'authorization.resources.list',
  method: 'GET',
  path: '/authorization/resources',
  summary: 'List authorization resources',
  description:
    'Lists the resources of an organization, of a type or of both; the parent parameters select those below one parent. An organization’s own resource is ' +
    'listed by the type `organization`. The list below a parent is strongly consistent; other lists may lag behind changes for a moment.',
  auth: apiKey,
  query: ListResources,
  responses: { 200: ResourceList },
  errors: [missingOrganizationOrType],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    if (query.organization_id === undefined && query.resource_type_slug === undefined) {
      throw fail(missingOrganizationOrType);
    }
    const { types } = await loadModel(environmentId);
    const list = (window: Window) => findResources(environmentId, query, [...types.keys()], window);
    return { status: 200, body: await readPage(query, list, presentResource) };
  },
});

const createResource = operation({
  id: 'authorization.resources.create',
  method: 'POST',
  path: '/authorization/resources',
  summary: 'Create an authorization resource',
  description:
    'Without a parent it is directly below the organization, if its type allows that. Its `external_id` is unique among the ' +
    'organization’s resources of the type and never changes.',
  auth: apiKey,
  operator: 'people.change',
  body: CreateResource,
  responses: { 201: Resource },
  errors: [...creationErrors, lockTimeout],
  conflict: lockTimeout,
  emits: [],
  errorForm: messagesWithBadRequest,
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    return { status: 201, body: presentResource(await stageResource(unit, environmentId, body, { fail, invalid })) };
  },
});

const getResource = operation({
  id: 'authorization.resources.get',
  method: 'GET',
  path: BY_ID,
  summary: 'Get an authorization resource',
  description:
    'Finds the resource by its `id`. To find it by your own `external_id`, use the path with the type and the external id.',
  auth: apiKey,
  responses: { 200: Resource },
  errors: [resourceNotFound, general.invalidParameters],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail, invalid }) {
    if (!isId('authz_resource', params.resource_id)) {
      const message = 'is no id of a resource (authz_resource_…). Your own ids have the path ' + BY_EXTERNAL_ID;
      throw invalid([{ field: 'resource_id', code: 'invalid_format', message }]);
    }
    const found = await orFail(findResource(environmentId, params.resource_id), () => fail(resourceNotFound));
    return { status: 200, body: presentResource(found.view) };
  },
});

/** The parts of the declaration that the updates by either id share. */
const update = {
  method: 'PATCH',
  description: 'A new parent moves the resource with everything below it. The next check uses the new parent.',
  auth: apiKey,
  body: UpdateResource,
  responses: { 200: Resource },
  errors: [...changeErrors, lockTimeout],
  conflict: lockTimeout,
  emits: [],
  idempotency: 'none',
} as const;

const updateResource = operation({
  ...update,
  id: 'authorization.resources.update',
  operator: 'people.change',
  path: BY_ID,
  summary: 'Update or move an authorization resource',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const found = await orFail(findResource(environmentId, params.resource_id), () => fail(resourceNotFound));
    return { status: 200, body: presentResource(await stageResourceChange(unit, found, body, { fail, invalid })) };
  },
});

/** The parts of the declaration that the deletions by either id share. */
const deletion = {
  method: 'DELETE',
  description:
    'Without `cascade_delete` a resource is only deleted if nothing is below it and no role is assigned on it. With it, ' +
    'everything below is deleted too: role assignments there have no effect from this response on. If there are ' +
    'more than about 25 resources, or if many members or a group have roles on them, the records below this resource are removed in the background, which takes minutes for thousands of resources. Until then they can be read by their ids.',
  auth: apiKey,
  operator: 'people.change',
  query: DeleteResource,
  responses: { 204: null },
  errors: [resourceNotFound, hasDependents, organizationResourceIsFixed, typeUpdateInProgress, lockTimeout],
  conflict: lockTimeout,
  emits: [],
  idempotency: 'none',
} as const;

const deleteResource = operation({
  ...deletion,
  id: 'authorization.resources.delete',
  path: BY_ID,
  operator: 'people.change',
  summary: 'Delete an authorization resource',
  async handle({ environmentId, params, query, unit, fail }) {
    const found = await orFail(findResource(environmentId, params.resource_id), () => fail(resourceNotFound));
    await stageDeletion(unit, found, query.cascade_delete, fail);
    return { status: 204 };
  },
});

interface ExternalParams {
  organization_id: string;
  resource_type_slug: string;
  external_id: string;
}

const findByPath = (environmentId: string, params: ExternalParams) =>
  findResourceByExternalId(environmentId, params.organization_id, params.resource_type_slug, params.external_id);

const getResourceByExternalId = operation({
  id: 'authorization.resources.get_by_external_id',
  method: 'GET',
  path: BY_EXTERNAL_ID,
  freeText: 'external_id',
  summary: 'Get an authorization resource by its external id',
  auth: apiKey,
  responses: { 200: Resource },
  errors: [resourceNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const found = await orFail(findByPath(environmentId, params), () => fail(resourceNotFound));
    return { status: 200, body: presentResource(found.view) };
  },
});

const updateResourceByExternalId = operation({
  ...update,
  id: 'authorization.resources.update_by_external_id',
  path: BY_EXTERNAL_ID,
  operator: 'people.change',
  freeText: 'external_id',
  summary: 'Update or move an authorization resource by its external id',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const found = await orFail(findByPath(environmentId, params), () => fail(resourceNotFound));
    return { status: 200, body: presentResource(await stageResourceChange(unit, found, body, { fail, invalid })) };
  },
});

const deleteResourceByExternalId = operation({
  ...deletion,
  id: 'authorization.resources.delete_by_external_id',
  path: BY_EXTERNAL_ID,
  operator: 'people.change',
  freeText: 'external_id',
  summary: 'Delete an authorization resource by its external id',
  async handle({ environmentId, params, query, unit, fail }) {
    const found = await orFail(findByPath(environmentId, params), () => fail(resourceNotFound));
    await stageDeletion(unit, found, query.cascade_delete, fail);
    return { status: 204 };
  },
});

/** Operations on resources. */
export const resourceOperations = [
  listResources,
  createResource,
  getResource,
  updateResource,
  deleteResource,
  getResourceByExternalId,
  updateResourceByExternalId,
  deleteResourceByExternalId,
] as const;
