import { Entity, type EntityItem } from 'electrodb';

import { codeAttributes } from '../../kernel/one-time-code/code.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A code that was sent to prove an address. What counts when it is entered is the user's current code. */
const EmailVerificationEntity = new Entity({
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

export type EmailVerificationRecord = EntityItem<typeof EmailVerificationEntity>;

/** Email verifications: `get` one GetItem. */
export const emailVerifications = collection(EmailVerificationEntity);
