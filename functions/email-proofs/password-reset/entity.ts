import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A token that was sent to somebody who forgot a password. */
const PasswordResetEntity = entity({
  model: model('password-reset'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    /** The address that it was sent to. */
    email: { type: 'string', required: true, readOnly: true },
    /** SHA-256 of the token: it has full entropy. */
    tokenHash: { type: 'string', required: true },
    /** The token in an envelope of this record, for the answers that show it. */
    sealedToken: { type: 'any', required: true },
    /** The user's epoch when it was made; under another one it works no longer. */
    credentialEpoch: { type: 'number', required: true },
    /** ISO 8601: when the token stops working. */
    endsAt: { type: 'string', required: true },
    usedAt: { type: 'string' },
    /** Seconds since the epoch: when the row may go. */
    expiresAt: { type: 'number', required: true },
  },
  indexes: { primary: recordKey('password-reset'), owned: ownedIndex },
});

export type PasswordResetRecord = RecordOf<typeof PasswordResetEntity>;

/** Password resets: `get` one GetItem, which is also how a token finds its record. */
export const passwordResets = collection(PasswordResetEntity);
