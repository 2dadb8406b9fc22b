import type { Unit } from '../../kernel/storage/unit.ts';
import { workKind } from '../../kernel/storage/work.ts';
import type { Write } from '../../kernel/storage/write.ts';
import type { Model, Permission } from '../model/compiled.ts';
import { modelRows } from '../model/entity.ts';
import { permissionsOfRole } from '../role/permissions.ts';
import { rolePayload } from '../role/schema.ts';
import { changedRole, reviseRole, roleDifference } from '../role/stage.ts';
import { presentPermission } from './schema.ts';

/** A deleted permission, as its former roles are found and their events describe it. */
export type RemovedPermission = Pick<Permission, 'id' | 'slug'>;

/** Takes a deleted permission out of the rows of the roles that still name it, with an event for each role. */
export const permissionRemoval = workKind<RemovedPermission>('roles.remove_permission', { runs: 2 });

/** Maximum environment roles that change in the transaction of a deletion: two writes each. */
export const ROLES_AT_ONCE = 38;

/**
 * Stages the deletion of a permission with `permission.deleted`. No role has it from then on; a worker takes it out of the rows of roles
 * that still name it.
 * @returns the write of its row; none for a permission of the service
 */
export function stagePermissionRemoval(
  unit: Unit<'permission.deleted'>,
  environmentId: string,
  model: Model,
  permission: Permission,
): Write[] {
  const row = model.rows.get(permission.id);
  if (permission.isSystem || row === undefined) return [];
  const { id, slug } = permission;
  unit.emit('permission.deleted', presentPermission(permission));
  permissionRemoval.stage(unit, environmentId, { id, slug });
  return [modelRows.remove(row)];
}

/**
 * Takes a permission out of environment roles, with `role.updated` for each: of as many as fit into the transaction of its deletion.
 * @returns the writes of their rows
 */
export function takeFromRoles(unit: Unit<'role.updated'>, model: Model, permission: Permission): Write[] {
  const holding = [...model.roles.values()].filter(({ permissionIds }) => permissionIds.has(permission.id));
  return holding.slice(0, ROLES_AT_ONCE).flatMap((role) => {
    const permissions = permissionsOfRole(model, role).filter(({ id }) => id !== permission.id);
    const revised = reviseRole(model, role, changedRole(role, { permissions }));
    if (revised === undefined) return [];
    unit.emit('role.updated', rolePayload(revised.role), { previousAttributes: roleDifference(role, revised.role) });
    return [revised.write];
  });
}
