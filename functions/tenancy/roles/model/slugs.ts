import * as z from 'zod';

/** Maximum length of slugs and names in this area. */
const MAX_SLUG = 48;

/** The display name of a type, permission or role. */
export const displayName = z.string().trim().min(1).max(48);

/** A description of a type, permission or role; null clears it. */
export const shortDescription = z.string().max(150).nullable();

/** The slug of a resource type. */
export const typeSlug = z
  .string()
  .min(1)
  .max(MAX_SLUG)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'may only have lower-case letters, digits, dashes and underscores');

/** The slug of a permission. `*` is a character like any other: a permission is never a pattern. */
export const permissionSlug = z
  .string()
  .min(1)
  .max(MAX_SLUG)
  .regex(/^[a-z0-9_:.*-]+$/, 'may only have lower-case letters, digits and the characters - _ : . *')
  // Clients resolve such segments of a path, so the permission could not be part of a path.
  .refine((slug) => !/^\.{1,2}$/.test(slug), 'must not be "." or ".."');

/** The slug of an environment role. The prefix of organization roles is excluded, so no slug names two roles. */
export const environmentRoleSlug = z
  .string()
  .min(1)
  .max(MAX_SLUG)
  .regex(/^[a-z0-9][a-z0-9_-]*$/, 'may only have lower-case letters, digits, dashes and underscores')
  .refine((slug) => !slug.startsWith('org-'), 'must not begin with "org-", the prefix of organization roles');

/** The slug of an organization role. */
export const organizationRoleSlug = z
  .string()
  .max(MAX_SLUG)
  .regex(
    /^org-[a-z0-9_-]+$/,
    'must begin with "org-" and may only have lower-case letters, digits, dashes and underscores',
  );
