import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { dueAttributes, dueIndex, findDue } from '../../kernel/storage/due.ts';
import { model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A deleted integration whose connected accounts are being removed: its id is the integration's. */
const IntegrationErasureEntity = entity({
  model: model('integration-erasure'),
  attributes: { ...recordAttributes, ...dueAttributes },
  indexes: { primary: recordKey('integration-erasure'), due: dueIndex('integration-erasure') },
});

export type IntegrationErasureRecord = RecordOf<typeof IntegrationErasureEntity>;
export const integrationErasures = collection(IntegrationErasureEntity, 'internal');

/** Erasures that are due. */
export const dueIntegrationErasures = (limit: number): Promise<IntegrationErasureRecord[]> =>
  findDue(integrationErasures.entity(), limit);
