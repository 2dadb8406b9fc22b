import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';

/** A test sign-in that was not opened yet. Its id is the hash of the token in its URL, so it is read by one GetItem. */
const TestSignInEntity = entity({
  model: model('sso-test'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    connectionId: { type: 'string', required: true },
    returnUrl: { type: 'string' },
    loginHint: { type: 'string' },
  },
  indexes: { primary: recordKey('sso-test'), owned: ownedIndex },
});

export type TestSignInRecord = RecordOf<typeof TestSignInEntity>;
export const testSignIns = collection(TestSignInEntity, 'internal');
