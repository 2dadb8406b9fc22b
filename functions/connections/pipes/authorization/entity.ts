import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/**
 * An authorization in progress, from the URL that a server requested to the provider's response. Its id is the hash of the
 * token in `state`, which can be used once.
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
    /**
     * The user's ownership epoch when it was started: it cannot be completed when the user has another one. An absent epoch
     * counts as 0.
     */
    ownershipEpoch: { type: 'number' },
    organizationId: { type: 'string' },
    intent: { type: ['add', 'reauthorize'] as const },
    connectedAccountId: { type: 'string' },
    scopes: { type: 'list', items: { type: 'string' }, required: true },
    config: { type: 'any', required: true },
    /** {@link AuthorizationSecrets}, encrypted. */
    sealed: { type: 'any', required: true },
    returnTo: { type: 'string' },
    /**
     * The stage: `waiting` for a click on the start page; `started` while the browser with the cookie is at the provider;
     * `held` in a separate row with the tokens, which is found by its connect code, until the application finishes the
     * connected account.
     */
    stage: { type: ['waiting', 'started', 'held'] as const, required: true },
    /**
     * The code challenge of the application's verifier (RFC 7636 section 4.6); absent if the application does not
     * finish the connected account.
     */
    codeChallenge: { type: 'string' },
    /** The id of the authorization's first row, for a held row: the hash of its `state`. */
    state: { type: 'string' },
    /** SHA-256 of the cookie of the browser that started it; absent if there was no start page. */
    browserHash: { type: 'string' },
  },
  indexes: { primary: recordKey('connection-authorization') },
});

export type AuthorizationRecord = RecordOf<typeof AuthorizationEntity>;
export const authorizations = collection(AuthorizationEntity, 'internal');
