import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { declareError, notFound } from '../../../kernel/errors.ts';
import { messagesWithBadRequest } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { MAX_ENVIRONMENT_ROLES, MAX_ROLE_PERMISSIONS } from '../model/rules.ts';
import { isUsableType, modelForChange, stageModel, tooMany } from '../model/stage.ts';
import { badRequest, resourceTypeNotFound } from '../model/errors.ts';
import { loadModel } from '../model/load.ts';
import { newRole, stageRoleChange } from './stage.ts';
import { permissionsOfRole, wantedPermissions } from './permissions.ts';
import {
  AddRolePermission,
  CreateRole,
  presentRole,
  presentRoles,
  Role,
  RoleList,
  rolePayload,
  SetRolePermissions,
  UpdateRole,
} from './schema.ts';

export const roleNotFound = notFound('role', 'not_found', 'slug');

const roleSlugConflict = declareError({
  status: 409,
  code: 'role_slug_conflict',
  message: 'A role of this environment has this slug. Use another slug, or update that role.',
});

export const listRoles = operation({
  id: 'roles.list',
  method: 'GET',
  path: '/authorization/roles',
  summary: 'List the roles of the environment, the highest priority first',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: RoleList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId }) {
    const { roles } = await loadModel(environmentId);
    return { status: 200, body: presentRoles([...roles.values()]) };
  },
});

const getRole = operation({
  id: 'roles.get',
  method: 'GET',
  path: '/authorization/roles/{slug}',
  summary: 'Get a role of the environment',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: Role },
  errors: [roleNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const role = (await loadModel(environmentId)).rolesBySlug.get(params.slug);
    if (role === undefined) throw fail(roleNotFound);
    return { status: 200, body: presentRole(role) };
  },
});

const createRole = operation({
  id: 'roles.create',
  method: 'POST',
  path: '/authorization/roles',
  summary: 'Create a role of the environment',
  description:
    `It comes last in the order of priority and has no permissions yet. An environment has at most ${MAX_ENVIRONMENT_ROLES} ` +
    'roles. Slugs that begin with `org-` are those of organization roles.',
  auth: apiKey,
  operator: 'config.change',
  body: CreateRole,
  responses: { 201: Role },
  errors: [resourceTypeNotFound, roleSlugConflict],
  emits: ['role.created'],
  errorForm: messagesWithBadRequest,
  idempotency: 'replay',
  async handle({ environmentId, body, unit, fail, invalid }) {
    const model = await modelForChange(environmentId);
    const { slug, name, description, resource_type_slug: resourceType } = body;
    if (model.rolesBySlug.has(slug)) throw fail(roleSlugConflict);
    if (!isUsableType(model, resourceType)) throw fail(resourceTypeNotFound);
    if (model.roles.size >= MAX_ENVIRONMENT_ROLES) {
      throw invalid([tooMany('slug', MAX_ENVIRONMENT_ROLES, 'environment roles')]);
    }
    const { role, write } = newRole(environmentId, { slug, name, description, resourceType });
    stageModel(unit, environmentId, model, [write]);
    unit.emit('role.created', rolePayload(role));
    return { status: 201, body: presentRole(role) };
  },
});

const updateRole = operation({
  id: 'roles.update',
  method: 'PATCH',
  path: '/authorization/roles/{slug}',
  summary: 'Update the name or the description of a role of the environment',
  auth: apiKey,
  operator: 'config.change',
  ifMatch: getRole,
  body: UpdateRole,
  responses: { 200: Role },
  errors: [roleNotFound],
  emits: ['role.updated'],
  errorForm: messagesWithBadRequest,
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const model = await modelForChange(environmentId);
    const role = model.rolesBySlug.get(params.slug);
    if (role === undefined) throw fail(roleNotFound);
    return { status: 200, body: presentRole(stageRoleChange(unit, environmentId, model, role, body)) };
  },
});

const addRolePermission = operation({
  id: 'roles.add_permission',
  method: 'POST',
  path: '/authorization/roles/{slug}/permissions',
  summary: 'Add a permission to a role of the environment',
  description:
    'Adding a permission that the role already has changes nothing. The permission is of the role’s resource type or of a type below it. A ' +
    `role has at most ${MAX_ROLE_PERMISSIONS} permissions.`,
  auth: apiKey,
  operator: 'config.change',
  body: AddRolePermission,
  responses: { 200: Role },
  errors: [roleNotFound, badRequest],
  emits: ['role.updated'],
  errorForm: messagesWithBadRequest,
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const model = await modelForChange(environmentId);
    const role = model.rolesBySlug.get(params.slug);
    if (role === undefined) throw fail(roleNotFound);
    const kept = permissionsOfRole(model, role);
    const where = { field: 'slug', kept };
    const permissions = wantedPermissions(model, role.resourceType, [body.slug], where, { fail, invalid });
    const next = stageRoleChange(unit, environmentId, model, role, { permissions });
    return { status: 200, body: presentRole(next) };
  },
});

const setRolePermissions = operation({
  id: 'roles.set_permissions',
  method: 'PUT',
  path: '/authorization/roles/{slug}/permissions',
  summary: 'Replace the permissions of a role of the environment',
  description: `A role has at most ${MAX_ROLE_PERMISSIONS} permissions, each of the role’s resource type or of a type below it.`,
  auth: apiKey,
  operator: 'config.change',
  ifMatch: getRole,
  body: SetRolePermissions,
  responses: { 200: Role },
  errors: [roleNotFound, badRequest],
  emits: ['role.updated'],
  errorForm: messagesWithBadRequest,
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const model = await modelForChange(environmentId);
    const role = model.rolesBySlug.get(params.slug);
    if (role === undefined) throw fail(roleNotFound);
    const where = { field: 'permissions' };
    const permissions = wantedPermissions(model, role.resourceType, body.permissions, where, { fail, invalid });
    const next = stageRoleChange(unit, environmentId, model, role, { permissions });
    return { status: 200, body: presentRole(next) };
  },
});

export const roleOperations = [
  listRoles,
  createRole,
  getRole,
  updateRole,
  addRolePermission,
  setRolePermissions,
] as const;
