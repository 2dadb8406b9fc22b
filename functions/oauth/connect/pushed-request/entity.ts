import { collection } from '../../../kernel/storage/collection.ts';
import { entity } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/** An authorization request that an application pushed (RFC 9126): one GetItem by the hash of its reference. */
const PushedRequestEntity = entity({
  model: model('connect-pushed-request'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    applicationId: { type: 'string', required: true, readOnly: true },
    /** The parameters as they were sent, as a query, encrypted under the reference. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('connect-pushed-request') },
});

export const pushedRequests = collection(PushedRequestEntity, 'internal');
