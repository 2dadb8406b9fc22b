import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError, type Failure, type FailureDetails, notFound } from '../../../kernel/errors.ts';
import { messagesWithBadRequest } from '../../../kernel/http/error-response.ts';
import { operation } from '../../../kernel/operation.ts';
import { inPath, keyOrGrant } from '../../modules/portal-access/public.ts';
import { findOrganization, organizationNotFound } from '../../organizations/public.ts';
import { MAX_ORGANIZATION_ROLES, MAX_ROLE_PERMISSIONS } from '../model/rules.ts';
import { isUsableType, tooMany } from '../model/stage.ts';
import type { Role as RoleModel } from '../model/compiled.ts';
import { badRequest, resourceTypeNotFound } from '../model/errors.ts';
import { permissionsOfRole, wantedPermissions } from '../role/permissions.ts';
import {
  AddRolePermission,
  CreateOrganizationRole,
  presentRole,
  presentRoles,
  Role,
  RoleList,
  SetRolePermissions,
  UpdateOrganizationRole,
} from '../role/schema.ts';
import { slugFor, stageOrganizationRole, stageOrganizationRoleChange } from './stage.ts';
import { loadRoles, type OrganizationRoles } from './load.ts';

export const organizationRoleNotFound = notFound('role of this organization', 'not_found', 'slug');

const slugConflict = declareError({
  status: 409,
  code: 'organization_role_slug_conflict',
  message: 'A role of this organization has this slug. Use another slug, or update that role.',
});

const permissionNotHeld = notFound('permission of this role', 'not_found', 'slug');

/**
 * The roles of an existing organization, by three GetItems in parallel.
 * @throws Failure if it does not exist
 */
export async function rolesOfOrganization(
  environmentId: string,
  organizationId: string,
  fail: (error: typeof organizationNotFound) => Failure,
): Promise<OrganizationRoles> {
  const [organization, roles] = await awaitAll([
    findOrganization(environmentId, organizationId),
    loadRoles(environmentId, organizationId),
  ]);
  if (organization === undefined) throw fail(organizationNotFound);
  return roles;
}

/**
 * Returns a role of the organization itself. @throws Failure if the role is one of the environment, or does not exist
 */
export function ownRole(
  { rolesBySlug }: OrganizationRoles,
  slug: string,
  fail: (error: typeof organizationRoleNotFound | typeof badRequest, details?: FailureDetails) => Failure,
): RoleModel {
  const role = rolesBySlug.get(slug);
  if (role === undefined) throw fail(organizationRoleNotFound);
  if (role.kind === 'OrganizationRole') return role;
  const message =
    'This is a role of the environment: it cannot be changed through an organization. Use /authorization/roles.';
  throw fail(badRequest, { message });
}

export const listOrganizationRoles = operation({
  id: 'organization_roles.list',
  method: 'GET',
  path: '/authorization/organizations/{organizationId}/roles',
  summary: 'List the roles that memberships of an organization can have, the highest priority first',
  description: 'Lists the roles of the organization and those of the environment.',
  auth: keyOrGrant(inPath('organizationId')),
  operator: 'config.read',
  etag: true,
  responses: { 200: RoleList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const { roles } = await rolesOfOrganization(environmentId, params.organizationId, fail);
    return { status: 200, body: presentRoles([...roles.values()]) };
  },
});

const getOrganizationRole = operation({
  id: 'organization_roles.get',
  method: 'GET',
  path: '/authorization/organizations/{organizationId}/roles/{slug}',
  summary: 'Get a role of an organization or of the environment',
  auth: apiKey,
  operator: 'config.read',
  etag: true,
  responses: { 200: Role },
  errors: [organizationNotFound, organizationRoleNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, fail }) {
    const { rolesBySlug } = await rolesOfOrganization(environmentId, params.organizationId, fail);
    const role = rolesBySlug.get(params.slug);
    if (role === undefined) throw fail(organizationRoleNotFound);
    return { status: 200, body: presentRole(role) };
  },
});

const createOrganizationRole = operation({
  id: 'organization_roles.create',
  method: 'POST',
  path: '/authorization/organizations/{organizationId}/roles',
  summary: 'Create a role of an organization',
  description:
    'Its slug begins with `org-`; without one it is generated from the name. It is the last in the ' +
    'organization’s priority order. With its first own role an organization gets a priority order and a default ' +
    'role of its own. An organization has at most ' +
    `${MAX_ORGANIZATION_ROLES} roles.`,
  auth: apiKey,
  operator: 'config.change',
  body: CreateOrganizationRole,
  responses: { 201: Role },
  errors: [organizationNotFound, resourceTypeNotFound, slugConflict],
  emits: ['organization_role.created'],
  errorForm: messagesWithBadRequest,
  idempotency: 'replay',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const { organizationId } = params;
    const roles = await rolesOfOrganization(environmentId, organizationId, fail);
    const { name, description, resource_type_slug: resourceType, slug = slugFor(name) } = body;
    if (roles.rolesBySlug.has(slug)) throw fail(slugConflict);
    if (!isUsableType(roles.model, resourceType)) throw fail(resourceTypeNotFound);
    if (roles.own.records.length >= MAX_ORGANIZATION_ROLES) {
      throw invalid([tooMany('slug', MAX_ORGANIZATION_ROLES, 'roles of an organization')]);
    }
    const place = { environmentId, organizationId };
    const role = stageOrganizationRole(unit, place, roles, { slug, name, description, resourceType });
    return { status: 201, body: presentRole(role) };
  },
});

