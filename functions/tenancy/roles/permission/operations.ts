import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { declareError, notFound } from '../../../kernel/errors.ts';
import { changedMembers } from '../../../kernel/events/previous.ts';
import { newId } from '../../../kernel/ids.ts';
import { messagesWithBadRequest } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { MAX_PERMISSIONS } from '../model/rules.ts';
import { isUsableType, modelForChange, stageModel, tooMany } from '../model/stage.ts';
import type { Permission } from '../model/compiled.ts';
import { modelRows } from '../model/entity.ts';
import { resourceTypeNotFound } from '../model/errors.ts';
import { loadModel } from '../model/load.ts';
import { permissionRemoval, stagePermissionRemoval, takeFromRoles } from './removal.ts';
import {
  AuthorizationPermission,
  AuthorizationPermissionList,
  CreatePermission,
  ListPermissions,
  presentPermission,
  UpdatePermission,
} from './schema.ts';

const permissionNotFound = notFound('permission', 'not_found', 'slug');

const permissionSlugConflict = declareError({
  status: 409,
  code: 'permission_slug_conflict',
  message: 'A permission has this slug. Use another slug, or update that permission.',
});

const systemPermission = declareError({
  status: 403,
  code: 'system_permission',
  message: 'The permission belongs to the service: it cannot be changed or deleted.',
});

const listPermissions = operation({
  id: 'permissions.list',
  method: 'GET',
  path: '/authorization/permissions',
  summary: 'List the permissions of the environment',
  auth: apiKey,
  operator: 'config.read',
  query: ListPermissions,
  responses: { 200: AuthorizationPermissionList },
  errors: [resourceTypeNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const { permissions, types } = await loadModel(environmentId);
    const { resource_type_slug: type } = query;
    if (type !== undefined && !types.has(type)) throw fail(resourceTypeNotFound);
    const all = [...permissions.values()].filter(({ resourceType }) => type === undefined || resourceType === type);
    return {
      status: 200,
      body: await readPage(query, async (window) => pageWithin(all, window), presentPermission),
    };
  },
});

const getPermission = operation({
  id: 'permissions.get',
  method: 'GET',
  path: '/authorization/permissions/{slug}',
  summary: 'Get a permission',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: AuthorizationPermission },
  errors: [permissionNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const permission = (await loadModel(environmentId)).permissionsBySlug.get(params.slug);
    if (permission === undefined) throw fail(permissionNotFound);
    return { status: 200, body: presentPermission(permission) };
  },
});

const createPermission = operation({
  id: 'permissions.create',
  method: 'POST',
  path: '/authorization/permissions',
  summary: 'Create a permission',
  description:
    'A slug is compared as a whole: `*` in it has no special meaning. An environment has at most ' +
    `${MAX_PERMISSIONS} permissions in addition to those of the service.`,
  auth: apiKey,
  operator: 'config.change',
  body: CreatePermission,
  responses: { 201: AuthorizationPermission },
  errors: [resourceTypeNotFound, permissionSlugConflict],
  emits: ['permission.created'],
  errorForm: messagesWithBadRequest,
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const model = await modelForChange(environmentId);
    const { slug, name, description, resource_type_slug: resourceType } = body;
    if (model.permissionsBySlug.has(slug)) throw fail(permissionSlugConflict);
    if (!isUsableType(model, resourceType)) throw fail(resourceTypeNotFound);
    const own = [...model.permissions.values()].filter(({ isSystem }) => !isSystem);
    if (own.length >= MAX_PERMISSIONS) throw invalid([tooMany('slug', MAX_PERMISSIONS, 'permissions')]);
    const { permission, write } = newPermission(environmentId, { slug, name, description, resourceType });
    stageModel(unit, environmentId, model, [write]);
    unit.emit('permission.created', presentPermission(permission));
    return { status: 201, body: presentPermission(permission) };
  },
});

/** A new permission and the write of its row. */
export function newPermission(
  environmentId: string,
  fields: { slug: string; name: string; description?: string | null | undefined; resourceType: string },
  id: string = newId('perm'),
) {
  const { slug, name, description, resourceType } = fields;
  const row = { kind: 'permission' as const, environmentId, id, slug, name, resourceType };
  const { record, write } = modelRows.create({ ...row, description: description ?? undefined });
  const { createdAt, updatedAt } = record;
  const permission: Permission = {
    id,
    slug,
    name,
    description: record.description,
    resourceType,
    isSystem: false,
    createdAt,
    updatedAt,
  };
  return { permission, write };
}

const updatePermission = operation({
  id: 'permissions.update',
  method: 'PATCH',
  path: '/authorization/permissions/{slug}',
  summary: 'Update the name or the description of a permission',
  auth: apiKey,
  operator: 'config.change',
  ifMatch: getPermission,
  body: UpdatePermission,
  responses: { 200: AuthorizationPermission },
  errors: [permissionNotFound, systemPermission],
  emits: ['permission.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const model = await modelForChange(environmentId);
    const permission = model.permissionsBySlug.get(params.slug);
    if (permission === undefined) throw fail(permissionNotFound);
    const row = model.rows.get(permission.id);
    if (permission.isSystem || row === undefined) throw fail(systemPermission);
    const { name = permission.name } = body;
    const description = body.description === undefined ? permission.description : (body.description ?? undefined);
    const former = presentPermission(permission);
    const { record, write } = modelRows.revise(row, { name, description });
    const next = presentPermission({ ...permission, name, description, updatedAt: record.updatedAt });
    const previousAttributes = changedMembers(former, next);
    if (Object.keys(previousAttributes).length === 0) return { status: 200, body: former };
    stageModel(unit, environmentId, model, [write]);
    unit.emit('permission.updated', next, { previousAttributes });
    return { status: 200, body: next };
  },
});

const deletePermission = operation({
  id: 'permissions.delete',
  method: 'DELETE',
  path: '/authorization/permissions/{slug}',
  summary: 'Delete a permission',
  description:
    'From this response on no role and no API key has the permission, and a check of it responds 404. Each role that had it emits `role.updated` or, shortly afterwards, `organization_role.updated`.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [permissionNotFound, systemPermission],
  emits: ['permission.deleted', 'role.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const model = await modelForChange(environmentId);
    const permission = model.permissionsBySlug.get(params.slug);
    if (permission === undefined) throw fail(permissionNotFound);
    const removal = stagePermissionRemoval(unit, model, permission);
    if (removal.length === 0) throw fail(systemPermission);
    permissionRemoval.stage(unit, environmentId, { id: permission.id, slug: permission.slug });
    stageModel(unit, environmentId, model, [...removal, ...takeFromRoles(unit, model, permission)]);
    return { status: 204 };
  },
});

export const permissionOperations = [
  listPermissions,
  createPermission,
  getPermission,
  updatePermission,
  deletePermission,
] as const;
