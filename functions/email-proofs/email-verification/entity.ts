import { codeAttributes } from '../../kernel/one-time-code/code.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A code that was sent to verify an address. An entered code is compared with the user's current code. */
const EmailVerificationEntity = entity({
  model: model('email-verification'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...codeAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    email: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: recordKey('email-verification'), owned: ownedIndex },
});

export type EmailVerificationRecord = RecordOf<typeof EmailVerificationEntity>;

/** Email verifications: `get` one GetItem. */
export const emailVerifications = collection(EmailVerificationEntity, {
  events: ['email_verification.created'],
});
