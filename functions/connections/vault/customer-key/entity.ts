import { createHash } from 'node:crypto';

import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

/** A context entry whose objects are encrypted with a customer's KMS key. */
const CustomerKeyEntity = entity({
  model: model('vault-customer-key'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    entryName: { type: 'string', required: true, readOnly: true },
    entryValue: { type: 'string', required: true, readOnly: true },
    keyArn: { type: 'string', required: true },
  },
  indexes: {
    primary: recordKey('vault-customer-key'),
    byId: creationIndex('vault-customer-key'),
    owned: ownedIndex,
  },
});

export type CustomerKeyRecord = RecordOf<typeof CustomerKeyEntity>;

/** Mappings: `get` is one GetItem, `getMany` one BatchGetItem, `list` by `byId` one Query. */
export const customerKeys = collection(CustomerKeyEntity, 'silent');

/**
 * The id of the mapping of an entry is derived from the entry, so the mappings of a context are read without an index.
 */
export const hashCustomerKey = (name: string, value: string): string =>
  `customer_key_${createHash('sha256')
    .update(JSON.stringify([name, value]))
    .digest('hex')
    .slice(0, 40)}`;
