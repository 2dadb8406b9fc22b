import { collection } from '../storage/collection.ts';
import { entity, type RecordOf } from '../storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../storage/record.ts';

/** A grant: its id is the hash of its value, so that the presented value finds it with one GetItem. */
const GrantEntity = entity({
  model: model('grant'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The ids of the operations that the grant may call. */
    operations: { type: 'list', items: { type: 'string' }, required: true },
    actorId: { type: 'string', required: true },
    actorName: { type: 'string' },
  },
  indexes: { primary: recordKey('grant'), owned: ownedIndex },
});

export type GrantRecord = RecordOf<typeof GrantEntity>;
export const grants = collection(GrantEntity, 'internal');
