import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/**
 * An authorization on its way: from the URL that a server asked for to the provider's answer. Its id is the hash of the
 * token that travels as `state`, and is used once.
 */
const AuthorizationEntity = entity({
  model: model('connection-authorization'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    slug: { type: 'string', required: true },
    integrationId: { type: 'string', required: true },
    redirectKey: { type: 'string', required: true },
    ownership: { type: ['user', 'organization'] as const, required: true },
    /** The user who authorizes: the owner, or the member who acts for the organization. */
    userId: { type: 'string', required: true },
    /** The user's, when it was begun: under another one it cannot be finished. Absent is 0. */
    ownershipEpoch: { type: 'number' },
    organizationId: { type: 'string' },
    intent: { type: ['add', 'reauthorize'] as const },
    connectedAccountId: { type: 'string' },
    scopes: { type: 'list', items: { type: 'string' }, required: true },
    config: { type: 'any', required: true },
    /** {@link AuthorizationSecrets}, sealed. */
    sealed: { type: 'any', required: true },
    returnTo: { type: 'string' },
    /**
     * `waiting` for a click on the start page; `started`: whoever has the browser's cookie is at the provider; `held`: a row of
     * its own with the tokens, found by its connect code, until the application finishes the connection.
     */
    stage: { type: ['waiting', 'started', 'held'] as const, required: true },
    /** What the application's verifier is compared with (RFC 7636 section 4.6); absent where nothing is to be finished. */
    codeChallenge: { type: 'string' },
    /** What a held row's `state` was: the id of the row before it. */
    state: { type: 'string' },
    /** SHA-256 of the cookie of the browser that started it; absent where nobody was asked. */
    browserHash: { type: 'string' },
  },
  indexes: { primary: recordKey('connection-authorization') },
});

export type AuthorizationRecord = RecordOf<typeof AuthorizationEntity>;
export const authorizations = collection(AuthorizationEntity);
