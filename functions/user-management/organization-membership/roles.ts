import { settingsOf } from '../../kernel/environment-settings.ts';
import { userManagementSettings } from '../settings.ts';

/** The role of a membership that names none: always there (contract: gaps.md). */
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
