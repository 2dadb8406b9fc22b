import * as z from 'zod';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { importedId, importKind, type ImportKind, lineRejections, lineFailure } from '../../../kernel/import.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { findOrganization } from '../../organizations/public.ts';
import { toDocument } from '../document/operations.ts';
import { writeOrder } from '../document/plan.ts';
import { issuesOf } from '../document/rules.ts';
import { DocumentPermission, DocumentRole, DocumentType } from '../document/schema.ts';
import { MEMBER_ROLE, type Model, type Permission } from '../model/compiled.ts';
import { modelRows, typeRowId } from '../model/entity.ts';
import { MAX_ENVIRONMENT_ROLES, MAX_ORGANIZATION_ROLES, MAX_PERMISSIONS, MAX_TYPES } from '../model/rules.ts';
import { organizationRoleSlug } from '../model/slugs.ts';
import { isUsableType, modelForChange, stageModel, tooMany } from '../model/stage.ts';
import { loadRoles, type OrganizationRoles } from '../organization-role/load.ts';
import { stageOrder, stageOrganizationRole } from '../organization-role/stage.ts';
import { defaultRoleIssues, readOrder } from '../order/rules.ts';
import { newPermission } from '../permission/operations.ts';
import { presentPermission } from '../permission/schema.ts';
import { wantedPermissions } from '../role/permissions.ts';
import { rolePayload } from '../role/schema.ts';
import { newRole, stageRoleChange } from '../role/stage.ts';

const ResourceTypeLine = DocumentType.extend({ object: z.literal('resource_type') });
const PermissionLine = DocumentPermission.extend({
  object: z.literal('permission'),
  id: importedId('perm').optional(),
});
const RoleLine = DocumentRole.extend({ object: z.literal('role'), id: importedId('role').optional() });
const OrganizationRoleLine = DocumentRole.extend({
  object: z.literal('organization_role'),
  id: importedId('role').optional(),
  organization_id: z.string().min(1).max(255),
  slug: organizationRoleSlug,
});
const RoleOrderLine = z.object({
  object: z.literal('role_order'),
  organization_id: z.string().min(1).max(255).optional(),
  role_slugs: z
    .array(z.string().min(1).max(64))
    .min(1)
    .max(MAX_ENVIRONMENT_ROLES + MAX_ORGANIZATION_ROLES),
  default_role: z.string().min(1).max(64),
});

/** Slugs of the roles that every environment has, without permissions, before anything is imported. */
const FIRST_SLUGS: readonly string[] = [MEMBER_ROLE, 'admin'];

/**
 * Checks the id of a line.
 * @throws Failure for an id that a record with another slug has
 */
function checkId(known: { slug: string } | undefined, slug: string): void {
  if (known !== undefined && known.slug !== slug) throw lineFailure(`id: it is that of ${known.slug}`);
}

function checkType(model: Model, slug: string): void {
  if (!isUsableType(model, slug))
    throw lineFailure(`resource_type_slug: there is no resource type ${slug}; import it first`);
}

const permissionsNamed = (model: Model, { resource_type_slug: type, permissions }: z.output<typeof RoleLine>) =>
  wantedPermissions(model, type, permissions, { field: 'permissions' }, lineRejections);

async function takeType(unit: Unit, environmentId: string, line: z.output<typeof ResourceTypeLine>): Promise<boolean> {
  const model = await modelForChange(environmentId);
  const { slug, name, description, parents } = line;
  const known = model.types.get(slug);
  if (known?.isLeaving === true) throw lineFailure(`slug: ${slug} is being removed; import it when it is gone`);
  if (known !== undefined) return false;
  if (model.types.size > MAX_TYPES) throw lineRejections.invalid([tooMany('slug', MAX_TYPES, 'resource types')]);
  const former = toDocument(model);
  const issues = issuesOf({ ...former, resource_types: [...former.resource_types, line] }, model);
  if (issues.length > 0) throw lineRejections.invalid(issues);
  const row = {
    kind: 'type' as const,
    environmentId,
    id: typeRowId(slug),
    slug,
    name,
    parentTypes: [...new Set(parents)],
  };
  stageModel(unit, environmentId, model, [modelRows.create({ ...row, description: description ?? undefined }).write]);
  return true;
}

async function takePermission(
  unit: Unit,
  environmentId: string,
  { id, slug, name, description, resource_type_slug: resourceType }: z.output<typeof PermissionLine>,
): Promise<boolean> {
  const model = await modelForChange(environmentId);
  checkId(id === undefined ? undefined : model.permissions.get(id), slug);
  if (model.permissionsBySlug.has(slug)) return false;
  checkType(model, resourceType);
  const own = [...model.permissions.values()].filter(({ isSystem }) => !isSystem);
  if (own.length >= MAX_PERMISSIONS) throw lineRejections.invalid([tooMany('slug', MAX_PERMISSIONS, 'permissions')]);
  const { permission, write } = newPermission(environmentId, { slug, name, description, resourceType }, id);
  stageModel(unit, environmentId, model, [write]);
  unit.emit('permission.created', presentPermission(permission));
  return true;
}

