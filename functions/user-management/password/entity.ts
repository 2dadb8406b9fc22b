import { Entity, type EntityItem } from 'electrodb';

import { collection } from '../../kernel/storage/collection.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';
import { PASSWORD_HASH_TYPES } from './hash/hash.ts';

/**
 * The hash of a user's password: a row of its own, so that no answer, event or list that shows the user can show it. Its id is the
 * user's.
 */
const PasswordEntity = new Entity({
  model: model('password'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** PHC form where the service made it, else as it was imported. */
    hash: { type: 'string', required: true },
    /** `own` for argon2id of the normalized password; else the type under which it was imported. */
    type: { type: ['own', ...PASSWORD_HASH_TYPES] as const, required: true },
    saltPosition: { type: ['prefix', 'suffix'] as const },
  },
  indexes: { primary: recordKey('password'), owned: ownedIndex },
});

export type PasswordRecord = EntityItem<typeof PasswordEntity>;

/** Hashes of passwords by their users' ids: one strongly consistent GetItem. */
export const passwords = collection(PasswordEntity);

/** Whether a user has a password: one GetItem. */
export const hasPassword = async (environmentId: string, userId: string): Promise<boolean> =>
  (await passwords.get(environmentId, userId)) !== undefined;
