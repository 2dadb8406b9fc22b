import { collection } from '../../../functions/kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../functions/kernel/storage/entity.ts';
import { creationIndex, model, recordAttributes, recordKey } from '../../../functions/kernel/storage/record.ts';

const NoteEntity = entity({
  model: model('note'),
  attributes: {
    ...recordAttributes,
    text: { type: 'string', required: true },
    count: { type: 'number', required: true },
  },
  indexes: { primary: recordKey('note'), byCreation: creationIndex('note') },
});

export type NoteRecord = RecordOf<typeof NoteEntity>;
export const notes = collection(NoteEntity, 'internal');
