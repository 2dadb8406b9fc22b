import { changedMembers } from '../../../kernel/events/previous.ts';
import { newId } from '../../../kernel/ids.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { stageModel } from '../model/stage.ts';
import { type Model, type Permission, type Role, toRole } from '../model/compiled.ts';
import { modelRows } from '../model/entity.ts';
import { storedPermissionIds, withPermissions } from './permissions.ts';
import { rolePayload } from './schema.ts';

/** The data of a new environment role. */
export interface NewRole {
  slug: string;
  name: string;
  description?: string | null | undefined;
  resourceType: string;
  permissions?: readonly Permission[];
}

/** A new environment role and the write of its row. It is last in the order, which does not name it yet. */
export function newRole(
  environmentId: string,
  { slug, name, description, resourceType, permissions = [] }: NewRole,
  id: string = newId('role'),
): { role: Role; write: Write } {
  const permissionIds = permissions.map((permission) => permission.id);
  const row = { kind: 'role' as const, environmentId, id, slug, name, resourceType, permissionIds };
  const { record, write } = modelRows.create({ ...row, description: description ?? undefined });
  return { role: toRole(record, new Map(permissions.map((permission) => [permission.id, permission]))), write };
}

/** The changed members of a role. */
export interface RoleChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  permissions?: readonly Permission[] | undefined;
}

/** A role with changes; absent members are unchanged, and a null description is removed. */
export function changedRole(role: Role, { name = role.name, description, permissions }: RoleChanges): Role {
  const next = {
    ...role,
    name,
    description: description === undefined ? role.description : (description ?? undefined),
  };
  return permissions === undefined ? next : withPermissions(next, permissions, role.updatedAt);
}

/** The former values of the members in which two states of a role differ, as an event contains them. */
export function roleDifference(former: Role, next: Role): Record<string, unknown> {
  const members = ({ name, description, permissions }: Role) => ({
    name,
    description: description ?? null,
    permissions,
  });
  return changedMembers(members(former), members(next));
}

/** The row of an environment role in its new state, or undefined if it has not changed. */
export function reviseRole(model: Model, role: Role, next: Role): { role: Role; write: Write } | undefined {
  const row = model.rows.get(role.id);
  if (row === undefined || Object.keys(roleDifference(role, next)).length === 0) return undefined;
  const { name, description } = next;
  const permissionIds = storedPermissionIds(model, row.permissionIds, next);
  const { record, write } = modelRows.revise(row, { name, description, permissionIds });
  return { role: { ...next, updatedAt: record.updatedAt }, write };
}

/** Stages changes of an environment role with `role.updated`. It has no effect if nothing changes. */
export function stageRoleChange(
  unit: Unit<'role.updated'>,
  environmentId: string,
  model: Model,
  role: Role,
  changes: RoleChanges,
): Role {
  const revised = reviseRole(model, role, changedRole(role, changes));
  if (revised === undefined) return role;
  stageModel(unit, environmentId, model, [revised.write]);
  unit.emit('role.updated', rolePayload(revised.role), { previousAttributes: roleDifference(role, revised.role) });
  return revised.role;
}
