import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A sign-in that waits for its exchange. Its id is the hash of the code: one GetItem. */
const AuthorizationCodeEntity = entity({
  model: model('authorization-code'),
  attributes: {
    ...recordAttributes,
    /** The row outlives the code by a day, so that a second exchange is known for what it is. */
    ...expiringAttributes,
    /** Until when it can be exchanged, in milliseconds since the epoch. */
    validUntil: { type: 'number', required: true },
    /** Absent of a sign-in through a provider that told no email: its account is sealed. */
    userId: { type: 'string' },
    /** The user's `credentialEpoch`: what ends reset links and the like ends this, too. */
    credentialEpoch: { type: 'number', required: true },
    redirectUri: { type: 'string', required: true },
    codeChallenge: { type: 'string' },
    organizationId: { type: 'string' },
    /** How the user signed in. */
    method: { type: 'string', required: true },
    provider: { type: 'string' },
    /** When, in milliseconds since the epoch. */
    authenticatedAt: { type: 'number', required: true },
    /** {@link CodeSecrets}, sealed under the code. */
    sealed: { type: 'any' },
    /** The session that the exchange opened: there is one when the code is used up. */
    sessionId: { type: 'string' },
  },
  indexes: { primary: recordKey('authorization-code') },
});

export type AuthorizationCodeRecord = RecordOf<typeof AuthorizationCodeEntity>;
export const authorizationCodes = collection(AuthorizationCodeEntity);
