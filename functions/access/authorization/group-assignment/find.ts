import { type FoundGroup, type FoundSheet, findGroupById, findSheet } from '../../../tenancy/groups/public.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { loadRoles, ORGANIZATION_TYPE, type OrganizationRoles } from '../../../tenancy/roles/public.ts';
import type { GroupGrant } from '../../../tenancy/modules/role-holders/public.ts';
import { resources } from '../resource/entity.ts';
import type { GroupAssignment } from './schema.ts';

/** A group with its roles. */
export interface GroupRoles {
  group: FoundGroup['group'];
  sheet: FoundSheet;
  roles: OrganizationRoles;
  /** The effective grants by their ids: those of existing roles on existing resources. */
  assignments: GroupAssignment[];
}

/**
 * A group with its roles, by strongly consistent reads in three waves, and one more BatchGetItem if it has roles on
 * resources below the organization. Returns undefined for an unknown group.
 */
export async function findGroupRoles(environmentId: string, groupId: string): Promise<GroupRoles | undefined> {
  const [found, sheet] = await awaitAll([
    findGroupById(environmentId, groupId),
    findSheet({ environmentId, id: groupId }),
  ]);
  if (found === undefined) return undefined;
  const { group } = found;
  const [roles, there] = await awaitAll([
    loadRoles(environmentId, group.organizationId),
    findResources(environmentId, sheet.grants),
  ]);
  const assignments = sheet.grants.flatMap((grant): GroupAssignment[] => {
    const role = roles.roles.get(grant.roleId);
    return role === undefined || !there(grant) ? [] : [{ ...grant, groupId, roleSlug: role.slug }];
  });
  return { group, sheet, roles, assignments };
}

/**
 * Reports whether the resource of each grant exists, by one BatchGetItem. The organization's own resource always exists.
 */
async function findResources(
  environmentId: string,
  grants: readonly GroupGrant[],
): Promise<(grant: GroupGrant) => boolean> {
  const below = grants.filter(({ typeSlug }) => typeSlug !== ORGANIZATION_TYPE).map(({ resourceId }) => resourceId);
  const found = below.length === 0 ? [] : await resources.getMany(environmentId, [...new Set(below)]);
  const ids = new Set(found.map(({ id }) => id));
  return ({ typeSlug, resourceId }) => typeSlug === ORGANIZATION_TYPE || ids.has(resourceId);
}
