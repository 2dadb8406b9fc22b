import { codeAttributes } from '../../../../kernel/one-time-code/code.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { ownedRecord } from '../../../../kernel/storage/record.ts';
import { type RecordOf, entity } from '../../../../kernel/storage/entity.ts';

/** A code that was sent to verify an address. An entered code is compared with the user's current code. */
const EmailVerificationEntity = entity(
  ownedRecord('email-verification', {
    ...codeAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    email: { type: 'string', required: true, readOnly: true },
  }),
);

export type EmailVerificationRecord = RecordOf<typeof EmailVerificationEntity>;

/** Email verifications: `get` is one GetItem. */
export const emailVerifications = collection(EmailVerificationEntity, {
  events: ['email_verification.created'],
});
