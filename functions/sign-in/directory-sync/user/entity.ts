import { awaitAll } from '../../../kernel/concurrency.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import type { List } from '../../../kernel/storage/list.ts';
import {
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  recordKey,
  sortedBy,
} from '../../../kernel/storage/record.ts';
import { findHolder, type UniqueValue } from '../../../kernel/storage/unique.ts';

/**
 * A user of a directory: a SCIM resource and, while `userId` is set, a directory user in the API. If a user becomes
 * inactive in a directory that deletes such users, the row is kept, so that the provider finds the user again under the
 * same SCIM id.
 */
const DirectoryUserEntity = entity({
  model: model('directory-user'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    directoryId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The id in the API: that of the row, or a new one after the user returned. Absent while the API has no such user. */
    userId: { type: 'string' },
    /** The time since which the API has the user. */
    userCreatedAt: { type: 'string' },
    /** `updated_at` in the API and `lastModified` in SCIM: memberships of groups change the row, but not this time. */
    changedAt: { type: 'string', required: true },
    state: { type: ['active', 'suspended', 'inactive'] as const, required: true },
    userName: { type: 'string', required: true },
    externalId: { type: 'string' },
    /** The normalized email address of the user. */
    email: { type: 'string' },
    /** The attributes that the provider wrote, as JSON. */
    resource: { type: 'string', required: true },
    /** The values of the directory's custom attributes. */
    customAttributes: { type: 'any', required: true },
    /** The groups of the directory in which the user is. */
    groupIds: { type: 'list', items: { type: 'string' }, required: true },
    /** Slugs of the roles that the groups gave when the membership was last written. */
    mappedRoles: { type: 'list', items: { type: 'string' } },
    /** The user and the membership that the directory manages for this directory user. */
    memberUserId: { type: 'string' },
    membershipId: { type: 'string' },
  },
  indexes: {
    primary: recordKey('directory-user'),
    /** The users of a directory in the API, by their ids there: one Query for each page. */
    byDirectory: {
      index: 'gsi1',
      condition: ({ userId }: { userId?: unknown }) => Boolean(userId),
      pk: partition('gsi1pk', 'directory-user', 'directoryId'),
      sk: sortedBy('gsi1sk', 'userId'),
    },
    /** All users of a directory by their SCIM ids: one Query for each page. */
    byResource: {
      index: 'gsi2',
      pk: partition('gsi2pk', 'scim-user', 'directoryId'),
      sk: sortedBy('gsi2sk', 'id'),
    },
    owned: ownedIndex,
  },
});

export type DirectoryUserRecord = RecordOf<typeof DirectoryUserEntity>;

/** Users of directories by their SCIM ids: `get` is one GetItem. */
export const directoryUsers = collection(DirectoryUserEntity, {
  events: [
    'dsync.user.created',
    'dsync.user.updated',
    'dsync.user.deleted',
    'dsync.group.user_added',
    'dsync.group.user_removed',
  ],
  // Users without an id in the API change without events, and users of deleted directories are removed without events. The
  // events of a user who returned and leaves again contain the later id.
  silent: [
    'creation',
    'removal',
    'userId',
    'userCreatedAt',
    'changedAt',
    'state',
    'userName',
    'externalId',
    'email',
    'resource',
    'customAttributes',
    'groupIds',
    'mappedRoles',
    'memberUserId',
    'membershipId',
  ],
});

/** The key that makes a user name unique in a directory, ignoring case. */
export const userNameOf = (environmentId: string, directoryId: string, hash: string): UniqueValue => ({
  environmentId,
  kind: `directory-user.user_name#${directoryId}`,
  value: hash,
});

/**
 * The unique value of the new id in the API of a user who was deactivated and activated again; the row keeps its own id.
 */
export const laterIdOf = (environmentId: string, userId: string): UniqueValue => ({
  environmentId,
  kind: 'directory-user.id',
  value: userId,
});

/** Finds a user by its id in the API, in one round trip, or two for a user who returned. */
export async function findDirectoryUser(
  environmentId: string,
  userId: string,
): Promise<DirectoryUserRecord | undefined> {
  const [first, rowId] = await awaitAll([
    directoryUsers.get(environmentId, userId),
    findHolder(laterIdOf(environmentId, userId)),
  ]);
  const record = rowId === undefined ? first : await directoryUsers.get(environmentId, rowId);
  return record?.userId === userId ? record : undefined;
}

/** The users of a directory in the API, by their ids there, in an index that lags by moments. */
export const listDirectoryUsers = (environmentId: string, directoryId: string): List<DirectoryUserRecord> =>
  directoryUsers.list('byDirectory', { environmentId, directoryId });
