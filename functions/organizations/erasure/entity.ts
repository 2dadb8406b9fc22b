import { Entity, type EntityItem } from 'electrodb';

import { collection } from '../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex, findDue } from '../../kernel/storage/due.ts';
import { model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** An organization that was deleted and whose rows are looked for once more: its id is the organization's. */
const ErasureEntity = new Entity({
  model: model('erasure'),
  attributes: { ...recordAttributes, ...dueAttributes },
  indexes: { primary: recordKey('erasure'), due: dueIndex('erasure') },
});

export type ErasureRecord = EntityItem<typeof ErasureEntity>;
export const erasures = collection(ErasureEntity);

/** Erasures whose second sweep is due. */
export const dueErasures = (limit: number): Promise<ErasureRecord[]> => findDue(erasures.entity(), limit);
