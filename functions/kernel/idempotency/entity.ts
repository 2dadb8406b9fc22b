import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../storage/record.ts';

/** The stored response of a call, which is written in the call's own transaction and kept for 24 hours. */
const IdempotencyEntity = entity({
  model: model('idempotency'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /**
     * The response, a digest of its request and the key of the record that it created, encrypted under the caller's
     * credential.
     */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('idempotency') },
});

export type IdempotencyRow = RecordOf<typeof IdempotencyEntity>;
export const idempotencyRows = collection(IdempotencyEntity, 'internal');
