import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A sign-in that waits for its exchange. Its id is the hash of the code: one GetItem. */
const AuthorizationCodeEntity = entity({
  model: model('authorization-code'),
  attributes: {
    ...recordAttributes,
    /** The row outlives the code by a day, so that a second exchange is recognized. */
    ...expiringAttributes,
    /** The end of its validity, in milliseconds since the epoch. */
    validUntil: { type: 'number', required: true },
    /** Absent for a sign-in through a provider that returned no email: its account is encrypted. */
    userId: { type: 'string' },
    /** The user's `credentialEpoch`: changes that invalidate reset links also invalidate the code. */
    credentialEpoch: { type: 'number', required: true },
    redirectUri: { type: 'string', required: true },
    codeChallenge: { type: 'string' },
    organizationId: { type: 'string' },
    /** The user's sign-in method. */
    method: { type: 'string', required: true },
    provider: { type: 'string' },
    /** The time of the authentication, in milliseconds since the epoch. */
    authenticatedAt: { type: 'number', required: true },
    /** {@link CodeSecrets}, encrypted under the code. */
    sealed: { type: 'any' },
    /** The session that the exchange opened: present if the code is used. */
    sessionId: { type: 'string' },
  },
  indexes: { primary: recordKey('authorization-code') },
});

export type AuthorizationCodeRecord = RecordOf<typeof AuthorizationCodeEntity>;
export const authorizationCodes = collection(AuthorizationCodeEntity, 'internal');
