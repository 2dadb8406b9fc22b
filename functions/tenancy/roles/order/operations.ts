import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { operation } from '../../../kernel/operation.ts';
import { organizationNotFound } from '../../organizations/public.ts';
import { writeOrder } from '../document/plan.ts';
import { MEMBER_ROLE } from '../model/compiled.ts';
import { badRequest } from '../model/errors.ts';
import { modelForChange, stageModel } from '../model/stage.ts';
import { listOrganizationRoles, rolesOfOrganization } from '../organization-role/operations.ts';
import { stageOrder } from '../organization-role/stage.ts';
import { listRoles, roleNotFound } from '../role/operations.ts';
import { stageRoleRemoval } from '../role/removal.ts';
import { presentRole, presentRoles, Role, RoleList } from '../role/schema.ts';
import { defaultRoleIssues, readOrder, replacementIssues } from './rules.ts';
import { DeleteRoleQuery, SetDefaultRole, SetPriority } from './schema.ts';

const setRolePriority = operation({
  id: 'roles.set_priority',
  method: 'PUT',
  path: '/x/authorization/roles/priority',
  summary: 'Set the order of priority of the environment’s roles',
  description:
    'It applies to organizations without an order of their own. An organization gets its own order with its first own role, or when its order or default role is set. A membership shows the new ' +
    'order after the next change of its roles, a token after the next sign-in or refresh. Checks use it at once.',
  auth: apiKey,
  operator: 'config.change',
  ifMatch: listRoles,
  body: SetPriority,
  responses: { 200: RoleList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, invalid }) {
    const model = await modelForChange(environmentId);
    const { ids, issues } = readOrder([...model.roles.values()], body.role_slugs);
    if (issues.length > 0) throw invalid(issues);
    const order = { roleIds: ids, defaultRoleId: model.defaultRole.id };
    stageModel(unit, environmentId, model, [writeOrder(environmentId, model, order)]);
    return { status: 200, body: presentRoles(ids.flatMap((id) => model.roles.get(id) ?? [])) };
  },
});

const setDefaultRole = operation({
  id: 'roles.set_default',
  method: 'PUT',
  path: '/x/authorization/default_role',
  summary: 'Set the default role of memberships',
  description:
    'New memberships without a role get it in organizations without a default role of their own. An organization gets its own default role with its first own role, or when its default role or order is set.',
  auth: apiKey,
  operator: 'config.change',
  body: SetDefaultRole,
  responses: { 200: Role },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, body, unit, invalid }) {
    const model = await modelForChange(environmentId);
    const role = model.rolesBySlug.get(body.role_slug);
    const issues = defaultRoleIssues(role);
    if (issues.length > 0 || role === undefined) throw invalid(issues);
    const order = { roleIds: [...model.roles.keys()], defaultRoleId: role.id };
    stageModel(unit, environmentId, model, [writeOrder(environmentId, model, order)]);
    return { status: 200, body: presentRole(role) };
  },
});

const setOrganizationRolePriority = operation({
  id: 'organization_roles.set_priority',
  method: 'PUT',
  path: '/authorization/organizations/{organizationId}/roles/priority',
  beyondContract: true,
  summary: 'Set the order of priority of an organization’s roles',
  description:
    'From then on the organization has its own order, and its own default role, which is at first the one that applied before.',
  auth: apiKey,
  operator: 'config.change',
  ifMatch: listOrganizationRoles,
  body: SetPriority,
  responses: { 200: RoleList },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const { organizationId } = params;
    const roles = await rolesOfOrganization(environmentId, organizationId, fail);
    const { ids, issues } = readOrder([...roles.roles.values()], body.role_slugs);
    if (issues.length > 0) throw invalid(issues);
    stageOrder(unit, { environmentId, organizationId }, roles, { roleIds: ids });
    return { status: 200, body: presentRoles(ids.flatMap((id) => roles.roles.get(id) ?? [])) };
  },
});

const setOrganizationDefaultRole = operation({
  id: 'organization_roles.set_default',
  method: 'PUT',
  path: '/x/authorization/organizations/{organizationId}/default_role',
  summary: 'Set the default role of an organization’s memberships',
  description:
    'From then on the organization has its own default role, and its own order of priority, which is at first the one that applied before.',
  auth: apiKey,
  operator: 'config.change',
  body: SetDefaultRole,
  responses: { 200: Role },
  errors: [organizationNotFound],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, params, body, unit, fail, invalid }) {
    const { organizationId } = params;
    const roles = await rolesOfOrganization(environmentId, organizationId, fail);
    const role = roles.rolesBySlug.get(body.role_slug);
    const issues = defaultRoleIssues(role);
    if (issues.length > 0 || role === undefined) throw invalid(issues);
    stageOrder(unit, { environmentId, organizationId }, roles, { defaultRoleId: role.id });
    return { status: 200, body: presentRole(role) };
  },
});

const deleteRole = operation({
  id: 'roles.delete',
  method: 'DELETE',
  path: '/x/authorization/roles/{slug}',
  summary: 'Delete a role of the environment',
  description:
    `The role has no permissions once this response is sent; lists of memberships are updated in the background. \`${MEMBER_ROLE}\` and the default role cannot ` +
    'be deleted.',
  auth: apiKey,
  operator: 'config.change',
  query: DeleteRoleQuery,
  responses: { 204: null },
  errors: [roleNotFound, badRequest],
  emits: ['role.deleted'],
  idempotency: 'none',
  async handle({ environmentId, params, query, unit, fail, invalid }) {
    const model = await modelForChange(environmentId);
    const role = model.rolesBySlug.get(params.slug);
    if (role === undefined) throw fail(roleNotFound);
    if (role.slug === MEMBER_ROLE) throw fail(badRequest, { message: `The role ${MEMBER_ROLE} is always there.` });
    if (role.id === model.defaultRole.id) {
      throw fail(badRequest, { message: 'The role is the default role. Set another default role first.' });
    }
    const replacement = query.replacement === undefined ? undefined : model.rolesBySlug.get(query.replacement);
    const issues = query.replacement === undefined ? [] : replacementIssues(role, replacement);
    if (issues.length > 0) throw invalid(issues);
    stageModel(unit, environmentId, model, stageRoleRemoval(unit, environmentId, model, role, replacement));
    return { status: 204 };
  },
});

export const orderOperations = [
  setRolePriority,
  setDefaultRole,
  setOrganizationRolePriority,
  setOrganizationDefaultRole,
  deleteRole,
] as const;
