import { collection } from '../../../functions/kernel/storage/collection.ts';
import { entity } from '../../../functions/kernel/storage/entity.ts';
import {
  creationIndex,
  expiringAttributes,
  model,
  recordAttributes,
  recordKey,
} from '../../../functions/kernel/storage/record.ts';

/** The only kind of record in the tests of the local runtime. */
const NoteEntity = entity({
  model: model('note'),
  attributes: { ...recordAttributes, ...expiringAttributes, text: { type: 'string', required: true } },
  indexes: { primary: recordKey('note'), byCreation: creationIndex('note') },
});
/** Notes of the trial area. */
export const notes = collection(NoteEntity, 'internal');
