import type { ModelRow } from './entity.ts';

/** The type of organizations, which is the root of all others. */
export const ORGANIZATION_TYPE = 'organization';

/** The role that every environment has, and the initial default role. */
export const MEMBER_ROLE = 'member';

/** A kind of resource. */
export interface ResourceType {
  slug: string;
  name: string;
  description: string | undefined;
  /** Slugs of the types that its parents can have; empty for `organization`. */
  parents: readonly string[];
  /** True if the type is being removed: its resources cannot be created, moved or deleted. */
  isLeaving: boolean;
}

/** The permissions of a role. */
export interface Permission {
  /** The id (`perm_…`). */
  id: string;
  slug: string;
  name: string;
  description: string | undefined;
  resourceType: string;
  /** True if it belongs to the service, so that it cannot be changed or deleted. */
  isSystem: boolean;
  createdAt: string;
  updatedAt: string;
}

/** A role of the environment or of one organization. */
export interface Role {
  /** The id in grants (`role_…`). A new role with the slug of a deleted one has another id. */
  id: string;
  slug: string;
  name: string;
  description: string | undefined;
  kind: 'EnvironmentRole' | 'OrganizationRole';
  /** The organization; undefined for a role of the environment. */
  organizationId: string | undefined;
  /** The type of the resources on which it is assigned. */
  resourceType: string;
  /** The role's permissions that exist in the model. */
  permissionIds: ReadonlySet<string>;
  /** The slugs of these permissions, in the order in which they were assigned to the role. */
  permissions: readonly string[];
  createdAt: string;
  updatedAt: string;
}

/** An environment's model at one version, for reading in memory. */
export interface Model {
  version: number;
  /** Types by slug, `organization` first. */
  types: ReadonlyMap<string, ResourceType>;
  /** Permissions by id, in the order of the ids. */
  permissions: ReadonlyMap<string, Permission>;
  permissionsBySlug: ReadonlyMap<string, Permission>;
  /** Environment roles by id, the highest priority first. */
  roles: ReadonlyMap<string, Role>;
  rolesBySlug: ReadonlyMap<string, Role>;
  /** The environment's default role. */
  defaultRole: Role;
  /** Reports whether a type is `ancestor` or one of the types below it. */
  isWithin: (type: string, ancestor: string) => boolean;
  /** The rows, for a change of the model. */
  rows: ReadonlyMap<string, ModelRow>;
}

const ORGANIZATION: ResourceType = {
  slug: ORGANIZATION_TYPE,
  name: 'Organization',
  description: undefined,
  parents: [],
  isLeaving: false,
};

/** The attributes of a row that {@link toRole} reads. */
export interface RoleFields {
  id: string;
  slug?: string | undefined;
  name?: string | undefined;
  description?: string | undefined;
  resourceType?: string | undefined;
  permissionIds?: unknown;
  createdAt: string;
  updatedAt: string;
}

/** A stored role with those of its permissions that exist in the model. */
export function toRole(
  row: RoleFields,
  permissions: ReadonlyMap<string, Pick<Permission, 'id' | 'slug'>>,
  organizationId?: string,
): Role {
  const { id, slug = '', name = slug, description, resourceType = ORGANIZATION_TYPE, createdAt, updatedAt } = row;
  const held = ((row.permissionIds ?? []) as string[]).flatMap((permission) => permissions.get(permission) ?? []);
  return {
    id,
    slug,
    name,
    description,
    kind: organizationId === undefined ? 'EnvironmentRole' : 'OrganizationRole',
    organizationId,
    resourceType,
    permissionIds: new Set(held.map((permission) => permission.id)),
    permissions: held.map((permission) => permission.slug),
    createdAt,
    updatedAt,
  };
}

const toPermission = ({ id, slug = '', name = slug, description, resourceType, ...row }: ModelRow): Permission => ({
  id,
  slug,
  name,
  description,
  resourceType: resourceType ?? ORGANIZATION_TYPE,
  isSystem: false,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
});

const toType = ({ slug = '', name = slug, description, parentTypes, isLeaving }: ModelRow): ResourceType => ({
  slug,
  name,
  description,
  parents: (parentTypes ?? []) as string[],
  isLeaving: isLeaving ?? false,
});

/** Each type with itself and all types above it. Types have no cycle, which `rules.ts` ensures. */
function typesAbove(types: ReadonlyMap<string, ResourceType>): Map<string, Set<string>> {
  const above = new Map<string, Set<string>>();
  const collect = (slug: string): Set<string> => {
    const known = above.get(slug);
    if (known !== undefined) return known;
    const found = new Set([slug]);
    above.set(slug, found);
    for (const parent of types.get(slug)?.parents ?? []) for (const ancestor of collect(parent)) found.add(ancestor);
    return found;
  };
  for (const slug of types.keys()) collect(slug);
  return above;
}

/** Roles in an order of ids. Roles that it does not name follow, by their ids. */
export function inOrder<T extends { id: string }>(roles: readonly T[], order: readonly string[]): T[] {
  const places = new Map(order.map((id, at) => [id, at]));
  return roles.toSorted((one, other) => {
    const [first, second] = [places.get(one.id) ?? Infinity, places.get(other.id) ?? Infinity];
    return first === second ? (one.id < other.id ? -1 : 1) : first - second;
  });
}

/**
 * Compiles the rows of a model.
 * @throws Error for rows without the role that every environment has
 */
export function compileModel(version: number, rows: readonly ModelRow[], system: readonly Permission[]): Model {
  const ofKind = (kind: ModelRow['kind']) => rows.filter((row) => row.kind === kind);
  const types = new Map([ORGANIZATION, ...ofKind('type').map(toType)].map((type) => [type.slug, type]));
  const all = [...system, ...ofKind('permission').map(toPermission)].toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const permissions = new Map(all.map((permission) => [permission.id, permission]));
  const [order] = ofKind('order');
  const listed = inOrder(
    ofKind('role').map((row) => toRole(row, permissions)),
    (order?.roleIds ?? []) as string[],
  );
  const roles = new Map(listed.map((role) => [role.id, role]));
  const rolesBySlug = new Map(listed.map((role) => [role.slug, role]));
  const defaultRole = roles.get(order?.defaultRoleId ?? '') ?? rolesBySlug.get(MEMBER_ROLE);
  if (defaultRole === undefined) throw new Error(`The model has no role ${MEMBER_ROLE}`);
  const above = typesAbove(types);
  return {
    version,
    types,
    permissions,
    permissionsBySlug: new Map(all.map((permission) => [permission.slug, permission])),
    roles,
    rolesBySlug,
    defaultRole,
    isWithin: (type, ancestor) => above.get(type)?.has(ancestor) ?? false,
    rows: new Map(rows.map((row) => [row.id, row])),
  };
}

/** The permissions that roles have together, by their slugs in alphabetical order, each once. */
export function permissionsOfRoles(roles: readonly Role[]): string[] {
  return [...new Set(roles.flatMap(({ permissions }) => permissions))].toSorted();
}
