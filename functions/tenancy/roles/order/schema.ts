import * as z from 'zod';

const slug = z.string().min(1).max(64);

export const SetPriority = z
  .object({
    role_slugs: z
      .array(slug)
      .min(1)
      .max(300)
      .describe('The slugs, the highest priority first. Roles that are not listed follow in their present order.'),
  })
  .meta({ id: 'XSetRolePriority' });

export const SetDefaultRole = z
  .object({ role_slug: slug.describe('A role of the type `organization`.') })
  .meta({ id: 'XSetDefaultRole' });

export const DeleteRoleQuery = z.object({
  replacement: slug
    .optional()
    .describe(
      'The slug of the role that memberships with the deleted role get instead; groups get none. Only for a role of the type `organization`. Without it memberships keep their other roles, or get the default role.',
    ),
});
