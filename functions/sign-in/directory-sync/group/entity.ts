import { sha256Hex } from '../../../kernel/keys/hash.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childIndex,
  childKey,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import type { UniqueValue } from '../../../kernel/storage/unique.ts';

const DirectoryGroupEntity = entity({
  model: model('directory-group'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    directoryId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    name: { type: 'string', required: true },
    externalId: { type: 'string' },
    /** The attributes that the provider wrote, as JSON, without the members. */
    resource: { type: 'string', required: true },
    /** The value of `updated_at` in the API: changes of members change the row, but not this time. */
    changedAt: { type: 'string', required: true },
  },
  indexes: {
    primary: recordKey('directory-group'),
    /** The groups of a directory by creation: one Query for each page. */
    byDirectory: childIndex('directory-group', 'directoryId'),
    owned: ownedIndex,
  },
});

export type DirectoryGroupRecord = RecordOf<typeof DirectoryGroupEntity>;

/** Groups of directories by id: `get` is one GetItem. */
export const directoryGroups = collection(DirectoryGroupEntity, {
  events: ['dsync.group.created', 'dsync.group.updated', 'dsync.group.deleted'],
  // Groups of deleted directories are removed without events.
  silent: ['removal'],
});

/** The unique value of a group's name in its directory, in any case. Groups from before this value have none. */
export const uniqueGroupName = (
  { environmentId, directoryId }: Pick<DirectoryGroupRecord, 'environmentId' | 'directoryId'>,
  name: string,
): UniqueValue => ({
  environmentId,
  kind: `directory-group.name#${directoryId}`,
  value: sha256Hex(name.toLowerCase()),
});

/** A user in a group: `id` is the user's SCIM id. The user's own row lists its groups. */
const GroupMemberEntity = entity({
  model: model('directory-group-member'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    groupId: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: childKey('directory-group-member', 'groupId'), owned: ownedIndex },
});

/** The members of groups. The user's row, which lists the same, has the events. */
export const groupMemberRows = collection(GroupMemberEntity, 'internal');

/**
 * The SCIM ids of all members of a group, in ascending order. It takes one strongly consistent Query for each megabyte
 * (some 3,000 members).
 */
export async function listMemberIds(environmentId: string, groupId: string): Promise<string[]> {
  const members = await groupMemberRows.list('primary', { environmentId, groupId }).toArray();
  return members.map(({ id }) => id);
}
