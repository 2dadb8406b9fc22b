import type { Role } from '../model/compiled.ts';

/** The permissions that roles have together, by their slugs in alphabetical order, each once. */
export function permissionsOfRoles(roles: readonly Role[]): string[] {
  return [...new Set(roles.flatMap(({ permissions }) => permissions))].toSorted();
}
