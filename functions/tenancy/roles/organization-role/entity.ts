import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import {
  attributeIndex,
  childKey,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import type { Write } from '../../../kernel/storage/write.ts';

/** An organization's own role; at most 100 of them are in the organization's partition. */
const OrganizationRoleEntity = entity({
  model: model('organization-role'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The slug, which begins with `org-` and never changes. */
    slug: { type: 'string', required: true, readOnly: true },
    name: { type: 'string', required: true },
    description: { type: 'string' },
    resourceType: { type: 'string', required: true, readOnly: true },
    /** The ids of its permissions. Permissions that the model no longer has are ignored. */
    permissionIds: { type: 'any', required: true },
  },
  indexes: {
    primary: childKey('organization-role', 'organizationId'),
    /** The roles of a type in all organizations: one Query for each page, eventually consistent. */
    byType: attributeIndex('organization-role', 'resourceType'),
    owned: ownedIndex,
  },
});

export type OrganizationRoleRecord = RecordOf<typeof OrganizationRoleEntity>;

/** Roles of one organization: `get` is one GetItem, and all of them are one strongly consistent Query. */
export const organizationRoles = collection(OrganizationRoleEntity, {
  events: ['organization_role.created', 'organization_role.updated', 'organization_role.deleted'],
});

/**
 * The order and the default of an organization's roles. It exists from the organization's first own role on. Each change of
 * any of them increments its version, which validates cached roles and serializes changes.
 */
const RoleOrderEntity = entity({
  model: model('organization-role-order'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** Ids of roles, including the environment's, the highest priority first. */
    roleIds: { type: 'any', required: true },
    defaultRoleId: { type: 'string' },
  },
  indexes: {
    primary: recordKey('organization-role-order'),
    owned: ownedIndex,
  },
});

export type RoleOrderRecord = RecordOf<typeof RoleOrderEntity>;

const roleOrders = collection(RoleOrderEntity, 'internal');

/** An organization's order of roles, by one strongly consistent GetItem with the organization's id. */
export const readRoleOrder = (environmentId: string, organizationId: string): Promise<RoleOrderRecord | undefined> =>
  roleOrders.get(environmentId, organizationId);

/** The write of an organization's order. It fails if any of its roles was changed since it was read. */
export function writeRoleOrder(
  environmentId: string,
  organizationId: string,
  former: RoleOrderRecord | undefined,
  order: { roleIds: readonly string[]; defaultRoleId: string | undefined },
): Write {
  const owner = ownerKey('organization', organizationId);
  const { write } =
    former === undefined
      ? roleOrders.create({ environmentId, id: organizationId, owner, ...order })
      : roleOrders.revise(former, order);
  return { ...write, isTurn: true };
}

/** All roles of an organization's own, by one strongly consistent Query. */
export const readOrganizationRoles = (
  environmentId: string,
  organizationId: string,
): Promise<OrganizationRoleRecord[]> => organizationRoles.list('primary', { environmentId, organizationId }).toArray();

/** Some roles of a type in all organizations, by one Query of an index, which is eventually consistent. */
export const organizationRolesOfType = (
  environmentId: string,
  resourceType: string,
  window: Window,
): Promise<Reading<OrganizationRoleRecord>> =>
  organizationRoles.list('byType', { environmentId, resourceType }).toPage(window);

/** Reports whether any organization has a role of a type, by one Query of an index, which is eventually consistent. */
export async function isTypeOfOrganizationRoles(environmentId: string, resourceType: string): Promise<boolean> {
  const found = await organizationRolesOfType(environmentId, resourceType, { scan: 'asc', limit: 1 });
  return found.records.length > 0;
}
