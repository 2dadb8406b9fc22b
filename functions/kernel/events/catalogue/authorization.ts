import * as z from 'zod';
import type { EventFamily } from './family.ts';
import { text, textOrNull, texts, timestamp } from './values.ts';

const RoleRecord = z.object({
  object: z.literal('role'),
  slug: text,
  resource_type_slug: text,
  permissions: texts.optional(),
  created_at: timestamp,
  updated_at: timestamp,
});

const OrganizationRoleRecord = z.object({
  object: z.literal('organization_role'),
  organization_id: text,
  slug: text,
  name: text,
  description: textOrNull,
  resource_type_slug: text,
  permissions: texts,
  created_at: timestamp,
  updated_at: timestamp,
});

const PermissionRecord = z.object({
  object: z.literal('permission'),
  id: text,
  slug: text,
  name: text,
  description: textOrNull,
  system: z.boolean(),
  resource_type_slug: text,
  created_at: timestamp,
  updated_at: timestamp,
});

/** Roles of the environment and of organizations, and permissions. */
export const authorizationEvents = {
  'organization_role.created': { data: OrganizationRoleRecord, subscribable: true },
  'organization_role.deleted': { data: OrganizationRoleRecord, subscribable: true },
  'organization_role.updated': { data: OrganizationRoleRecord, subscribable: true },
  'permission.created': { data: PermissionRecord, subscribable: true },
  'permission.deleted': { data: PermissionRecord, subscribable: true },
  'permission.updated': { data: PermissionRecord, subscribable: true },
  'role.created': { data: RoleRecord, subscribable: true },
  'role.deleted': { data: RoleRecord, subscribable: true },
  'role.updated': { data: RoleRecord, subscribable: true },
} as const satisfies EventFamily<'organization_role.' | 'permission.' | 'role.'>;
