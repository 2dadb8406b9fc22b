import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  partition,
  recordAttributes,
  recordKey,
  sortedBy,
} from '../../../../kernel/storage/record.ts';
import type { Write } from '../../../../kernel/storage/write.ts';

const attributes = {
  ...recordAttributes,
  ...ownedAttributes,
  userId: { type: 'string', required: true, readOnly: true },
  organizationId: { type: 'string', required: true, readOnly: true },
  status: { type: ['active', 'inactive', 'pending'] as const, required: true },
  directoryManaged: { type: 'boolean', required: true },
  /** The caller that made an inactive membership inactive: its directory may make it active again only if that was a directory. */
  inactiveBy: { type: ['directory', 'administrator'] as const },
  customAttributes: { type: 'any' },
  /** Slugs of the effective roles, the highest priority first. */
  roles: { type: 'list', items: { type: 'string' }, required: true },
  /** Roles of the membership itself, as `RoleReference`; absent in older rows, for which they equal `roles`. */
  givenRoles: { type: 'any' },
  /** Ids of the roles that its groups have at the organization, as far as the worker has applied changes of the groups. */
  groupRoleIds: { type: 'list', items: { type: 'string' } },
} as const;

const OrganizationMembershipEntity = entity({
  model: model('organization-membership'),
  attributes,
  indexes: {
    primary: recordKey('organization-membership'),
    /** The memberships of an organization with a status, by creation: one Query for each page, which lags by moments. */
    byOrganization: childIndex('organization-membership', 'organizationId', 'status'),
    owned: ownedIndex,
  },
});

/**
 * A second row of the same record in its user's partition, by organization: it makes the pair unique, finds it in one
 * read, and lists a user's memberships strongly consistent. Both rows are always written together.
 */
const PlaceEntity = entity({
  model: model('organization-membership-place'),
  attributes,
  indexes: {
    primary: {
      pk: partition('pk', 'organization-membership-place', 'userId'),
      sk: sortedBy('sk', 'organizationId'),
    },
    /** The users of an organization by their ids: one Query for each page, which lags by moments. */
    byOrganization: {
      index: 'gsi1',
      pk: partition('gsi1pk', 'organization-membership-place', 'organizationId'),
      sk: sortedBy('gsi1sk', 'userId'),
    },
    owned: ownedIndex,
  },
});

export type OrganizationMembershipRecord = RecordOf<typeof OrganizationMembershipEntity>;

/** Memberships by id: `get` is one GetItem. A user has at most one in an organization. */
export const organizationMemberships = collection(OrganizationMembershipEntity, {
  events: ['organization_membership.created', 'organization_membership.updated', 'organization_membership.deleted'],
  // Changes of the following attributes need no event, because a membership does not show the sources of its roles, nor who has
  // made it inactive.
  silent: ['givenRoles', 'groupRoleIds', 'inactiveBy'],
});

/** The same records by user and organization. */
export const places = collection(PlaceEntity, 'internal');

/** The fields of a new membership. */
export type NewMembership = Pick<
  OrganizationMembershipRecord,
  'environmentId' | 'id' | 'userId' | 'organizationId' | 'status' | 'roles' | 'givenRoles'
> & { directoryManaged?: boolean; customAttributes?: Record<string, unknown>; createdAt?: string; updatedAt?: string };

/**
 * A membership and the writes of its rows. The second write fails if the user has a membership in the organization already.
 */
export interface MembershipChange {
  record: OrganizationMembershipRecord;
  writes: [byId: Write, byPair: Write];
}

/** A new membership, created at the current or at the given times. */
export function createMembership(membership: NewMembership): MembershipChange {
  const { directoryManaged = false, createdAt, updatedAt, ...members } = membership;
  const owner = ownerKey('organization', membership.organizationId);
  const byId = organizationMemberships.create({ ...members, owner, directoryManaged }, createdAt, updatedAt);
  // The two rows of a membership have the same times, since they are one record.
  const { record } = byId;
  return { record, writes: [byId.write, places.create(record, record.createdAt, record.updatedAt).write] };
}

/** A new state of a membership. The write fails if it was changed since it was read. */
export function reviseMembership(
  record: OrganizationMembershipRecord,
  changes: Partial<
    Pick<OrganizationMembershipRecord, 'status' | 'roles' | 'givenRoles' | 'directoryManaged' | 'customAttributes'>
  > & {
    inactiveBy?: OrganizationMembershipRecord['inactiveBy'] | undefined;
    groupRoleIds?: string[] | undefined;
  },
  updatedAt?: string,
): MembershipChange {
  const byId = organizationMemberships.revise(record, changes, updatedAt);
  return { record: byId.record, writes: [byId.write, places.revise(record, changes, byId.record.updatedAt).write] };
}

/** The writes that remove a membership. They fail if it was changed since it was read. */
export const removalOfMembership = (record: OrganizationMembershipRecord): Write[] => [
  organizationMemberships.remove(record),
  places.remove(record),
];

/** A condition check that a membership exists at the commit. */
export const presenceOfMembership = ({ environmentId, id }: { environmentId: string; id: string }): Write =>
  organizationMemberships.existenceCheck(environmentId, id);
