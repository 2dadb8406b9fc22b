import { collection, fitsKey } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  partition,
  recordAttributes,
  sortedBy,
} from '../../../kernel/storage/record.ts';

/**
 * A connected account of an owner at a provider. All accounts of an owner are in one partition, sorted by provider, scope
 * and role, so that those at one provider are one strongly consistent Query, and so are all of them. The account with the
 * role `compatibility` has a key without an id, so that there cannot be two.
 */
const AccountEntity = entity({
  model: model('installation'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The owner: `user#<id>` or `organization#<id>`. */
    holder: { type: 'string', required: true, readOnly: true },
    slug: { type: 'string', required: true, readOnly: true },
    /** The organization that a user's connected account is scoped to; `-` for none. */
    scope: { type: 'string', required: true, readOnly: true },
    /** The role with the id: `compatibility`, or `standard#<id>`. */
    place: { type: 'string', required: true, readOnly: true },
    /** The integration's id, since a row of a deleted integration does not belong to a later one with the same slug. */
    integrationId: { type: 'string', required: true },
    connectionRole: { type: ['compatibility', 'standard'] as const, required: true },
    userId: { type: 'string' },
    /**
     * The owner's ownership epoch when the account was connected: if the owner has another one, the account belongs to an
     * earlier owner. An absent epoch counts as 0.
     */
    ownershipEpoch: { type: 'number' },
    organizationId: { type: 'string' },
    authMethod: { type: ['oauth', 'api_key', 'client_credentials'] as const, required: true },
    state: { type: ['connected', 'needs_reauthorization'] as const, required: true },
    scopes: { type: 'list', items: { type: 'string' }, required: true },
    accountIdentifier: { type: 'string' },
    accountDisplayName: { type: 'string' },
    /** Config values given with the connected account, without secret ones. */
    config: { type: 'any', required: true },
    /** {@link AccountSecrets}, encrypted. */
    sealed: { type: 'any', required: true },
    apiKeyLastFour: { type: 'string' },
    clientId: { type: 'string' },
    clientSecretLastFour: { type: 'string' },
    /** The time when the access token expires; absent for one that does not expire. */
    tokenExpiresAt: { type: 'string' },
    tokenLifetimeSeconds: { type: 'number' },
    /**
     * The id of the authorization or import that the tokens come from: the result of a refresh of earlier tokens is
     * discarded.
     */
    grantId: { type: 'string', required: true },
    /**
     * The fencing token of the lease with which the tokens were last refreshed, so that a late holder of an earlier lease
     * cannot overwrite them.
     */
    fence: { type: 'number', required: true },
    lastRefreshedAt: { type: 'string' },
    lastErrorCode: { type: 'string' },
    lastErrorAt: { type: 'string' },
  },
  indexes: {
    primary: {
      pk: partition('pk', 'installation', 'holder'),
      sk: sortedBy('sk', 'slug', 'scope', 'place'),
    },
    byIntegration: childIndex('installation', 'integrationId'),
    owned: ownedIndex,
  },
});

export type AccountRecord = RecordOf<typeof AccountEntity>;
export const connectedAccounts = collection(AccountEntity, {
  events: [
    'pipes.connected_account.connected',
    'pipes.connected_account.reauthorization_needed',
    'pipes.connected_account.disconnected',
  ],
  // The events report changes of the state: connected, to be authorized again, disconnected. Changes of other attributes
  // need no event.
  silent: [
    'sealed',
    'grantId',
    'fence',
    'clientId',
    'apiKeyLastFour',
    'clientSecretLastFour',
    'accountIdentifier',
    'accountDisplayName',
    'tokenExpiresAt',
    'tokenLifetimeSeconds',
    'lastRefreshedAt',
    'lastErrorCode',
    'lastErrorAt',
  ],
});

/** The owner, and the organization to which the connected accounts are limited. */
export interface Holder {
  holder: string;
  scope: string;
}

/** An owner's connected accounts at one provider by creation, by one strongly consistent Query. */
export async function findAccounts(
  environmentId: string,
  { holder, scope }: Holder,
  slug: string,
): Promise<AccountRecord[]> {
  if (![holder, `${slug}#${scope}`].every(fitsKey)) return [];
  const all = await connectedAccounts.list('primary', { environmentId, holder, slug, scope }).toArray();
  return all.filter((record) => record.slug === slug && record.scope === scope).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** All connected accounts of an owner, whatever their scope, by one strongly consistent Query for each megabyte. */
export async function findAllAccounts(environmentId: string, holder: string): Promise<AccountRecord[]> {
  if (!fitsKey(holder)) return [];
  return connectedAccounts.list('primary', { environmentId, holder }).toArray();
}

/** Reads the same connected account again, by one strongly consistent GetItem. */
export async function readAgain({
  environmentId,
  holder,
  slug,
  scope,
  place,
  id,
}: AccountRecord): Promise<AccountRecord | undefined> {
  const found = await connectedAccounts.getAt({ environmentId, holder, slug, scope, place });
  return found?.id === id ? found : undefined;
}
