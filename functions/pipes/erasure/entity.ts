import { Entity, type EntityItem } from 'electrodb';

import { collection } from '../../kernel/storage/collection.ts';
import { dueAttributes, dueIndex, findDue } from '../../kernel/storage/due.ts';
import { model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A deleted integration whose connections are looked for: its id is the integration's. */
const IntegrationErasureEntity = new Entity({
  model: model('integration-erasure'),
  attributes: { ...recordAttributes, ...dueAttributes },
  indexes: { primary: recordKey('integration-erasure'), due: dueIndex('integration-erasure') },
});

export type IntegrationErasureRecord = EntityItem<typeof IntegrationErasureEntity>;
export const integrationErasures = collection(IntegrationErasureEntity);

/** Erasures that are due. */
export const dueIntegrationErasures = (limit: number): Promise<IntegrationErasureRecord[]> =>
  findDue(integrationErasures.entity(), limit);
