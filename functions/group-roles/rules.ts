import * as z from 'zod';

/** The role of a group of an identity provider or directory. */
export const GroupRole = z.object({
  group: z.string().min(1).max(512).describe('The group’s name as the provider sends it, or its id.'),
  role_slug: z.string().min(1).max(255),
});

/** Roles by group; an earlier entry has a higher priority. */
export type GroupRoles = readonly z.output<typeof GroupRole>[];

/**
 * The roles that groups give. If a membership can have one role, it is that of the first entry that matches; otherwise all
 * matching entries give theirs. The result is empty if none matches, and then the default role applies.
 */
export function rolesOfGroups(mapping: GroupRoles, groups: readonly string[], { multiple }: { multiple: boolean }) {
  const held = new Set(groups);
  const slugs = [...new Set(mapping.filter(({ group }) => held.has(group)).map(({ role_slug: slug }) => slug))];
  return multiple ? slugs : slugs.slice(0, 1);
}
