import { collection } from '../../../../kernel/storage/collection.ts';
import { ownedRecord } from '../../../../kernel/storage/record.ts';
import { type RecordOf, entity } from '../../../../kernel/storage/entity.ts';

/** A token that was sent to a user who forgot a password. */
const PasswordResetEntity = entity(
  ownedRecord('password-reset', {
    userId: { type: 'string', required: true, readOnly: true },
    /** The address that the link was sent to. */
    email: { type: 'string', required: true, readOnly: true },
    /** SHA-256 of the token, which has full entropy. */
    tokenHash: { type: 'string', required: true },
    /** The token, encrypted for this record only, for the responses that show it. */
    sealedToken: { type: 'any', required: true },
    /** The user's epoch when the token was made: the token is invalid when the user has another one. */
    credentialEpoch: { type: 'number', required: true },
    /** The time when the token expires (ISO 8601). */
    endsAt: { type: 'string', required: true },
    usedAt: { type: 'string' },
    /** The time from which the row may be deleted, in seconds since the epoch. */
    expiresAt: { type: 'number', required: true },
  }),
);

export type PasswordResetRecord = RecordOf<typeof PasswordResetEntity>;

/** Password resets: `get` is one GetItem; a token finds its record in the same way. */
export const passwordResets = collection(PasswordResetEntity, {
  events: ['password_reset.created', 'password_reset.succeeded'],
});
