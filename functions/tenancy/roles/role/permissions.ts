import { isDeepStrictEqual } from 'node:util';

import type { Failure, FailureDetails, Issue } from '../../../kernel/errors.ts';
import { MAX_ROLE_PERMISSIONS } from '../model/rules.ts';
import type { Model, Permission, Role } from '../model/compiled.ts';
import { badRequest } from '../model/errors.ts';

/** The errors for a role's permissions. */
export interface PermissionRejections {
  fail: (error: typeof badRequest, details?: FailureDetails) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

/** The full permissions of a role: those that the model has. */
export const permissionsOfRole = (model: Model, role: Role): Permission[] =>
  [...role.permissionIds].flatMap((id) => model.permissions.get(id) ?? []);

/**
 * The permissions of a role in a request.
 * @param field the member that contains them; for a list, `permissions`
 * @throws Failure for an unknown one, too many, or one that is neither of the role's type nor of a type below it
 */
export function wantedPermissions(
  model: Model,
  resourceType: string,
  slugs: readonly string[],
  { field, kept = [] }: { field: string; kept?: readonly Permission[] },
  { fail, invalid }: PermissionRejections,
): Permission[] {
  const unknown = slugs.filter((slug) => !model.permissionsBySlug.has(slug));
  if (unknown.length > 0) {
    throw invalid(
      unknown.map((slug) => ({
        field,
        code: 'invalid_value',
        message: `names no permission of this environment: ${slug}`,
      })),
    );
  }
  const named = slugs.flatMap((slug) => model.permissionsBySlug.get(slug) ?? []);
  const other = named.find((permission) => !model.isWithin(permission.resourceType, resourceType));
  if (other !== undefined) {
    const message =
      `The permission ${other.slug} is of the type ${other.resourceType}, which is neither the role's type, ` +
      `${resourceType}, nor below it.`;
    throw fail(badRequest, { message });
  }
  const all = [...new Map([...kept, ...named].map((permission) => [permission.id, permission])).values()];
  if (all.length > MAX_ROLE_PERMISSIONS) {
    const message = `gives the role more than ${MAX_ROLE_PERMISSIONS} permissions, as many as a role can have`;
    throw invalid([{ field, code: 'too_big', message }]);
  }
  return all;
}

/**
 * The ids of permissions in the row of a changed role. Permissions that the model no longer has are kept:
 * `roles.remove_permission` removes them with an event.
 */
export function storedPermissionIds(model: Model, formerIds: unknown, next: Role): string[] {
  const former = (formerIds ?? []) as string[];
  const known = former.filter((id) => model.permissions.has(id));
  if (isDeepStrictEqual(known, [...next.permissionIds])) return former;
  return [...next.permissionIds, ...former.filter((id) => !model.permissions.has(id))];
}

/** A role with other permissions, for a response and an event. */
export const withPermissions = (role: Role, permissions: readonly Permission[], updatedAt: string): Role => ({
  ...role,
  permissionIds: new Set(permissions.map(({ id }) => id)),
  permissions: permissions.map(({ slug }) => slug),
  updatedAt,
});
