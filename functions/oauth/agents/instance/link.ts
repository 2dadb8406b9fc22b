import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import type { List } from '../../../kernel/storage/list.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../kernel/storage/record.ts';

/**
 * Rows that list the children of a record. Children are the sessions of a blueprint or an instance, the sessions that a
 * session delegated, and the instances of a blueprint or a membership. It takes one strongly consistent Query for each page,
 * so that a worker finds rows that a lagging index does not show yet.
 */
const LinkEntity = entity({
  model: model('agent-link'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    parentId: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: childKey('agent-link', 'parentId'), owned: ownedIndex },
});

export type LinkRecord = RecordOf<typeof LinkEntity>;

export const links = collection(LinkEntity, 'internal');

/** The parent id of the instances of a blueprint. Its sessions have the blueprint's own id as their parent. */
export const makeInstancesParent = (blueprintId: string): string => `${blueprintId}#instances`;

/** The rows of the children of a record, each with the id of the child, strongly consistent. */
export const listLinked = (environmentId: string, parentId: string): List<LinkRecord> =>
  links.list('primary', { environmentId, parentId });
