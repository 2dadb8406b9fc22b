import { collection } from '../../../../kernel/storage/collection.ts';
import { ownedRecord } from '../../../../kernel/storage/record.ts';
import { type RecordOf, entity } from '../../../../kernel/storage/entity.ts';
import { PASSWORD_HASH_TYPES } from './hash/hash.ts';

/**
 * The hash of a user's password, in a separate row, so that no response, event or list with the user can contain it. Its id
 * is the user's.
 */
const PasswordEntity = entity(
  ownedRecord('password', {
    /** The hash in PHC form if the service made it, otherwise as imported. */
    hash: { type: 'string', required: true },
    /** The type: `own` for argon2id of the normalized password, otherwise the type of the import. */
    type: { type: ['own', ...PASSWORD_HASH_TYPES] as const, required: true },
    saltPosition: { type: ['prefix', 'suffix'] as const },
  }),
);

export type PasswordRecord = RecordOf<typeof PasswordEntity>;

/**
 * The costs of an environment's imported hashes, in one row whose id is the environment's. For some unknown addresses a
 * sign-in costs as much as one with an imported hash; otherwise the time would reveal imported users who have not signed in
 * since.
 */
const DecoysEntity = entity(
  ownedRecord('password-decoys', {
    /** The key with which an address selects its decoy: 32 random bytes in hex. */
    secret: { type: 'string', required: true },
    hashes: {
      type: 'list',
      required: true,
      items: {
        type: 'map',
        properties: {
          type: { type: PASSWORD_HASH_TYPES, required: true },
          hash: { type: 'string', required: true },
        },
      },
    },
  }),
);

export type DecoysRecord = RecordOf<typeof DecoysEntity>;

export const passwordDecoys = collection(DecoysEntity, 'internal');

/** Hashes of passwords by their users' ids: `get` is one strongly consistent GetItem. */
export const passwords = collection(PasswordEntity, 'internal');
