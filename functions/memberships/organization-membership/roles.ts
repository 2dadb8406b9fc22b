import type { Failure } from '../../kernel/errors.ts';
import { settingsOf } from '../../kernel/environment-settings.ts';
import { invalidRole, multipleRolesNotEnabled } from './errors.ts';
import { userManagementSettings } from '../../users/public.ts';

/** The role of a membership that names none. Every environment has it; the contract leaves this open. */
export const DEFAULT_ROLE = 'member';

/** A role that memberships may have. */
export interface Role {
  slug: string;
  name: string;
}

const BUILT_IN: readonly Role[] = [
  { slug: DEFAULT_ROLE, name: 'Member' },
  { slug: 'admin', name: 'Admin' },
];

/**
 * Those of the named roles that memberships of an organization may have: the built-in ones and those of the environment's
 * settings. Nothing is read while the environment is remembered.
 */
export async function findRoles(
  environmentId: string,
  _organizationId: string,
  slugs: readonly string[],
): Promise<Role[]> {
  const { roles } = await settingsOf(environmentId, userManagementSettings);
  const known = [...BUILT_IN, ...roles.map(({ slug, name = slug }) => ({ slug, name }))];
  return known.filter(({ slug }, at) => slugs.includes(slug) && known.findIndex((role) => role.slug === slug) === at);
}

/**
 * The roles that a request gives a membership, each once; undefined when it names none.
 * @throws Failure for a role that is not there, or several where a membership has one
 */
export async function wantedRoles(
  { environmentId, organizationId }: { environmentId: string; organizationId: string },
  { role_slug, role_slugs }: { role_slug?: string | undefined; role_slugs?: readonly string[] | undefined },
  fail: (
    error: typeof invalidRole | typeof multipleRolesNotEnabled,
    details?: { members: Record<string, unknown> },
  ) => Failure,
): Promise<string[] | undefined> {
  const named = role_slugs ?? (role_slug === undefined ? undefined : [role_slug]);
  if (named === undefined) return undefined;
  const slugs = [...new Set(named)];
  const [known, { multiple_roles: mayBeSeveral }] = await Promise.all([
    findRoles(environmentId, organizationId, slugs),
    settingsOf(environmentId, userManagementSettings),
  ]);
  const unknown = slugs.find((slug) => !known.some((role) => role.slug === slug));
  if (unknown !== undefined) throw fail(invalidRole, { members: { role_slug: unknown } });
  if (slugs.length > 1 && !mayBeSeveral) throw fail(multipleRolesNotEnabled);
  return slugs;
}
