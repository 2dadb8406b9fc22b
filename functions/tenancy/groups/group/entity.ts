import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';
import type { Write } from '../../../kernel/storage/write.ts';

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
    /** The groups of an organization by creation: one Query for each page, eventually consistent. */
    byOrganization: childIndex('group', 'organizationId'),
    owned: ownedIndex,
  },
});

export type GroupRecord = RecordOf<typeof GroupEntity>;

/** Groups by id: `get` one strongly consistent GetItem. */
export const groups = collection(GroupEntity, {
  events: ['group.created', 'group.updated', 'group.deleted'],
});

/** A condition check that a group exists at the commit, for changes of its roles, which are rarely written. */
export const presenceOfGroup = ({ environmentId, id }: Pick<GroupRecord, 'environmentId' | 'id'>): Write =>
  groups.existenceCheck(environmentId, id);
