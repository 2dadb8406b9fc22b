import type { Failure } from '../../kernel/errors.ts';
import { settingsOf } from '../../kernel/environment-settings.ts';
import { loadRoles, ORGANIZATION_TYPE, type Role } from '../../roles/public.ts';
import { userManagementSettings } from '../../users/public.ts';
import type { OrganizationMembershipRecord } from './entity.ts';
import { invalidRole, multipleRolesNotEnabled, subResourceRoleNotAllowed } from './errors.ts';

/** The roles that an organization's memberships can have. */
export interface MembershipRoles {
  /** Roles of the type `organization` by slug, the highest priority first. */
  bySlug: ReadonlyMap<string, Role>;
  /** Slugs of roles that are assigned on resources below the organization only. */
  ofResources: ReadonlySet<string>;
  /** The role of a membership that names none. */
  defaultRole: Role;
  /** True if a membership may have several. */
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

/** A role by its id; the slug never changes. */
export type RoleReference = Pick<Role, 'id' | 'slug'>;

/** A role that a group gives to its members at the organization. */
export interface GroupRole extends RoleReference {
  /** `gra_…`: the role assignment of the group. */
  source: string;
}

type Holding = Pick<OrganizationMembershipRecord, 'roles' | 'givenRoles' | 'groupRoles'>;

/** The roles that a membership was given itself. An older row has only slugs, which then were ids. */
export function givenRoles({ roles, givenRoles: given }: Holding, { bySlug }: MembershipRoles): Role[] {
  if (given === undefined) return roles.flatMap((slug) => bySlug.get(slug) ?? []);
  return (given as RoleReference[]).flatMap(({ id, slug }) => existing(bySlug, id, slug));
}

const existing = (bySlug: MembershipRoles['bySlug'], id: string, slug: string): Role[] => {
  const role = bySlug.get(slug);
  // A role that was made anew under the slug is another one.
  return role?.id === id ? [role] : [];
};

/**
 * The roles that count for a membership, the highest priority first: all that it was given and that its groups give it; the
 * first of them where memberships have one role; the default where there is none.
 */
export function effectiveRoles(membership: Holding, known: MembershipRoles): Role[] {
  const groups = (membership.groupRoles ?? []) as GroupRole[];
  const byGroups = groups.flatMap(({ id, slug }) => existing(known.bySlug, id, slug));
  const [first = known.defaultRole, ...others] = sortRoles(
    known,
    [...givenRoles(membership, known), ...byGroups].map(({ slug }) => slug),
  );
  return known.mayBeSeveral ? [first, ...others] : [first];
}

/** Roles of some slugs in the organization's order, the highest priority first, each once; those that are gone are left out. */
export function sortRoles({ bySlug }: MembershipRoles, slugs: readonly string[]): Role[] {
  const wanted = new Set(slugs);
  return [...bySlug.values()].filter(({ slug }) => wanted.has(slug));
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
