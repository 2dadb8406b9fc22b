import * as z from 'zod';

import type { SettingsSection } from '../kernel/environment-settings.ts';

/** A role's name as memberships and tokens give it. */
export const roleSlug = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'may only have lower-case letters, digits, dashes and underscores');

export const UserManagementSettings = z
  .object({
    roles: z
      .array(z.object({ slug: roleSlug, name: z.string().trim().min(1).max(100).optional() }))
      .max(100)
      .default([])
      .describe('Roles that memberships may have in addition to the built-in `member` and `admin`.'),
    multiple_roles: z.boolean().default(true).describe('Whether a membership may have several roles at once.'),
    email_change: z.boolean().default(true).describe('Whether a user’s email address may be changed.'),
    user_deletion: z.boolean().default(true).describe('Whether users may be deleted over the API.'),
  })
  .meta({ id: 'XUserManagementSettings' });

/** The environment's settings for users and memberships. */
export const userManagementSettings: SettingsSection<typeof UserManagementSettings> = {
  name: 'user-management',
  schema: UserManagementSettings,
};
