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
 * The sessions of a blueprint, of an instance, and those that a user's session or another session delegated; the instances of a
 * blueprint and of a membership. One strongly consistent Query a page, so that a worker misses nothing that a lagging index
 * does not show yet.
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

/** The parent of a blueprint's instances: its sessions have its id. */
export const makeInstancesParent = (blueprintId: string): string => `${blueprintId}#instances`;

/** The ids below a parent, of a page: one strongly consistent Query. */
export const listLinked = async (environmentId: string, parentId: string, window: Window): Promise<string[]> =>
  (await links.list('primary', { environmentId, parentId }, window)).map(({ id }) => id);
