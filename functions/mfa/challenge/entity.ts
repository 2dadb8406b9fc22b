import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** One demand to show a factor: passed once, within ten minutes. It goes by itself, a day after its end. */
const ChallengeEntity = entity({
  model: model('auth-challenge'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    factorId: { type: 'string', required: true, readOnly: true },
    /** The factor's user, where it has one. */
    userId: { type: 'string', readOnly: true },
    /** The code, in an envelope of this very record; absent where an app makes the codes. */
    sealedCode: { type: 'any', readOnly: true },
    /** ISO 8601, from when on no code is good any more. `expiresAt` is the table's own, later. */
    endsAt: { type: 'string', required: true, readOnly: true },
    /** ISO 8601, when it was passed. */
    verifiedAt: { type: 'string' },
  },
  indexes: { primary: recordKey('auth-challenge') },
});

export type ChallengeRecord = RecordOf<typeof ChallengeEntity>;

/** Challenges: `get` one strongly consistent GetItem. */
export const challenges = collection(ChallengeEntity);
