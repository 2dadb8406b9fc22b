import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../../kernel/storage/record.ts';

/** A request to prove a factor, which can be passed once within ten minutes. Its row expires a day after that. */
const ChallengeEntity = entity({
  model: model('auth-challenge'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    factorId: { type: 'string', required: true, readOnly: true },
    /** The user of the factor; absent for a factor without a user. */
    userId: { type: 'string', readOnly: true },
    /** The code, encrypted for this record; absent if an app generates the codes. */
    sealedCode: { type: 'any', readOnly: true },
    /** The time from which no code is accepted (ISO 8601). `expiresAt`, at which the table removes the row, is later. */
    endsAt: { type: 'string', required: true, readOnly: true },
    /** The time when the challenge was passed (ISO 8601). */
    verifiedAt: { type: 'string' },
  },
  indexes: { primary: recordKey('auth-challenge') },
});

export type ChallengeRecord = RecordOf<typeof ChallengeEntity>;

/** Challenges: `get` is one strongly consistent GetItem. */
export const challenges = collection(ChallengeEntity, 'silent');
