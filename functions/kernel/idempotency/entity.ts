import { collection } from '../storage/collection.ts';
import { entity } from '../storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../storage/record.ts';

/** The remembered answer of a call: written in the call's own transaction, kept for 24 hours. */
const IdempotencyEntity = entity({
  model: model('idempotency'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    /** The answer and a digest of its request, sealed under what the caller showed. */
    sealed: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('idempotency') },
});

export const idempotencyRows = collection(IdempotencyEntity);
