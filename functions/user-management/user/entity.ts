import { Entity, type EntityItem } from 'electrodb';

import { collection } from '../../kernel/storage/collection.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';

const UserEntity = new Entity({
  model: model('user'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    email: { type: 'string', required: true },
    emailVerified: { type: 'boolean', required: true },
    firstName: { type: 'string' },
    lastName: { type: 'string' },
    profilePictureUrl: { type: 'string' },
    externalId: { type: 'string' },
    metadata: { type: 'any', required: true },
    lastSignInAt: { type: 'string' },
    locale: { type: 'string' },
    /**
     * Raised by whatever ends what was begun before it: a password set, an email changed, unproven credentials removed. What
     * lets somebody finish later (a reset token, a pending sign-in) notes it and is refused under another one. Absent is 0.
     */
    credentialEpoch: { type: 'number' },
  },
  indexes: { primary: recordKey('user'), byCreation: creationIndex('user'), owned: ownedIndex },
});

export type UserRecord = EntityItem<typeof UserEntity>;

/** Users of an environment: `get` one GetItem, `list` by `byCreation` one Query. */
export const users = collection(UserEntity);
