import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { recordHolder, removeHolder, type RoleHolder } from '../../../tenancy/modules/role-holders/public.ts';

/**
 * A role of a membership on a resource below the organization. It is in the membership's partition, which also lists its
 * groups, so that a check reads both with one strongly consistent Query. It contains only ids, so that a new role or
 * resource with the name of a deleted one does not restore it.
 */
const GrantEntity = entity({
  model: model('authorization-grant'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    membershipId: { type: 'string', required: true, readOnly: true },
    roleId: { type: 'string', required: true, readOnly: true },
    resourceId: { type: 'string', required: true, readOnly: true },
    /** The identifiers of the resource, which never change, so that a list returns them without reading the resource. */
    typeSlug: { type: 'string', required: true, readOnly: true },
    externalId: { type: 'string', required: true, readOnly: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'grants', 'membershipId'),
      sk: sortedBy('sk', 'resourceId', 'roleId'),
    },
    /** The role assignments on a resource in the order of their ids: one Query for each page, eventually consistent. */
    byResource: attributeIndex('authorization-grant', 'resourceId'),
    owned: ownedIndex,
  },
});

export type GrantRecord = RecordOf<typeof GrantEntity>;

/** Roles of memberships on resources below their organizations. */
export const grants = collection(GrantEntity, 'silent');

const holderOf = ({ environmentId, organizationId, roleId, resourceId, membershipId }: GrantFields): RoleHolder => ({
  environmentId,
  organizationId,
  roleId,
  resourceId,
  kind: 'membership',
  holderId: membershipId,
});

type GrantFields = Pick<GrantRecord, 'environmentId' | 'organizationId' | 'membershipId' | 'roleId' | 'resourceId'>;

/**
 * A new grant and its row in the partition of the role's holders. The first write fails if the membership already has the
 * grant.
 */
export function createGrant(
  fields: Pick<GrantRecord, 'id' | 'typeSlug' | 'externalId'> & GrantFields,
  at?: string,
): { record: GrantRecord; writes: Write[] } {
  const owner = ownerKey('organization', fields.organizationId);
  const { record, write } = grants.create({ ...fields, owner }, at);
  return { record, writes: [write, recordHolder(holderOf(fields))] };
}

/** The writes that remove a grant, whether or not it exists. */
export function removalOfGrant(fields: GrantFields): Write[] {
  const { environmentId, membershipId, resourceId, roleId } = fields;
  const { TableName, Key } = grants
    .entity()
    .delete({ environmentId, membershipId, resourceId, roleId })
    .params<{ TableName: string; Key: Record<string, unknown> }>();
  return [{ kind: 'Delete', params: { TableName, Key } }, removeHolder(holderOf(fields))];
}
