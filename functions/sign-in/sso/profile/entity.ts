import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  attributeIndex,
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../../kernel/storage/record.ts';

/** A user at a connection, with one profile for each connection and `idp_id`. */
const ProfileEntity = entity({
  model: model('sso-profile'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    connectionId: { type: 'string', required: true, readOnly: true },
    /** The organization; absent for a social provider. */
    organizationId: { type: 'string' },
    idpId: { type: 'string', required: true },
    email: { type: 'string', required: true },
    /** The session at the provider, for its back-channel logout. */
    sessionId: { type: 'string' },
    /** The ID token of the last sign-in, encrypted, which a logout sends as a hint. */
    sealedIdToken: { type: 'any' },
  },
  indexes: {
    primary: recordKey('sso-profile'),
    /** The profiles of a connection: one Query for each page. */
    byConnection: attributeIndex('sso-profile', 'connectionId'),
    owned: ownedIndex,
  },
});

export type ProfileRecord = RecordOf<typeof ProfileEntity>;
export const profiles = collection(ProfileEntity, 'internal');

/** A code for POST /sso/token. Its id is the hash of the code, so it is read by one GetItem. */
const ProfileCodeEntity = entity({
  model: model('sso-code'),
  attributes: {
    ...recordAttributes,
    /** The row is kept a day longer than the code is valid, so that a second exchange is recognized. */
    ...expiringAttributes,
    /** The end of its validity, in milliseconds since the epoch. */
    validUntil: { type: 'number', required: true },
    redirectUri: { type: 'string', required: true },
    codeChallenge: { type: 'string' },
    /** The {@link Grant}, encrypted with a key from the code; absent after its use. */
    sealed: { type: 'any' },
    /** The id of the access token for which it was exchanged. */
    tokenId: { type: 'string' },
  },
  indexes: { primary: recordKey('sso-code') },
});

export type ProfileCodeRecord = RecordOf<typeof ProfileCodeEntity>;
export const profileCodes = collection(ProfileCodeEntity, 'internal');

/**
 * An access token for GET /sso/profile. Its id is the hash of the token; the profile is encrypted with a key from the
 * token.
 */
const ProfileTokenEntity = entity({
  model: model('sso-token'),
  attributes: { ...recordAttributes, ...expiringAttributes, sealed: { type: 'any', required: true } },
  indexes: { primary: recordKey('sso-token') },
});

export const profileTokens = collection(ProfileTokenEntity, 'internal');

/** An ID token that was exchanged, whose id is the hash of the token. */
const UsedIdTokenEntity = entity({
  model: model('sso-id-token'),
  attributes: { ...recordAttributes, ...expiringAttributes },
  indexes: { primary: recordKey('sso-id-token') },
});

export const usedIdTokens = collection(UsedIdTokenEntity, 'internal');
