import { collection, fitsKey } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { childIndex, model, ownedAttributes, ownedIndex, recordAttributes } from '../../kernel/storage/record.ts';

/**
 * A connection of an owner to a provider. All of an owner's stand in one partition, sorted by provider, scope and
 * place: those of one provider are one strongly consistent Query, and so are all of them. The compatibility
 * connection has a place of its own, so that there cannot be two.
 */
const InstallationEntity = entity({
  model: model('installation'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** `user#<id>` or `organization#<id>`. */
    holder: { type: 'string', required: true, readOnly: true },
    slug: { type: 'string', required: true, readOnly: true },
    /** The organization that a user's connection is scoped to; `-` for none. */
    scope: { type: 'string', required: true, readOnly: true },
    /** `compatibility`, or `standard#<id>`. */
    place: { type: 'string', required: true, readOnly: true },
    /** A row that outlived its integration does not belong to a later one of the same slug. */
    integrationId: { type: 'string', required: true },
    connectionRole: { type: ['compatibility', 'standard'] as const, required: true },
    userId: { type: 'string' },
    /** The owning user's, when the account was connected: under another one it is an earlier holder's. Absent is 0. */
    ownershipEpoch: { type: 'number' },
    organizationId: { type: 'string' },
    authMethod: { type: ['oauth', 'api_key', 'client_credentials'] as const, required: true },
    state: { type: ['connected', 'needs_reauthorization'] as const, required: true },
    scopes: { type: 'list', items: { type: 'string' }, required: true },
    accountIdentifier: { type: 'string' },
    accountDisplayName: { type: 'string' },
    /** Config values given with the connection, without secret ones. */
    config: { type: 'any', required: true },
    /** {@link InstallationSecrets}, sealed. */
    sealed: { type: 'any', required: true },
    apiKeyLastFour: { type: 'string' },
    clientId: { type: 'string' },
    clientSecretLastFour: { type: 'string' },
    /** When the access token ends; absent for one that does not. */
    tokenExpiresAt: { type: 'string' },
    tokenLifetimeSeconds: { type: 'number' },
    /** The authorization or import that the tokens come from: what a refresh of an earlier one brings is thrown away. */
    grantId: { type: 'string', required: true },
    /** The lease under which the tokens were last refreshed: a late holder of an earlier lease cannot overwrite them. */
    fence: { type: 'number', required: true },
    lastRefreshedAt: { type: 'string' },
    lastErrorCode: { type: 'string' },
    lastErrorAt: { type: 'string' },
  },
  indexes: {
    primary: {
      pk: {
        field: 'pk',
        composite: ['environmentId', 'holder'],
        template: '${environmentId}#installation#${holder}',
        casing: 'none',
      },
      sk: {
        field: 'sk',
        composite: ['slug', 'scope', 'place'],
        template: '${slug}#${scope}#${place}',
        casing: 'none',
      },
    },
    byIntegration: childIndex('installation', 'integrationId'),
    owned: ownedIndex,
  },
});

export type InstallationRecord = RecordOf<typeof InstallationEntity>;
export const installations = collection(InstallationEntity);

/** Whose connections, and within which organization. */
export interface Holder {
  holder: string;
  scope: string;
}

/** An owner's connections to one provider by age: one strongly consistent Query. */
export async function connectionsOf(
  environmentId: string,
  { holder, scope }: Holder,
  slug: string,
): Promise<InstallationRecord[]> {
  if (![holder, `${slug}#${scope}`].every(fitsKey)) return [];
  const { data } = await installations
    .entity()
    .query.primary({ environmentId, holder, slug, scope })
    .go({ consistent: true, pages: 'all' });
  return data.filter((record) => record.slug === slug && record.scope === scope).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** All connections of an owner, whatever their scope: one strongly consistent Query a megabyte. */
export async function allConnectionsOf(environmentId: string, holder: string): Promise<InstallationRecord[]> {
  if (!fitsKey(holder)) return [];
  const { data } = await installations
    .entity()
    .query.primary({ environmentId, holder })
    .go({ consistent: true, pages: 'all' });
  return data;
}

/** The same connection as it is now: one strongly consistent GetItem. */
export async function readAgain({
  environmentId,
  holder,
  slug,
  scope,
  place,
  id,
}: InstallationRecord): Promise<InstallationRecord | undefined> {
  const { data } = await installations
    .entity()
    .get({ environmentId, holder, slug, scope, place })
    .go({ consistent: true });
  return data?.id === id ? data : undefined;
}
