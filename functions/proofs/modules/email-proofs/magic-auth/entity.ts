import { codeAttributes } from '../../../../kernel/one-time-code/code.ts';
import { collection } from '../../../../kernel/storage/collection.ts';
import { ownedRecord } from '../../../../kernel/storage/record.ts';
import { type RecordOf, entity } from '../../../../kernel/storage/entity.ts';

/** A code that was sent for signing in. An entered code is compared with the address's current code. */
const MagicAuthEntity = entity(
  ownedRecord('magic-auth', {
    ...codeAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    email: { type: 'string', required: true, readOnly: true },
  }),
);

export type MagicAuthRecord = RecordOf<typeof MagicAuthEntity>;

/** Magic auth codes: `get` is one GetItem. */
export const magicAuths = collection(MagicAuthEntity, {
  events: ['magic_auth.created'],
});
