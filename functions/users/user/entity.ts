import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';

const UserEntity = entity({
  model: model('user'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** As `normalizeEmail` gives it. */
    email: { type: 'string', required: true },
    emailVerified: { type: 'boolean', required: true },
    /**
     * True once an address of this account was found verified, whichever it was; never cleared. Absent in rows that were
     * written before it existed: {@link hasProvedAddress} reads both.
     */
    everProved: { type: 'boolean' },
    firstName: { type: 'string' },
    lastName: { type: 'string' },
    /** The full name; independent of the two others, which not every language has. */
    name: { type: 'string' },
    profilePictureUrl: { type: 'string' },
    externalId: { type: 'string' },
    metadata: { type: 'any', required: true },
    lastSignInAt: { type: 'string' },
    locale: { type: 'string' },
    /**
     * `updated_at` on the wire. The row's own `updatedAt` moves with every revision, also those that only keep two calls
     * of one user from passing each other.
     */
    changedAt: { type: 'string' },
    /**
     * Raised by whatever ends what was begun before it: a password set, an email changed, unproven credentials removed. What
     * lets somebody finish later (a reset token, a pending sign-in) notes it and is refused under another one. Absent is 0.
     */
    credentialEpoch: { type: 'number' },
    /**
     * Raised by the first proof of an address, which may make the account somebody else's. What lets somebody act as the user
     * later on (API keys, connected accounts and their authorizations) notes it and is invalid under another one. Absent is 0.
     */
    ownershipEpoch: { type: 'number' },
  },
  indexes: { primary: recordKey('user'), byCreation: creationIndex('user'), owned: ownedIndex },
});

export type UserRecord = RecordOf<typeof UserEntity>;

/** Users of an environment: `get` one GetItem, `list` by `byCreation` one Query. */
export const users = collection(UserEntity);

/** The unique email address of a user; kept by the environment, since the value outlives the user who had it. */
export const emailOf = (environmentId: string, email: string) => ({ environmentId, kind: 'user.email', value: email });

/** The unique `external_id` of a user. */
export const externalIdOf = (environmentId: string, externalId: string) => ({
  environmentId,
  kind: 'user.external_id',
  value: externalId,
});
