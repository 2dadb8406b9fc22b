import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../storage/record.ts';

/** The remembered answer of a call: written in the call's own transaction, kept for 24 hours. */
const IdempotencyEntity = entity({
  model: model('idempotency'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** The answer, a digest of its request and the key of the record it created, sealed under what the caller showed. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('idempotency') },
});

export type IdempotencyRow = RecordOf<typeof IdempotencyEntity>;
export const idempotencyRows = collection(IdempotencyEntity);
