import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { ownedRecord } from '../../../kernel/storage/record.ts';

/** The recovery codes of a user, which replace a second factor that was lost. The id is the user's. */
const RecoveryCodesEntity = entity(
  ownedRecord('recovery-codes', {
    /** SHA-256 of each code that was not used. A code has 80 random bits, so a slow hash would add nothing. */
    hashes: { type: 'list', items: { type: 'string' }, required: true },
  }),
);

/** Recovery codes by their user's id: one strongly consistent GetItem. */
export const recoveryCodes = collection(RecoveryCodesEntity, 'internal');
