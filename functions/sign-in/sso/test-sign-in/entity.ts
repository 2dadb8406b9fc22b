import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, ownedRecord } from '../../../kernel/storage/record.ts';

/** A test sign-in that was not opened yet. Its id is the hash of the token in its URL, so it is read by one GetItem. */
const TestSignInEntity = entity(
  ownedRecord('sso-test', {
    ...expiringAttributes,
    connectionId: { type: 'string', required: true },
    returnUrl: { type: 'string' },
    loginHint: { type: 'string' },
  }),
);

export type TestSignInRecord = RecordOf<typeof TestSignInEntity>;
export const testSignIns = collection(TestSignInEntity, 'internal');
