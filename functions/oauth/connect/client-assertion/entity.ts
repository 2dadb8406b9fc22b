import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/**
 * A record of a used assertion, which is kept until the assertion expires. Its id is the hash of the client id and `jti`. It
 * is read with one GetItem.
 */
const UsedAssertionEntity = entity({
  model: model('connect-used-assertion'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /**
     * Identifies the call that used the assertion, because a call may write the row again if the response to its first write
     * was lost.
     */
    call: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('connect-used-assertion') },
});

export const usedAssertions = collection(UsedAssertionEntity, 'internal');
