import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { childKey, model, ownedAttributes, ownedIndex, recordAttributes } from '../../../kernel/storage/record.ts';

const ItContactEntity = entity({
  model: model('it-contact'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    email: { type: 'string', required: true },
  },
  indexes: {
    primary: childKey('it-contact', 'organizationId'),
    owned: ownedIndex,
  },
});

export type ItContactRecord = RecordOf<typeof ItContactEntity>;
/**
 * Contacts in their organization's partition: `get` is one GetItem, `list` by `primary` one Query, both strongly
 * consistent.
 */
export const itContacts = collection(ItContactEntity, 'silent');
