import { awaitAll } from '../../../../kernel/concurrency.ts';
import type { Failure } from '../../../../kernel/errors.ts';
import { findSettings } from '../../../../kernel/environment-settings.ts';
import { loadRoles, ORGANIZATION_TYPE, type Role } from '../../../roles/public.ts';
import { userManagementSettings } from '../../users/public.ts';
import type { OrganizationMembershipRecord } from './entity.ts';
import { invalidRole, multipleRolesNotEnabled, subResourceRoleNotAllowed } from './errors.ts';

/** The roles that an organization's memberships can have. */
export interface MembershipRoles {
  /** Roles of the type `organization` by slug, the highest priority first. */
  bySlug: ReadonlyMap<string, Role>;
  /** Slugs of roles that can only be assigned on resources below the organization. */
  ofResources: ReadonlySet<string>;
  /** The role of a membership for which a request names none. */
  defaultRole: Role;
  /** True if a membership may have several roles. */
  mayBeSeveral: boolean;
}

/**
 * The roles that an organization's memberships can have, in one round trip while this instance has cached the model, see
 * `loadRoles`. It does not check that the organization exists.
 */
export async function rolesOfMemberships(environmentId: string, organizationId: string): Promise<MembershipRoles> {
  const [{ rolesBySlug, defaultRole }, { multiple_roles: mayBeSeveral }] = await awaitAll([
    loadRoles(environmentId, organizationId),
    findSettings(environmentId, userManagementSettings),
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

/** A role by its id; the slug never changes. */
export type RoleReference = Pick<Role, 'id' | 'slug'>;

type RoleSources = Pick<OrganizationMembershipRecord, 'roles' | 'givenRoles'> & { groupRoleIds?: string[] | undefined };

/**
 * The roles that a membership was given itself, whether they are effective or not, in the order of priority. Deleted roles
 * are left out, also if a new role has the same slug. An older row has only slugs.
 * @param bySlug the organization's roles, in their order
 */
export function givenRoles({ roles, givenRoles: given }: RoleSources, bySlug: ReadonlyMap<string, Role>): Role[] {
  const ids = new Set(((given ?? []) as RoleReference[]).map(({ id }) => id));
  const slugs = new Set(given === undefined ? roles : []);
  return [...bySlug.values()].filter(({ id, slug }) => ids.has(id) || slugs.has(slug));
}

/**
 * The effective roles of a membership, in the order of priority: all that it was given and that its groups give it; only
 * the first of them if memberships have one role; the default role if there is none.
 */
export function effectiveRoles(membership: RoleSources, known: MembershipRoles): Role[] {
  const ids = new Set(membership.groupRoleIds);
  for (const { id } of givenRoles(membership, known.bySlug)) ids.add(id);
  const [first = known.defaultRole, ...others] = [...known.bySlug.values()].filter(({ id }) => ids.has(id));
  return known.mayBeSeveral ? [first, ...others] : [first];
}

/** Roles of some slugs in the order of priority, each once; slugs that name none are left out. */
export function sortRoles({ bySlug }: MembershipRoles, slugs: readonly string[]): Role[] {
  const wanted = new Set(slugs);
  return [...bySlug.values()].filter(({ slug }) => wanted.has(slug));
}

/**
 * The roles of a membership in a request, in their order; undefined if it names none.
 * @throws Failure for a role that does not exist or is for resources only, or several if a membership has one
 */
export function wantedRoles(
  roles: MembershipRoles,
  { role_slug, role_slugs }: { role_slug?: string | undefined; role_slugs?: readonly string[] | undefined },
  fail: (
    error: typeof invalidRole | typeof multipleRolesNotEnabled | typeof subResourceRoleNotAllowed,
    details?: { members: Record<string, unknown> },
  ) => Failure,
): Role[] | undefined {
  const named = role_slugs ?? (role_slug === undefined ? undefined : [role_slug]);
  if (named === undefined) return undefined;
  const unknown = named.find((slug) => !roles.bySlug.has(slug));
  if (unknown !== undefined) {
    const error = roles.ofResources.has(unknown) ? subResourceRoleNotAllowed : invalidRole;
    throw fail(error, { members: { role_slug: unknown } });
  }
  const given = sortRoles(roles, named);
  if (given.length > 1 && !roles.mayBeSeveral) throw fail(multipleRolesNotEnabled);
  return given;
}

/** A change of the roles of a membership by their sources. */
export interface RoleChange {
  known: MembershipRoles;
  /** Roles of the organization that the membership itself has from now on; unchanged if absent. */
  own?: readonly Role[] | undefined;
  /** Ids of roles that its groups have at the organization from now on; unchanged if absent. */
  byGroups?: readonly string[] | undefined;
}

/** The roles of a membership after a change, by their sources, in the form of its rows. */
export function mergeRoles(former: OrganizationMembershipRecord, { known, own, byGroups }: RoleChange) {
  const groupRoleIds = byGroups === undefined ? (former.groupRoleIds ?? []) : [...new Set(byGroups)].toSorted();
  const wanted =
    own === undefined
      ? givenRoles(former, known.bySlug)
      : sortRoles(
          known,
          own.map(({ slug }) => slug),
        );
  // A membership without a role from any source is given the default role.
  const given = wanted.length === 0 && groupRoleIds.length === 0 ? [known.defaultRole] : wanted;
  const sources = {
    givenRoles: given.map(({ id, slug }): RoleReference => ({ id, slug })),
    groupRoleIds: groupRoleIds.length === 0 ? undefined : groupRoleIds,
  };
  return { ...sources, roles: effectiveRoles({ roles: [], ...sources }, known).map(({ slug }) => slug) };
}
