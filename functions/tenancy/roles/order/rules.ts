import type { Issue } from '../../../kernel/errors.ts';
import { ORGANIZATION_TYPE, type Role } from '../model/compiled.ts';

/** The ids of all roles in a new order: the named ones first, then the others in their current order. */
export function readOrder(roles: readonly Role[], slugs: readonly string[]): { ids: string[]; issues: Issue[] } {
  const bySlug = new Map(roles.map((role) => [role.slug, role.id]));
  const unknown = slugs.filter((slug) => !bySlug.has(slug));
  const issues = unknown.map((slug) => ({
    field: 'role_slugs',
    code: 'invalid_value',
    message: `names no role: ${slug}`,
  }));
  const named = slugs.flatMap((slug) => bySlug.get(slug) ?? []);
  return { ids: [...new Set([...named, ...roles.map(({ id }) => id)])], issues };
}

/** The issue of a default role that organizations cannot assign. */
export function defaultRoleIssues(role: Role | undefined): Issue[] {
  if (role?.resourceType === ORGANIZATION_TYPE) return [];
  const message = role === undefined ? 'names no role' : 'is a role on resources below the organization';
  return [{ field: 'role_slug', code: 'invalid_value', message }];
}

/**
 * The issue of a replacement of a deleted role. Only the roles of memberships at their organization are replaced, so a
 * replacement of a role on other resources would have no effect.
 */
export function replacementIssues(role: Role, replacement: Role | undefined): Issue[] {
  const isReplaceable = role.resourceType === ORGANIZATION_TYPE;
  if (isReplaceable && replacement?.resourceType === ORGANIZATION_TYPE && replacement.id !== role.id) return [];
  const message = isReplaceable
    ? `names no other role of the environment of the type ${ORGANIZATION_TYPE}`
    : `is possible only for a role of the type ${ORGANIZATION_TYPE}. Assign another role on the resources instead`;
  return [{ field: 'replacement', code: 'invalid_value', message }];
}
