import { collection } from '../../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../../kernel/storage/record.ts';

/** A completed sign-in whose code was not exchanged yet. Its id is the hash of the code, so it is read by one GetItem. */
const AuthorizationCodeEntity = entity({
  model: model('authorization-code'),
  attributes: {
    ...recordAttributes,
    /** The row is kept a day longer than the code is valid, so that a second exchange is recognized. */
    ...expiringAttributes,
    /** The end of the code's validity, in milliseconds since the epoch. */
    validUntil: { type: 'number', required: true },
    /** The user; absent for a sign-in through a provider that returned no email, whose account is in the encrypted part. */
    userId: { type: 'string' },
    /** The user's `credentialEpoch`: changes that invalidate links for a password reset also invalidate the code. */
    credentialEpoch: { type: 'number', required: true },
    redirectUri: { type: 'string', required: true },
    codeChallenge: { type: 'string' },
    organizationId: { type: 'string' },
    /** The user's sign-in method. */
    method: { type: 'string', required: true },
    provider: { type: 'string' },
    /** The proofs of the sign-in (`Authority` in `trust`); absent in older rows. */
    proofs: { type: 'any' },
    /** True if a second factor was used. */
    mfa: { type: 'boolean' },
    /** The time of the authentication, in milliseconds since the epoch. */
    authenticatedAt: { type: 'number', required: true },
    /** The `Impersonation` of a code that an operator made. */
    impersonation: { type: 'any' },
    /** {@link CodeSecrets}, encrypted under the code. */
    sealed: { type: 'any' },
    /** The session that the exchange opened: present if the code is used. */
    sessionId: { type: 'string' },
  },
  indexes: { primary: recordKey('authorization-code') },
});

export type AuthorizationCodeRecord = RecordOf<typeof AuthorizationCodeEntity>;
export const authorizationCodes = collection(AuthorizationCodeEntity, 'internal');
