import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  childKey,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
} from '../../../kernel/storage/record.ts';

/**
 * One authorization of an application by a user, from its code to its last refresh token. It is stored in the partition of
 * the user. The code and the tokens contain its id, so it is found with one GetItem. A second use of the code revokes it.
 */
const GrantEntity = entity({
  model: model('connect-grant'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    userId: { type: 'string', required: true, readOnly: true },
    applicationId: { type: 'string', required: true, readOnly: true },
    consentId: { type: 'string', required: true, readOnly: true },
    organizationId: { type: 'string', readOnly: true },
    /** The resource that the authorization request named; absent if it named none. */
    resource: { type: 'string', readOnly: true },
    scopes: { type: 'list', items: { type: 'string' }, required: true },
    nonce: { type: 'string' },
    /** Claims of the access token that the user chose on the consent page, by their names. */
    chosenClaims: { type: 'any', readOnly: true },
    /** The proofs of the sign-in. One from before they were stored has none, and gets no further tokens. */
    proofs: { type: 'any', readOnly: true },
    /** The time of the user's authentication, in milliseconds since the epoch. */
    authenticatedAt: { type: 'number', required: true, readOnly: true },
    /**
     * SHA-256 of the code, and the time of its expiry in milliseconds since the epoch. Absent for a device, which has no
     * code.
     */
    codeHash: { type: 'string' },
    codeUntil: { type: 'number' },
    /** True after the exchange of the code. */
    isCodeUsed: { type: 'boolean' },
    redirectUri: { type: 'string' },
    isUriNamed: { type: 'boolean' },
    codeChallenge: { type: 'string' },
    /** SHA-256 of the secret that all refresh tokens of the grant share; absent without `offline_access`. */
    familyHash: { type: 'string' },
    /** SHA-256 of the own secret of the current refresh token. */
    generationHash: { type: 'string' },
    /** The refresh tokens that were replaced recently. */
    former: { type: 'any' },
    /** The time of expiry unless it is refreshed before, and the latest possible expiry; in milliseconds since the epoch. */
    endsAt: { type: 'number', required: true },
    lifetimeEndsAt: { type: 'number', required: true },
    /** The time when it was revoked, in milliseconds since the epoch. */
    endedAt: { type: 'number' },
  },
  indexes: { primary: childKey('connect-grant', 'userId'), owned: ownedIndex },
});

export type GrantRecord = RecordOf<typeof GrantEntity>;

/** Grants: `get` is one GetItem by user and id. */
export const grants = collection(GrantEntity, 'internal');