const updateOrganizationRole = operation({
  id: 'organization_roles.update',
  method: 'PATCH',
  path: '/authorization/organizations/{organizationId}/roles/{slug}',
  summary: 'Update the name or the description of a role of an organization',
  auth: apiKey,
  operator: 'config.change',
  ifMatch: getOrganizationRole,
  body: UpdateOrganizationRole,
  responses: { 200: Role },
  errors: [organizationNotFound, organizationRoleNotFound, badRequest],
  emits: ['organization_role.updated'],
  errorForm: messagesWithBadRequest,
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail }) {
    const { organizationId } = params;
    const roles = await rolesOfOrganization(environmentId, organizationId, fail);
    const role = ownRole(roles, params.slug, fail);
    const next = stageOrganizationRoleChange(unit, { environmentId, organizationId }, roles, role, body);
    return { status: 200, body: presentRole(next) };
  },
});

const addOrganizationRolePermission = operation({
  id: 'organization_roles.add_permission',
  method: 'POST',
  path: '/authorization/organizations/{organizationId}/roles/{slug}/permissions',
  summary: 'Add a permission to a role of an organization',
  description:
    'Adding a permission that the role already has changes nothing. The permission is of the role’s resource type or of a type below it. A ' +
    `role has at most ${MAX_ROLE_PERMISSIONS} permissions.`,
  auth: apiKey,
  operator: 'config.change',
  body: AddRolePermission,
  responses: { 200: Role },
  errors: [organizationNotFound, organizationRoleNotFound, badRequest],
  emits: ['organization_role.updated'],
  errorForm: messagesWithBadRequest,
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const { organizationId } = params;
    const roles = await rolesOfOrganization(environmentId, organizationId, fail);
    const role = ownRole(roles, params.slug, fail);
    const where = { field: 'slug', kept: permissionsOfRole(roles.model, role) };
    const permissions = wantedPermissions(roles.model, role.resourceType, [body.slug], where, { fail, invalid });
    const place = { environmentId, organizationId };
    const next = stageOrganizationRoleChange(unit, place, roles, role, { permissions });
    return { status: 200, body: presentRole(next) };
  },
});

const setOrganizationRolePermissions = operation({
  id: 'organization_roles.set_permissions',
  method: 'PUT',
  path: '/authorization/organizations/{organizationId}/roles/{slug}/permissions',
  summary: 'Replace the permissions of a role of an organization',
  description: `A role has at most ${MAX_ROLE_PERMISSIONS} permissions, each of the role’s resource type or of a type below it.`,
  auth: apiKey,
  operator: 'config.change',
  ifMatch: getOrganizationRole,
  body: SetRolePermissions,
  responses: { 200: Role },
  errors: [organizationNotFound, organizationRoleNotFound, badRequest],
  emits: ['organization_role.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const { organizationId } = params;
    const roles = await rolesOfOrganization(environmentId, organizationId, fail);
    const role = ownRole(roles, params.slug, fail);
    const where = { field: 'permissions' };
    const permissions = wantedPermissions(roles.model, role.resourceType, body.permissions, where, { fail, invalid });
    const place = { environmentId, organizationId };
    const next = stageOrganizationRoleChange(unit, place, roles, role, { permissions });
    return { status: 200, body: presentRole(next) };
  },
});

const removeOrganizationRolePermission = operation({
  id: 'organization_roles.remove_permission',
  method: 'DELETE',
  path: '/authorization/organizations/{organizationId}/roles/{slug}/permissions/{permissionSlug}',
  summary: 'Remove a permission from a role of an organization',
  auth: apiKey,
  operator: 'config.change',
  responses: { 200: Role },
  errors: [organizationNotFound, organizationRoleNotFound, permissionNotHeld, badRequest],
  emits: ['organization_role.updated'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const { organizationId, permissionSlug } = params;
    const roles = await rolesOfOrganization(environmentId, organizationId, fail);
    const role = ownRole(roles, params.slug, fail);
    const held = permissionsOfRole(roles.model, role);
    const permissions = held.filter(({ slug }) => slug !== permissionSlug);
    if (permissions.length === held.length) throw fail(permissionNotHeld);
    const place = { environmentId, organizationId };
    const next = stageOrganizationRoleChange(unit, place, roles, role, { permissions });
    return { status: 200, body: presentRole(next) };
  },
});

export const organizationRoleOperations = [
  listOrganizationRoles,
  createOrganizationRole,
  getOrganizationRole,
  updateOrganizationRole,
  addOrganizationRolePermission,
  setOrganizationRolePermissions,
  removeOrganizationRolePermission,
] as const;
