import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../../../kernel/storage/record.ts';
import { shardAttributes, shardedIndex } from '../../../../kernel/storage/shards.ts';
import type { Activity } from './activity.ts';

const UserEntity = entity({
  model: model('user'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...shardAttributes(6),
    /** The email address, normalized by `normalizeEmail`. */
    email: { type: 'string', required: true },
    emailVerified: { type: 'boolean', required: true },
    /**
     * True after any address of this account was verified; never cleared. Absent in older rows: {@link
     * hasProvedAddress} reads both.
     */
    everProved: { type: 'boolean' },
    firstName: { type: 'string' },
    lastName: { type: 'string' },
    /** The full name. It is independent of `firstName` and `lastName`, because not every language has these. */
    name: { type: 'string' },
    profilePictureUrl: { type: 'string' },
    externalId: { type: 'string' },
    metadata: { type: 'any', required: true },
    locale: { type: 'string' },
    /**
     * The value of `updated_at` in the API. The row's own `updatedAt` changes with every revision, including those that
     * responses do not show.
     */
    changedAt: { type: 'string' },
    /**
     * A number that changes which invalidate earlier credentials increment: a password set, an email changed, unproven
     * credentials removed. A reset token or a pending sign-in stores it and is invalid when the user has another one. An
     * absent epoch counts as 0.
     */
    credentialEpoch: { type: 'number' },
    /**
     * A number that the first proof of an address increments, since it may transfer the account to another person. API
     * keys, connected accounts and their authorizations store it and are invalid when the user has another one. An absent
     * epoch counts as 0.
     */
    ownershipEpoch: { type: 'number' },
  },
  indexes: { primary: recordKey('user'), byCreation: shardedIndex('user'), owned: ownedIndex },
});

/** A user, with the activity that is in a row of its own. */
export type UserRecord = RecordOf<typeof UserEntity> & Activity;

/** Users of an environment: `get` is one GetItem, `list` by `byCreation` one Query of each shard. */
export const users = collection(UserEntity, {
  events: ['user.created', 'user.updated', 'user.deleted'],
  // The following attributes are in no response.
  silent: ['changedAt', 'everProved', 'credentialEpoch'],
});

/**
 * The unique email address of a user. The environment owns the row, since the value may be used again after its user is
 * deleted.
 */
export const emailOf = (environmentId: string, email: string) => ({ environmentId, kind: 'user.email', value: email });

/** The unique `external_id` of a user. */
export const externalIdOf = (environmentId: string, externalId: string) => ({
  environmentId,
  kind: 'user.external_id',
  value: externalId,
});
