import { codeAttributes } from '../../kernel/one-time-code/code.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A code that was sent for signing in. An entered code is compared with the address's current code. */
const MagicAuthEntity = entity({
  model: model('magic-auth'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...codeAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    email: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: recordKey('magic-auth'), owned: ownedIndex },
});

export type MagicAuthRecord = RecordOf<typeof MagicAuthEntity>;

/** Magic auth codes: `get` one GetItem. */
export const magicAuths = collection(MagicAuthEntity, {
  events: ['magic_auth.created'],
});
