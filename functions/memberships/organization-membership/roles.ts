import type { Failure } from '../../kernel/errors.ts';
import { settingsOf } from '../../kernel/environment-settings.ts';
import { loadRoles, ORGANIZATION_TYPE, type Role } from '../../roles/public.ts';
import { userManagementSettings } from '../../users/public.ts';
import { invalidRole, multipleRolesNotEnabled, subResourceRoleNotAllowed } from './errors.ts';

/** The roles that an organization's memberships can have. */
export interface MembershipRoles {
  /** Roles of the type `organization` by slug, the highest priority first. */
  bySlug: ReadonlyMap<string, Role>;
  /** Slugs of roles that are assigned on resources below the organization only. */
  ofResources: ReadonlySet<string>;
  /** The role of a membership that is given none. */
  defaultRole: Role;
  /** Whether a membership may have several. */
  mayBeSeveral: boolean;
}

/**
 * The roles that an organization's memberships can have: one round trip while this instance has the model, see `loadRoles`.
 * Says nothing of the organization's existence.
 */
export async function rolesOfMemberships(environmentId: string, organizationId: string): Promise<MembershipRoles> {
  const [{ rolesBySlug, defaultRole }, { multiple_roles: mayBeSeveral }] = await Promise.all([
    loadRoles(environmentId, organizationId),
    settingsOf(environmentId, userManagementSettings),
  ]);
  const all = [...rolesBySlug.values()];
  const own = all.filter(({ resourceType }) => resourceType === ORGANIZATION_TYPE);
  return {
    bySlug: new Map(own.map((role) => [role.slug, role])),
    ofResources: new Set(all.filter((role) => !own.includes(role)).map(({ slug }) => slug)),
    defaultRole,
    mayBeSeveral,
  };
}

/** Slugs of roles in the organization's order, the highest priority first, each once. */
export function sortRoles({ bySlug }: MembershipRoles, slugs: readonly string[]): string[] {
  const order = [...bySlug.keys()];
  return [...new Set(slugs)].toSorted((one, other) => order.indexOf(one) - order.indexOf(other));
}

/**
 * The roles that a request gives a membership, in their order; undefined when it names none.
 * @throws Failure for a role that is not there or is for resources only, or several where a membership has one
 */
export function wantedRoles(
  roles: MembershipRoles,
  { role_slug, role_slugs }: { role_slug?: string | undefined; role_slugs?: readonly string[] | undefined },
  fail: (
    error: typeof invalidRole | typeof multipleRolesNotEnabled | typeof subResourceRoleNotAllowed,
    details?: { members: Record<string, unknown> },
  ) => Failure,
): string[] | undefined {
  const named = role_slugs ?? (role_slug === undefined ? undefined : [role_slug]);
  if (named === undefined) return undefined;
  const unknown = named.find((slug) => !roles.bySlug.has(slug));
  if (unknown !== undefined) {
    const error = roles.ofResources.has(unknown) ? subResourceRoleNotAllowed : invalidRole;
    throw fail(error, { members: { role_slug: unknown } });
  }
  const slugs = sortRoles(roles, named);
  if (slugs.length > 1 && !roles.mayBeSeveral) throw fail(multipleRolesNotEnabled);
  return slugs;
}
