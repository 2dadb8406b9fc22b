import { awaitAll } from '../../../kernel/concurrency.ts';
import type { OrganizationRoles, Role } from '../../../tenancy/roles/public.ts';
import { listHolders, readSheets } from '../../../tenancy/modules/role-holders/public.ts';

/** A resource and the holders of roles on it that are read. */
interface HeldResource {
  environmentId: string;
  organizationId: string;
  id: string;
  typeSlug: string;
}

/** The roles that can be assigned on a resource. */
export const rolesOn = (
  { typeSlug }: Pick<HeldResource, 'typeSlug'>,
  { roles }: Pick<OrganizationRoles, 'roles'>,
): Role[] => [...roles.values()].filter(({ resourceType }) => resourceType === typeSlug);

/** Maximum number of groups read for one role on one resource. */
const MOST_GROUPS = 1_000;

/**
 * The ids of groups that may have one of some roles on a resource; their sheets decide. It takes a strongly consistent
 * Query for each role, in parallel.
 */
export async function candidateGroups(
  { environmentId, organizationId, id: resourceId }: Omit<HeldResource, 'typeSlug'>,
  roles: readonly Role[],
): Promise<string[]> {
  const lists = await awaitAll(
    roles.map(({ id: roleId }) =>
      listHolders({ environmentId, organizationId, roleId, kind: 'group', resourceId, limit: MOST_GROUPS }),
    ),
  );
  return [...new Set(lists.flatMap(({ records }) => records).map(({ holderId }) => holderId))];
}

/**
 * The groups that have a role on a resource: the {@link candidateGroups} whose sheets confirm it.
 * @param roles the roles to read; if absent, all that can be assigned on the resource
 */
export async function groupsOn(
  resource: HeldResource,
  organizationRoles: Pick<OrganizationRoles, 'roles'>,
  roles: readonly Role[] = rolesOn(resource, organizationRoles),
): Promise<{ groupId: string; roleId: string; groupRoleAssignmentId: string; createdAt: string }[]> {
  const { environmentId, id: resourceId } = resource;
  const ids = await candidateGroups(resource, roles);
  if (ids.length === 0) return [];
  const sheets = await readSheets(environmentId, ids);
  const wanted = new Set(roles.map(({ id }) => id));
  return [...sheets].flatMap(([groupId, grants]) =>
    grants
      .filter((grant) => grant.resourceId === resourceId && wanted.has(grant.roleId))
      .map(({ id, roleId, createdAt }) => ({ groupId, roleId, groupRoleAssignmentId: id, createdAt })),
  );
}
