import type { Unit } from '../../../kernel/storage/unit.ts';
import { workKind } from '../../../kernel/storage/work.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import type { Model, Permission } from '../model/compiled.ts';
import { modelRows } from '../model/entity.ts';
import { permissionsOfRole } from '../role/permissions.ts';
import { rolePayload } from '../role/schema.ts';
import { changedRole, reviseRole, roleDifference } from '../role/stage.ts';
import { presentPermission } from './schema.ts';

/** A deleted permission, with the members that find its former roles and describe it in their events. */
export type RemovedPermission = Pick<Permission, 'id' | 'slug'>;

/**
 * The work that removes deleted permissions from the rows of the roles that still name them, with an event for each role and
 * permission. Its arguments are one permission, or those that one transaction deleted.
 */
export const permissionRemoval = workKind<RemovedPermission | { permissions: readonly RemovedPermission[] }>(
  'roles.remove_permission',
  { runs: 2 },
);

/** Maximum number of environment roles that change in the transaction of a deletion, with two writes each. */
export const ROLES_AT_ONCE = 34;

/**
 * Stages the deletion of a permission with `permission.deleted`. No role has it from then on; the caller stages
 * {@link permissionRemoval}, so that a worker removes it from the rows of roles that still name it.
 * @returns the write of its row; none for a permission of the service
 */
export function stagePermissionRemoval(
  unit: Unit<'permission.deleted'>,
  model: Model,
  permission: Permission,
): Write[] {
  const row = model.rows.get(permission.id);
  if (permission.isSystem || row === undefined) return [];
  unit.emit('permission.deleted', presentPermission(permission));
  return [modelRows.remove(row)];
}

/**
 * Removes a permission from environment roles, with `role.updated` for each: as many as fit into the transaction of its
 * deletion.
 * @returns the writes of their rows
 */
export function takeFromRoles(unit: Unit<'role.updated'>, model: Model, permission: Permission): Write[] {
  const rolesWithPermission = [...model.roles.values()].filter(({ permissionIds }) => permissionIds.has(permission.id));
  return rolesWithPermission.slice(0, ROLES_AT_ONCE).flatMap((role) => {
    const permissions = permissionsOfRole(model, role).filter(({ id }) => id !== permission.id);
    const revised = reviseRole(model, role, changedRole(role, { permissions }));
    if (revised === undefined) return [];
    unit.emit('role.updated', rolePayload(revised.role), { previousAttributes: roleDifference(role, revised.role) });
    return [revised.write];
  });
}
