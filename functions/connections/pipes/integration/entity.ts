import { collection, fitsKey } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  creationIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKeyBy,
} from '../../../kernel/storage/record.ts';

/** The kind of owner who connects accounts to an integration. */
export type Ownership = 'user' | 'organization';

/**
 * An environment's integration of a provider, one for each kind of owner. Its key consists of provider and ownership, so
 * that there cannot be two and a path finds it in one read.
 */
const IntegrationEntity = entity({
  model: model('data-integration'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    slug: { type: 'string', required: true, readOnly: true },
    ownership: { type: ['user', 'organization'] as const, required: true, readOnly: true },
    /** The key in its redirect URI, since each integration has its own (RFC 9700 section 4.4.2). */
    redirectKey: { type: 'string', required: true, readOnly: true },
    description: { type: 'string' },
    enabled: { type: 'boolean', required: true },
    /** The scopes; if absent, the provider's default scopes. */
    scopes: { type: 'list', items: { type: 'string' } },
    authMethods: { type: 'list', items: { type: 'string' }, required: true },
    config: { type: 'any', required: true },
    /** Values of config fields that the provider declares secret, encrypted. */
    sealedConfig: { type: 'any' },
    credentialsType: { type: ['custom', 'organization'] as const },
    clientId: { type: 'string' },
    sealedClientSecret: { type: 'any' },
    clientSecretLastFour: { type: 'string' },
  },
  indexes: {
    primary: recordKeyBy('data-integration', 'ownership', 'slug'),
    /** All integrations of an environment: one Query for each page. */
    byCreation: creationIndex('data-integration'),
    /** The integrations of one ownership: one Query for each page. */
    byOwnership: attributeIndex('data-integration', 'ownership'),
    owned: ownedIndex,
  },
});

export type IntegrationRecord = RecordOf<typeof IntegrationEntity>;
export const integrations = collection(IntegrationEntity, 'silent');

/** The integration of a provider for one kind of owner, by one strongly consistent GetItem. */
export async function findIntegration(
  environmentId: string,
  slug: string,
  ownership: Ownership,
): Promise<IntegrationRecord | undefined> {
  if (!fitsKey(slug)) return undefined;
  return integrations.getAt({ environmentId, slug, ownership });
}

/** All integrations of one ownership by creation, by one Query for each megabyte. */
export const findIntegrations = (environmentId: string, ownership: Ownership): Promise<IntegrationRecord[]> =>
  integrations.list('byOwnership', { environmentId, ownership }).toArray();