async function takeRole(unit: Unit, environmentId: string, line: z.output<typeof RoleLine>): Promise<boolean> {
  const model = await modelForChange(environmentId);
  const { id, slug, name, description, resource_type_slug: resourceType } = line;
  checkId(id === undefined ? undefined : model.roles.get(id), slug);
  const permissions: Permission[] = permissionsNamed(model, line);
  const known = model.rolesBySlug.get(slug);
  if (known !== undefined) {
    const isEmpty = FIRST_SLUGS.includes(slug) && known.permissionIds.size === 0;
    if (!isEmpty || permissions.length === 0) return false;
    stageRoleChange(unit, environmentId, model, known, { permissions });
    return true;
  }
  checkType(model, resourceType);
  if (model.roles.size >= MAX_ENVIRONMENT_ROLES) {
    throw lineRejections.invalid([tooMany('slug', MAX_ENVIRONMENT_ROLES, 'environment roles')]);
  }
  const { role, write } = newRole(environmentId, { slug, name, description, resourceType, permissions }, id);
  stageModel(unit, environmentId, model, [write]);
  unit.emit('role.created', rolePayload(role));
  return true;
}

async function rolesHere(environmentId: string, organizationId: string): Promise<OrganizationRoles> {
  const [organization, roles] = await awaitAll([
    findOrganization(environmentId, organizationId),
    loadRoles(environmentId, organizationId),
  ]);
  if (organization === undefined) throw lineFailure(`organization_id: there is no organization ${organizationId}`);
  return roles;
}

async function takeOrganizationRole(
  unit: Unit,
  environmentId: string,
  line: z.output<typeof OrganizationRoleLine>,
): Promise<boolean> {
  const { id, organization_id: organizationId, slug, name, description, resource_type_slug: resourceType } = line;
  const roles = await rolesHere(environmentId, organizationId);
  checkId(id === undefined ? undefined : roles.roles.get(id), slug);
  if (roles.rolesBySlug.has(slug)) return false;
  checkType(roles.model, resourceType);
  if (roles.own.records.length >= MAX_ORGANIZATION_ROLES) {
    throw lineRejections.invalid([tooMany('slug', MAX_ORGANIZATION_ROLES, 'roles of an organization')]);
  }
  const permissions = permissionsNamed(roles.model, { ...line, object: 'role' });
  const role = { slug, name, description, resourceType, permissions };
  stageOrganizationRole(unit, { environmentId, organizationId }, roles, role, id);
  return true;
}

/** Changes the order and the default role to those of a line, unless they are the same. */
function makeChange(
  roles: Pick<OrganizationRoles, 'roles' | 'rolesBySlug' | 'defaultRole'>,
  { role_slugs: slugs, default_role: slug }: z.output<typeof RoleOrderLine>,
): { roleIds: string[]; defaultRoleId: string } | undefined {
  const { ids, issues } = readOrder([...roles.roles.values()], slugs);
  const chosen = roles.rolesBySlug.get(slug);
  const all = [...issues, ...defaultRoleIssues(chosen)];
  if (all.length > 0 || chosen === undefined) throw lineRejections.invalid(all);
  const isSame = chosen.id === roles.defaultRole.id && [...roles.roles.keys()].every((id, at) => id === ids[at]);
  return isSame ? undefined : { roleIds: ids, defaultRoleId: chosen.id };
}

async function takeOrder(unit: Unit, environmentId: string, line: z.output<typeof RoleOrderLine>): Promise<boolean> {
  const { organization_id: organizationId } = line;
  if (organizationId !== undefined) {
    const roles = await rolesHere(environmentId, organizationId);
    const change = makeChange(roles, line);
    if (change !== undefined) stageOrder(unit, { environmentId, organizationId }, roles, change);
    return change !== undefined;
  }
  const model = await modelForChange(environmentId);
  const change = makeChange(model, line);
  if (change !== undefined) stageModel(unit, environmentId, model, [writeOrder(environmentId, model, change)]);
  return change !== undefined;
}

/** The lines of a model and of organizations' roles. */
export const roleKinds: readonly ImportKind[] = [
  importKind('resource_type', ResourceTypeLine, takeType),
  importKind('permission', PermissionLine, takePermission),
  importKind('role', RoleLine, takeRole),
  importKind('organization_role', OrganizationRoleLine, takeOrganizationRole),
  importKind('role_order', RoleOrderLine, takeOrder),
];
