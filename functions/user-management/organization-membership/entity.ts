import { Entity, type EntityItem } from 'electrodb';

import { collection } from '../../kernel/storage/collection.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';
import { claim, holderOf } from '../../kernel/storage/unique.ts';
import type { Write } from '../../kernel/storage/write.ts';

const OrganizationMembershipEntity = new Entity({
  model: model('organization-membership'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    status: { type: ['active', 'inactive', 'pending'] as const, required: true },
    directoryManaged: { type: 'boolean', required: true },
    customAttributes: { type: 'any' },
    roles: { type: 'list', items: { type: 'string' }, required: true },
  },
  indexes: {
    primary: recordKey('organization-membership'),
    byUser: childIndex('organization-membership', 'userId'),
    owned: ownedIndex,
  },
});

export type OrganizationMembershipRecord = EntityItem<typeof OrganizationMembershipEntity>;

/** Memberships: `get` one GetItem, `list` by `byUser` one Query. A user has at most one in an organization. */
export const organizationMemberships = collection(OrganizationMembershipEntity);

const pairOf = (environmentId: string, userId: string, organizationId: string) => ({
  environmentId,
  kind: 'organization_membership',
  value: `${userId}#${organizationId}`,
});

/** The row that makes a user's membership of an organization the only one, and lets the pair find it. */
export const claimPair = ({ environmentId, userId, organizationId, id }: OrganizationMembershipRecord): Write =>
  claim(pairOf(environmentId, userId, organizationId), id, ownerKey('organization', organizationId));

/** The membership of a user in an organization: two strongly consistent GetItems, one after the other. */
export async function membershipOf(
  environmentId: string,
  userId: string,
  organizationId: string,
): Promise<OrganizationMembershipRecord | undefined> {
  const id = await holderOf(pairOf(environmentId, userId, organizationId));
  return id === undefined ? undefined : organizationMemberships.get(environmentId, id);
}
