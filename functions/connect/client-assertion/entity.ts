import { collection } from '../../kernel/storage/collection.ts';
import { entity } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** An assertion that was used, until it would have expired: its id is the hash of the client id and `jti`. One GetItem. */
const UsedAssertionEntity = entity({
  model: model('connect-used-assertion'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** Identifies the call that used it, which may write the row twice after a lost response. */
    call: { type: 'string', required: true },
  },
  indexes: { primary: recordKey('connect-used-assertion') },
});

export const usedAssertions = collection(UsedAssertionEntity, 'internal');
