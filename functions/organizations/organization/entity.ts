import { Entity, type EntityItem } from 'electrodb';
import { collection } from '../../kernel/storage/collection.ts';
import { creationIndex, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

const OrganizationEntity = new Entity({
  model: model('organization'),
  attributes: {
    ...recordAttributes,
    name: { type: 'string', required: true },
    externalId: { type: 'string' },
    metadata: { type: 'any', required: true },
  },
  indexes: { primary: recordKey('organization'), byCreation: creationIndex('organization') },
});
export type OrganizationRecord = EntityItem<typeof OrganizationEntity>;
export const organizations = collection(OrganizationEntity);
