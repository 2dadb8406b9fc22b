import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';

const GroupEntity = entity({
  model: model('group'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    name: { type: 'string', required: true },
    description: { type: 'string' },
  },
  indexes: {
    primary: recordKey('group'),
    /** Those of an organization by creation: one Query a page, which lags by moments. */
    byOrganization: childIndex('group', 'organizationId'),
    owned: ownedIndex,
  },
});

export type GroupRecord = RecordOf<typeof GroupEntity>;

/** Groups by id: `get` one strongly consistent GetItem. */
export const groups = collection(GroupEntity);
