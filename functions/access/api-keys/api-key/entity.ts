import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import {
  childIndex,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

/**
 * A customer's API key. Its value carries the ULID of its id, so validating and managing it are both one GetItem of
 * this row; the value itself is not here, only its hash.
 */
const ApiKeyEntity = entity({
  model: model('api-key'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    /** The holder in whose list the key is: the id of an organization or of a user. */
    holderId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', required: true, readOnly: true },
    /** The user of a user's key; a key of the organization itself has none. */
    userId: { type: 'string', readOnly: true },
    /**
     * The user's ownership epoch when the key was created: the key is invalid when the user has another one. An absent
     * epoch counts as 0; keys of organizations have none.
     */
    ownershipEpoch: { type: 'number', readOnly: true },
    /** The registration of an agent to which it was issued; revoked with it. */
    agentRegistrationId: { type: 'string', readOnly: true },
    /** The user of that agent, or `none`. Older keys of agents lack it, and are invalid. */
    actingFor: { type: 'string', readOnly: true },
    /** The membership that justifies the key: without it, or with another one, the key is invalid. Older keys of users have none. */
    membershipId: { type: 'string', readOnly: true },
    name: { type: 'string', required: true },
    /** SHA-256 of the value in hex. */
    hash: { type: 'string', required: true, readOnly: true },
    lastFour: { type: 'string', required: true, readOnly: true },
    permissions: { type: 'list', items: { type: 'string' }, required: true },
    /** The ids of the permissions, in the same order. Older keys have none. */
    permissionIds: { type: 'list', items: { type: 'string' } },
    /**
     * The time from which the key is not valid (ISO 8601). It is not the table's TTL, because an expired key stays listed.
     */
    endsAt: { type: 'string' },
    /** The time of the last use (ISO 8601), exact to about a minute. */
    lastUsedAt: { type: 'string' },
  },
  indexes: {
    primary: recordKey('api-key'),
    byHolder: childIndex('api-key', 'holderId'),
    owned: ownedIndex,
  },
});

export type ApiKeyRecord = RecordOf<typeof ApiKeyEntity>;

/** Customers' API keys: `get` is one GetItem, and `list` by `byHolder` is one Query. */
export const apiKeys = collection(ApiKeyEntity, {
  events: ['api_key.created', 'api_key.updated', 'api_key.revoked'],
  silent: ['lastUsedAt'],
});

/** A user's keys within one organization: a Query over all of the user's keys, of which there are few. */
export async function keysWithin(
  environmentId: string,
  holderId: string,
  organizationId: string,
  window: Window,
): Promise<Reading<ApiKeyRecord>> {
  const all = await apiKeys.list('byHolder', { environmentId, holderId }).toArray();
  return pageWithin(
    all.filter((key) => key.organizationId === organizationId),
    window,
  );
}
