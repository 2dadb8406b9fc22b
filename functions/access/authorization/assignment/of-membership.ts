import { ORGANIZATION_TYPE, resourceIdOfOrganization } from '../resource/rules.ts';
import { resources } from '../resource/entity.ts';
import type { Node } from '../check/chain.ts';
import type { Facts } from '../check/facts.ts';
import { allAtOrganization } from '../check/held.ts';
import { groupAssignmentId } from './ids.ts';
import type { Assignment } from './schema.ts';

/** The resource that represents an organization, in the form that a decision needs. */
export const organizationNode = (organizationId: string): Node => ({
  id: resourceIdOfOrganization(organizationId),
  typeSlug: ORGANIZATION_TYPE,
  externalId: organizationId,
});

/**
 * All assignments of a membership from every source, made from the facts that were read: at most 1,000 of its own and 100
 * of each of 50 groups. Those of groups need the identifiers of their resources, by one BatchGetItem for each hundred
 * resources.
 */
export async function findAssignments(facts: Facts): Promise<Assignment[]> {
  const { environmentId, membershipId, membership, holdings } = facts;
  if (membership === undefined) return [];
  const { roles } = facts.roles;
  const root = organizationNode(membership.organizationId);
  const own = holdings.grants.flatMap(({ id, roleId, resourceId, externalId, typeSlug, createdAt, updatedAt }) => {
    const role = roles.get(roleId);
    if (role === undefined) return [];
    return [
      {
        id,
        membershipId,
        roleSlug: role.slug,
        resource: { id: resourceId, externalId, typeSlug },
        createdAt,
        updatedAt,
      },
    ];
  });
  const sheets = holdings.groups.flatMap((groupId) =>
    (facts.sheets.get(groupId) ?? []).map((grant) => ({ ...grant, groupId })),
  );
  const onResources = sheets.filter(({ resourceId }) => resourceId !== root.id);
  const found = await resources.getMany(environmentId, [...new Set(onResources.map(({ resourceId }) => resourceId))]);
  const rows = new Map(found.map((row) => [row.id, row]));
  const byGroups = onResources.flatMap(({ id, roleId, resourceId, groupId, createdAt }): Assignment[] => {
    const [role, resource] = [roles.get(roleId), rows.get(resourceId)];
    if (role === undefined || resource?.organizationId !== membership.organizationId) return [];
    const source = { id: groupAssignmentId(id, membershipId), group: { groupId, groupRoleAssignmentId: id } };
    return [{ ...source, membershipId, roleSlug: role.slug, resource, createdAt, updatedAt: createdAt }];
  });
  const times = new Map(sheets.map(({ id, createdAt }) => [id, createdAt]));
  const atOrganization = allAtOrganization(facts, membershipId, root).map(
    ({ assignmentId, role, group }): Assignment => {
      const createdAt = (group && times.get(group.groupRoleAssignmentId)) ?? membership.createdAt;
      return {
        id: assignmentId,
        membershipId,
        roleSlug: role.slug,
        resource: root,
        group,
        createdAt,
        updatedAt: createdAt,
      };
    },
  );
  return [...atOrganization, ...own, ...byGroups];
}
