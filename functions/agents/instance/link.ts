import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../kernel/storage/record.ts';
import type { Window } from '../../kernel/storage/window.ts';

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

/** The ids of the children on a page, by one strongly consistent Query. */
export const listLinked = async (environmentId: string, parentId: string, window: Window): Promise<string[]> =>
  (await links.list('primary', { environmentId, parentId }, window)).map(({ id }) => id);
