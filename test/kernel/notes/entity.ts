import { Entity, type EntityItem } from 'electrodb';

import { collection } from '../../../functions/kernel/storage/collection.ts';
import { creationIndex, model, recordAttributes, recordKey } from '../../../functions/kernel/storage/record.ts';

const NoteEntity = new Entity({
  model: model('note'),
  attributes: {
    ...recordAttributes,
    text: { type: 'string', required: true },
    count: { type: 'number', required: true },
  },
  indexes: { primary: recordKey('note'), byCreation: creationIndex('note') },
});

export type NoteRecord = EntityItem<typeof NoteEntity>;
export const notes = collection(NoteEntity);
