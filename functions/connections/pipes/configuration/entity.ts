import { collection, fitsKey } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';

/** An organization's settings for a provider. All of an organization's are in one partition, sorted by slug. */
const ConfigurationEntity = entity({
  model: model('data-integration-configuration'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    organizationId: { type: 'string', required: true, readOnly: true },
    slug: { type: 'string', required: true, readOnly: true },
    /** True if the provider is enabled; if absent, the integration's value applies. */
    enabled: { type: 'boolean' },
    scopes: { type: 'list', items: { type: 'string' } },
    clientId: { type: 'string' },
    clientSecretLastFour: { type: 'string' },
    config: { type: 'any', required: true },
    /** The client secret and the secret config values, encrypted. */
    sealed: { type: 'any', required: true },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'data-integration-configuration', 'organizationId'),
      sk: sortedBy('sk', 'slug'),
    },
    owned: ownedIndex,
  },
});

export type ConfigurationRecord = RecordOf<typeof ConfigurationEntity>;
export const configurations = collection(ConfigurationEntity, 'silent');

/** An organization's settings for a provider, by one strongly consistent GetItem. */
export async function findConfiguration(
  environmentId: string,
  organizationId: string,
  slug: string,
): Promise<ConfigurationRecord | undefined> {
  if (!fitsKey(organizationId) || !fitsKey(slug)) return undefined;
  return configurations.getAt({ environmentId, organizationId, slug });
}

/** All provider settings of an organization, by slug, by one strongly consistent Query. */
export async function findConfigurations(
  environmentId: string,
  organizationId: string,
): Promise<ConfigurationRecord[]> {
  if (!fitsKey(organizationId)) return [];
  return configurations.list('primary', { environmentId, organizationId }).toArray();
}
