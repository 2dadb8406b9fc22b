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

/** A change of where a membership's roles come from. */
export interface RoleChange {
  known: MembershipRoles;
  /** Slugs of roles of the organization that are now given to the membership itself, in their order; unchanged when absent. */
  own?: readonly string[] | undefined;
  /** Ids of roles that its groups now have at the organization; unchanged when absent. */
  byGroups?: readonly string[] | undefined;
}

/** Slugs of the roles that were given to a membership itself, whether they count or not. */
export const rolesGivenTo = ({ ownRoles, roles }: OrganizationMembershipRecord): readonly string[] => ownRoles ?? roles;

/**
 * The roles of a membership from all sources: those that count, in their order, or the one with the highest priority where a
 * membership has one, or the default role where there is none; with what is stored next to them.
 */
export function mergeRoles(
  former: OrganizationMembershipRecord,
  { known, own = rolesGivenTo(former), byGroups = former.groupRoleIds ?? [] }: RoleChange,
): { roles: string[]; ownRoles: string[] | undefined; groupRoleIds: string[] | undefined } {
  const all = [...known.bySlug.values()];
  const ofGroups = all.filter(({ id }) => byGroups.includes(id)).map(({ slug }) => slug);
  if (byGroups.length === 0 && own.length > 0) {
    return { roles: [...own], ownRoles: undefined, groupRoleIds: undefined };
  }
  const held = sortRoles(known, [...own.filter((slug) => known.bySlug.has(slug)), ...ofGroups]);
  const counting = held.length === 0 ? [known.defaultRole.slug] : known.mayBeSeveral ? held : held.slice(0, 1);
  return { roles: counting, ownRoles: [...own], groupRoleIds: [...byGroups].toSorted() };
}
