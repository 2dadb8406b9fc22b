import { collection } from '../../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex } from '../../../kernel/storage/due.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { model, ownedAttributes, ownedIndex, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';
import { workKind } from '../../../kernel/storage/work.ts';

/**
 * A deleted resource by its id. A second sweep looks for rows that were written below it or on it during the deletion, since
 * such a write does not conflict with the deletion.
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

/** The attributes of a deleted resource that its removal needs. */
export interface DeletedResource {
  id: string;
  organizationId: string;
  typeSlug: string;
}

/** The work that removes the subtree of a deleted resource if it was too large for one transaction. */
export const subtreeRemoval = workKind<DeletedResource>('authorization.remove_subtree', { runs: 1 });
