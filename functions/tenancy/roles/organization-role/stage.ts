import { randomInt } from 'node:crypto';

import { newId } from '../../../kernel/ids.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { type Permission, type Role, toRole } from '../model/compiled.ts';
import { changedRole, type RoleChanges, roleDifference } from '../role/stage.ts';
import { storedPermissionIds } from '../role/permissions.ts';
import { roleReplacement } from '../role/removal.ts';
import { organizationRolePayload } from '../role/schema.ts';
import { organizationRoles, writeRoleOrder } from './entity.ts';
import type { OrganizationRoles } from './load.ts';

/** The organization of a role, whose id is part of the ids of the role and of the order's row. */
interface Place {
  environmentId: string;
  organizationId: string;
}

/** Maximum length of the part of a slug that is made from a name, without the prefix and the random ending. */
const NAME_PART = 35;
const ENDING = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Makes a slug for a role without one: from its name, with six random characters. */
export function slugFor(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_PART)
    .replaceAll(/^-+|-+$/g, '');
  const ending = Array.from({ length: 6 }, () => ENDING.charAt(randomInt(ENDING.length))).join('');
  return plain === '' ? `org-${ending}` : `org-${plain}-${ending}`;
}

/**
 * Stages the order of an organization's roles, which increments their version. It is part of each change of a role, since
 * that serializes changes.
 */
export function stageOrder(
  unit: Pick<Unit, 'stage'>,
  { environmentId, organizationId }: Place,
  roles: OrganizationRoles,
  order: { roleIds?: readonly string[]; defaultRoleId?: string | undefined } = {},
): void {
  const former = roles.own.order;
  // With its first own role an organization gets its own order and default role, which are the current ones.
  const roleIds = order.roleIds ?? ((former?.roleIds ?? [...roles.roles.keys()]) as string[]);
  const defaultRoleId = order.defaultRoleId ?? former?.defaultRoleId ?? roles.defaultRole.id;
  unit.stage(writeRoleOrder(environmentId, organizationId, former, { roleIds, defaultRoleId }));
}

/** The data of a new organization role. */
export interface NewOrganizationRole {
  slug: string;
  name: string;
  description?: string | null | undefined;
  resourceType: string;
  permissions?: readonly Permission[];
}

/** Stages a new role of an organization with `organization_role.created`. It is last in the order. */
export function stageOrganizationRole(
  unit: Unit<'organization_role.created'>,
  place: Place,
  roles: OrganizationRoles,
  { slug, name, description, resourceType, permissions = [] }: NewOrganizationRole,
  id: string = newId('role'),
): Role {
  const { environmentId, organizationId } = place;
  const { record, write } = organizationRoles.create({
    environmentId,
    id,
    organizationId,
    owner: ownerKey('organization', organizationId),
    slug,
    name,
    description: description ?? undefined,
    resourceType,
    permissionIds: permissions.map((permission) => permission.id),
  });
  const role = toRole(record, new Map(permissions.map((permission) => [permission.id, permission])), organizationId);
  unit.stage(write);
  stageOrder(unit, place, roles, { roleIds: [...roles.roles.keys(), id] });
  unit.emit('organization_role.created', organizationRolePayload(role), { organizationId });
  return role;
}

/** Stages changes of an organization's role with `organization_role.updated`; no effect without a change. */
export function stageOrganizationRoleChange(
  unit: Unit<'organization_role.updated'>,
  place: Place,
  roles: OrganizationRoles,
  role: Role,
  changes: RoleChanges,
): Role {
  const next = changedRole(role, changes);
  const former = roles.own.records.find(({ id }) => id === role.id);
  const previousAttributes = roleDifference(role, next);
  if (former === undefined || Object.keys(previousAttributes).length === 0) return role;
  const { name, description } = next;
  const permissionIds = storedPermissionIds(roles.model, former.permissionIds, next);
  const { record, write } = organizationRoles.revise(former, { name, description, permissionIds });
  const changed = { ...next, updatedAt: record.updatedAt };
  unit.stage(write);
  stageOrder(unit, place, roles);
  unit.emit('organization_role.updated', organizationRolePayload(changed), {
    organizationId: place.organizationId,
    previousAttributes,
  });
  return changed;
}

/** Stages the deletion of an organization's role with `organization_role.deleted`. */
export function stageOrganizationRoleRemoval(
  unit: Unit<'organization_role.deleted'>,
  place: Place,
  roles: OrganizationRoles,
  role: Role,
): void {
  const record = roles.own.records.find(({ id }) => id === role.id);
  if (record === undefined) return;
  unit.stage(organizationRoles.remove(record));
  const roleIds = [...roles.roles.keys()].filter((id) => id !== role.id);
  stageOrder(unit, place, roles, { roleIds });
  // A membership that gets the role concurrently loses it, and until then the role has no effect.
  roleReplacement.stage(unit, place.environmentId, { roleId: role.id });
  unit.emit('organization_role.deleted', organizationRolePayload(role), { organizationId: place.organizationId });
}
