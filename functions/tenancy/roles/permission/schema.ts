import * as z from 'zod';

import { listSchema, pageMembers } from '../../../kernel/pagination.ts';
import { timestamp } from '../../../kernel/values.ts';
import { ORGANIZATION_TYPE, type Permission } from '../model/compiled.ts';
import { displayName, permissionSlug, shortDescription, typeSlug } from '../model/slugs.ts';

export const AuthorizationPermission = z
  .object({
    object: z.literal('permission'),
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    system: z.boolean().describe('True for a permission of the service, which cannot be changed or deleted.'),
    resource_type_slug: z.string().describe('The type of the resources that the permission is for.'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'AuthorizationPermission' });

export const AuthorizationPermissionList = listSchema(AuthorizationPermission).meta({
  id: 'AuthorizationPermissionList',
});

export const CreatePermission = z
  .object({
    slug: permissionSlug,
    name: displayName,
    description: shortDescription.optional(),
    resource_type_slug: typeSlug
      .default(ORGANIZATION_TYPE)
      .describe('The type of the resources that the permission is for.'),
  })
  .meta({ id: 'CreateAuthorizationPermissionDto' });

export const UpdatePermission = z
  .object({ name: displayName.optional(), description: shortDescription.optional() })
  .meta({ id: 'UpdateAuthorizationPermissionDto' });

export const ListPermissions = z.object({
  ...pageMembers('perm'),
  resource_type_slug: typeSlug.optional().describe('Selects the permissions of this resource type.'),
});

/** A permission as callers and events see it. */
export function presentPermission(permission: Permission): z.output<typeof AuthorizationPermission> {
  const { id, slug, name, description, isSystem, resourceType, createdAt, updatedAt } = permission;
  return {
    object: 'permission',
    id,
    slug,
    name,
    description: description ?? null,
    system: isSystem,
    resource_type_slug: resourceType,
    created_at: createdAt,
    updated_at: updatedAt,
  };
}
