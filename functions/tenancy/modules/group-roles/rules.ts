import * as z from 'zod';

import { isOperatorsEnvironment } from '../../../kernel/authentication/environment-id.ts';

/** The role of a group of an identity provider or directory. */
export const GroupRole = z.object({
  group: z.string().min(1).max(512).describe('The group’s name as the provider sends it, or its id.'),
  role_slug: z.string().min(1).max(255),
});

/** Roles by group; an earlier entry has a higher priority. */
export type GroupRoles = readonly z.output<typeof GroupRole>[];

/** The role that no group of a provider or directory gives on the environment of the operators, so that none of them makes an owner. */
const OWNER = 'owner';

/**
 * The roles that groups give in an environment. If a membership can have one role, it is that of the first entry that matches; otherwise all
 * matching entries give theirs. The result is empty if none matches, and then the default role applies.
 */
export function rolesOfGroups(
  environmentId: string,
  mapping: GroupRoles,
  groups: readonly string[],
  { multiple }: { multiple: boolean },
) {
  const held = new Set(groups);
  const isOfOperators = isOperatorsEnvironment(environmentId);
  const given = mapping.filter(({ group, role_slug: slug }) => held.has(group) && !(isOfOperators && slug === OWNER));
  const slugs = [...new Set(given.map(({ role_slug: slug }) => slug))];
  return multiple ? slugs : slugs.slice(0, 1);
}
