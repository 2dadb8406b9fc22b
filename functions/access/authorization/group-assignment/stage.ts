import { clock } from '../../../kernel/clock.ts';
import type { Failure, FailureDetails, Issue } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { stageGrants } from '../../../tenancy/groups/public.ts';
import type { GroupGrant } from '../../../tenancy/modules/role-holders/public.ts';
import { presenceOfResource } from '../resource/entity.ts';
import { findNamed } from '../resource/find.ts';
import { ORGANIZATION_TYPE, resourceIdOfOrganization } from '../resource/rules.ts';
import { placeNotFound } from './errors.ts';
import type { GroupRoles } from './find.ts';
import type { GroupAssignment, NamedPlace } from './schema.ts';

/**
 * Maximum number of resources whose presence a transaction checks in addition to the rows of the group's roles. A role on a resource that
 * is deleted at the same moment has no effect, and the deletion takes it from the group.
 */
const MOST_CHECKS = 20;

/** The errors with which a request is rejected. */
export interface Rejections {
  fail: (error: typeof placeNotFound, details?: FailureDetails) => Failure;
  invalid: (issues: readonly Issue[]) => Failure;
}

/** A role on an existing resource. */
export type Place = Pick<GroupGrant, 'roleId' | 'resourceId' | 'typeSlug' | 'externalId'> & { roleSlug: string };

/**
 * Finds the role and the resource that a request names, in the group's organization; without a resource, the organization's
 * own. It takes one round trip for a resource.
 * @param entry the position in a list, such as `role_assignments[3]`, for the messages
 * @throws Failure if one of them does not exist, or if the role is for resources of another type
 */
export async function findPlace(
  { group, roles }: Pick<GroupRoles, 'group' | 'roles'>,
  named: NamedPlace,
  { fail, invalid }: Rejections,
  entry?: string,
): Promise<Place> {
  const { environmentId, organizationId } = group;
  const isBelow = (named.resource_id ?? named.resource_external_id) !== undefined;
  const resource = isBelow
    ? (await findNamed(environmentId, organizationId, named))?.view
    : { id: resourceIdOfOrganization(organizationId), typeSlug: 'organization', externalId: organizationId };
  const role = roles.rolesBySlug.get(named.role_slug);
  if (resource === undefined || role === undefined) {
    throw fail(placeNotFound, entry === undefined ? {} : { message: `${entry}: ${placeNotFound.message}` });
  }
  if (role.resourceType !== resource.typeSlug) {
    const field = entry === undefined ? 'role_slug' : `${entry}.role_slug`;
    const message = `is a role for resources of type “${role.resourceType}”; this resource is of type “${resource.typeSlug}”`;
    throw invalid([{ field, code: 'invalid_role', message }]);
  }
  return {
    roleId: role.id,
    roleSlug: role.slug,
    resourceId: resource.id,
    typeSlug: resource.typeSlug,
    externalId: resource.externalId,
  };
}

/** Reports whether a grant is of a role on a resource. */
export const isAt = (grant: GroupGrant, { roleId, resourceId }: Pick<Place, 'roleId' | 'resourceId'>): boolean =>
  grant.roleId === roleId && grant.resourceId === resourceId;

/** A new assignment of a group, created at the current time. */
export const newAssignment = (groupId: string, place: Place): GroupAssignment => ({
  ...place,
  groupId,
  id: newId('gra'),
  createdAt: clock.timestamp(),
});

/**
 * Stages the given assignments as the complete list of the group's roles. Other grants, such as those of deleted roles and resources, are
 * removed by the same write. It commits only if the resources of new ones exist.
 */
export async function stageAssignments(
  unit: Pick<Unit, 'stage'>,
  { group, sheet }: Pick<GroupRoles, 'group' | 'sheet'>,
  assignments: readonly GroupAssignment[],
): Promise<void> {
  await stageGrants(
    unit,
    group,
    sheet,
    assignments.map(({ id, roleId, resourceId, typeSlug, externalId, createdAt }) => ({
      id,
      roleId,
      resourceId,
      typeSlug,
      externalId,
      createdAt,
    })),
  );
  const former = new Set(sheet.grants.map(({ resourceId }) => resourceId));
  const added = assignments.filter(
    ({ typeSlug, resourceId }) => typeSlug !== ORGANIZATION_TYPE && !former.has(resourceId),
  );
  const ids = [...new Set(added.map(({ resourceId }) => resourceId))];
  unit.stage(ids.slice(0, MOST_CHECKS).map((id) => presenceOfResource(group.environmentId, id)));
}
