import * as z from 'zod';

import { timestamp } from '../../../kernel/values.ts';
import { ORGANIZATION_TYPE, type Role as RoleModel } from '../model/compiled.ts';
import {
  displayName,
  environmentRoleSlug,
  organizationRoleSlug,
  permissionSlug,
  shortDescription,
  typeSlug,
} from '../model/slugs.ts';

export const Role = z
  .object({
    slug: z.string(),
    object: z.literal('role'),
    id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    type: z.enum(['EnvironmentRole', 'OrganizationRole']),
    resource_type_slug: z.string().describe('The type of the resources on which the role is assigned.'),
    permissions: z.array(z.string()),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Role' });

/** Roles in their order, the highest priority first. The list has no pages in the contract. */
export const RoleList = z.object({ object: z.literal('list'), data: z.array(Role) }).meta({ id: 'RoleList' });

const wanted = {
  name: displayName,
  description: shortDescription.optional(),
  resource_type_slug: typeSlug
    .default(ORGANIZATION_TYPE)
    .describe('The type of the resources on which the role is assigned.'),
};

export const CreateRole = z.object({ slug: environmentRoleSlug, ...wanted }).meta({ id: 'CreateRoleDto' });

export const CreateOrganizationRole = z
  .object({
    slug: organizationRoleSlug
      .optional()
      .describe('The slug: the name in calls and tokens. It must begin with `org-`, such as `org-billing-admin`.'),
    ...wanted,
  })
  .meta({ id: 'CreateOrganizationRoleDto' });

const changes = { name: displayName.optional(), description: shortDescription.optional() };
export const UpdateRole = z.object(changes).meta({ id: 'UpdateRoleDto' });
export const UpdateOrganizationRole = z.object(changes).meta({ id: 'UpdateOrganizationRoleDto' });

export const AddRolePermission = z.object({ slug: permissionSlug }).meta({ id: 'AddRolePermissionDto' });

export const SetRolePermissions = z
  .object({ permissions: z.array(permissionSlug).transform((slugs) => [...new Set(slugs)]) })
  .meta({ id: 'SetRolePermissionsDto' });

/** A role as callers see it. */
export const presentRole = (role: RoleModel): z.output<typeof Role> => ({
  slug: role.slug,
  object: 'role',
  id: role.id,
  name: role.name,
  description: role.description ?? null,
  type: role.kind,
  resource_type_slug: role.resourceType,
  permissions: [...role.permissions],
  created_at: role.createdAt,
  updated_at: role.updatedAt,
});

/** Roles as callers see them, in the given order. */
export const presentRoles = (roles: readonly RoleModel[]): z.output<typeof RoleList> => ({
  object: 'list',
  data: roles.map(presentRole),
});

/** An environment role as events contain it. */
export const rolePayload = (role: RoleModel) => ({
  object: 'role' as const,
  slug: role.slug,
  resource_type_slug: role.resourceType,
  permissions: [...role.permissions],
  created_at: role.createdAt,
  updated_at: role.updatedAt,
});

/** An organization role as events contain it. */
export const organizationRolePayload = (role: RoleModel) => ({
  object: 'organization_role' as const,
  organization_id: role.organizationId ?? '',
  slug: role.slug,
  name: role.name,
  description: role.description ?? null,
  resource_type_slug: role.resourceType,
  permissions: [...role.permissions],
  created_at: role.createdAt,
  updated_at: role.updatedAt,
});
