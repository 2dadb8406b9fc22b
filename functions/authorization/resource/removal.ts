import { collection } from '../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex } from '../../kernel/storage/due.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../kernel/storage/record.ts';
import { workKind } from '../../kernel/storage/work.ts';

/**
 * A resource that was deleted, by its id: what was written below it or on it while it was deleted is looked for once more, since
 * a write there locks no row of it.
 */
const RemovalEntity = entity({
  model: model('authorization-removal'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...dueAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    typeSlug: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: recordKey('authorization-removal'), due: dueIndex('authorization-removal'), owned: ownedIndex },
});

export type RemovalRecord = RecordOf<typeof RemovalEntity>;

export const removals = collection(RemovalEntity, 'internal');

/** A deleted resource, as far as its removal needs it. */
export interface DeletedResource {
  id: string;
  organizationId: string;
  typeSlug: string;
}

/** Removes what is below a deleted resource that had too much for one transaction. */
export const subtreeRemoval = workKind<DeletedResource>('authorization.remove_subtree');
