import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { declareError } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { organizationNotFound } from '../../organizations/public.ts';
import { isRoleOfGroup, listHolders } from '../../modules/role-holders/public.ts';
import { badRequest } from '../model/errors.ts';
import { stageOrganizationRoleRemoval } from './stage.ts';
import { organizationRoleNotFound, ownRole, rolesOfOrganization } from './operations.ts';

const roleHasAssignments = declareError({
  status: 409,
  code: 'role_has_assignments',
  message: 'Memberships have the role, on the organization or on a resource. Remove these assignments first.',
});

const roleHasGroupRoleMappings = declareError({
  status: 409,
  code: 'role_has_group_role_mappings',
  message: 'Groups have the role. Remove it from them first.',
});

/** Deletes a role of an organization that no membership or group has, by strongly consistent reads. */
export const deleteOrganizationRole = operation({
  id: 'organization_roles.delete',
  method: 'DELETE',
  path: '/authorization/organizations/{organizationId}/roles/{slug}',
  summary: 'Delete a role of an organization',
  description: 'The default role of the organization cannot be deleted: choose another one first.',
  auth: apiKey,
  operator: 'config.change',
  responses: { 204: null },
  errors: [organizationNotFound, organizationRoleNotFound, badRequest, roleHasAssignments, roleHasGroupRoleMappings],
  emits: ['organization_role.deleted'],
  idempotency: 'none',
  async handle({ environmentId, params, unit, fail }) {
    const { organizationId } = params;
    const roles = await rolesOfOrganization(environmentId, organizationId, fail);
    const role = ownRole(roles, params.slug, fail);
    if (role.id === roles.defaultRole.id) {
      throw fail(badRequest, { message: 'The role is the organization’s default. Choose another default role first.' });
    }
    const [members, hasGroup] = await awaitAll([
      listHolders({ environmentId, organizationId, roleId: role.id, kind: 'membership', limit: 1 }),
      isRoleOfGroup(environmentId, organizationId, role.id),
    ]);
    if (members.records.length > 0) throw fail(roleHasAssignments);
    if (hasGroup) throw fail(roleHasGroupRoleMappings);
    stageOrganizationRoleRemoval(unit, { environmentId, organizationId }, roles, role);
    return { status: 204 };
  },
});

export const organizationRoleDeletionOperations = [deleteOrganizationRole] as const;
