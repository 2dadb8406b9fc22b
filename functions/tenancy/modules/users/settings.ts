import * as z from 'zod';

import type { SettingsSection } from '../../../kernel/environment-settings.ts';

const UserManagementSettings = z
  .object({
    multiple_roles: z.boolean().default(true).describe('Whether a membership may have several roles at once.'),
    email_change: z.boolean().default(true).describe('Whether a user’s email address may be changed.'),
    user_deletion: z.boolean().default(true).describe('Whether users can be deleted with the API.'),
  })
  .meta({ id: 'XUserManagementSettings' });

/** The body that replaces the settings. Their former member `roles` is rejected, because it would be lost silently. */
export const UpdateUserManagementSettings = UserManagementSettings.extend({
  roles: z
    .never('is no setting any more: create roles with POST /authorization/roles')
    .optional()
    .describe('Ignored: roles are records, not settings. See `POST /authorization/roles`.')
    .meta({ deprecated: true }),
}).meta({ id: 'XUpdateUserManagementSettings' });

/** The environment's settings for users and memberships. */
export const userManagementSettings: SettingsSection<typeof UserManagementSettings> = {
  name: 'user-management',
  schema: UserManagementSettings,
};
