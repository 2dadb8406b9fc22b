import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { childKey, model, ownedAttributes, ownedIndex, recordAttributes } from '../../../kernel/storage/record.ts';

/**
 * A provider in the configuration of an environment. All of an environment are in one partition, and their id is the
 * provider.
 */
const SocialProviderEntity = entity({
  model: model('social-provider'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    enabled: { type: 'boolean', required: true },
    clientId: { type: 'string', required: true },
    /** The client secret, or Apple's private key, encrypted. */
    sealed: { type: 'any', required: true },
    clientSecretLastFour: { type: 'string' },
    /** The scopes, which override those of the catalogue. */
    scopes: { type: 'list', items: { type: 'string' } },
    returnsTokens: { type: 'boolean', required: true },
    issuer: { type: 'string' },
    tenant: { type: 'string' },
    endpoints: { type: 'any' },
    appleTeamId: { type: 'string' },
    appleKeyId: { type: 'string' },
  },
  indexes: {
    primary: childKey('social-provider'),
    owned: ownedIndex,
  },
});

export type SocialProviderRecord = RecordOf<typeof SocialProviderEntity>;

/** Configured providers: `get` is one GetItem, `list` by `primary` one strongly consistent Query. */
export const providerConfigurations = collection(SocialProviderEntity, 'silent');

/** All configured providers of an environment, by name, by one strongly consistent Query. */
export const findProviders = (environmentId: string): Promise<SocialProviderRecord[]> =>
  providerConfigurations.list('primary', { environmentId }).toArray();
