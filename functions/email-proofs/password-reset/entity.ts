import { collection } from '../../kernel/storage/collection.ts';
import { ownedRecord } from '../../kernel/storage/record.ts';
import { type RecordOf, entity } from '../../kernel/storage/entity.ts';

/** A token that was sent to a user who forgot a password. */
const PasswordResetEntity = entity(
  ownedRecord('password-reset', {
    userId: { type: 'string', required: true, readOnly: true },
    /** The address that it was sent to. */
    email: { type: 'string', required: true, readOnly: true },
    /** SHA-256 of the token: it has full entropy. */
    tokenHash: { type: 'string', required: true },
    /** The token, encrypted for this record only, for the responses that show it. */
    sealedToken: { type: 'any', required: true },
    /** The user's epoch when it was made; under another one it is invalid. */
    credentialEpoch: { type: 'number', required: true },
    /** ISO 8601: the time when the token expires. */
    endsAt: { type: 'string', required: true },
    usedAt: { type: 'string' },
    /** Seconds since the epoch: the time when the row may be deleted. */
    expiresAt: { type: 'number', required: true },
  }),
);

export type PasswordResetRecord = RecordOf<typeof PasswordResetEntity>;

/** Password resets: `get` one GetItem; a token finds its record in the same way. */
export const passwordResets = collection(PasswordResetEntity, {
  events: ['password_reset.created', 'password_reset.succeeded'],
});
