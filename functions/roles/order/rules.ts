import type { Issue } from '../../kernel/errors.ts';
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
