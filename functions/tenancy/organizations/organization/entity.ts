import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

const OrganizationEntity = entity({
  model: model('organization'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    name: { type: 'string', required: true },
    /** Copies of the rows of at most 50 domains, by their ids, so that an organization with its domains is one read. */
    domains: { type: 'any', required: true },
    metadata: { type: 'any', required: true },
    externalId: { type: 'string' },
    stripeCustomerId: { type: 'string' },
    allowProfilesOutsideOrganization: { type: 'boolean', required: true },
  },
  indexes: { primary: recordKey('organization'), byCreation: creationIndex('organization'), owned: ownedIndex },
});

export type OrganizationRecord = RecordOf<typeof OrganizationEntity>;

/** Organizations of an environment: `get` is one GetItem, `list` by `byCreation` one Query. */
export const organizations = collection(OrganizationEntity, {
  events: ['organization.created', 'organization.updated', 'organization.deleted'],
  silent: ['domains'],
});
