import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import { expiringAttributes, model, recordAttributes, recordKey } from '../../kernel/storage/record.ts';

/** A request to prove a factor: passed once, within ten minutes. Its row expires a day after its end. */
const ChallengeEntity = entity({
  model: model('auth-challenge'),
  attributes: {
    ...recordAttributes,
    ...expiringAttributes,
    factorId: { type: 'string', required: true, readOnly: true },
    /** The factor's user, if it has one. */
    userId: { type: 'string', readOnly: true },
    /** The code, encrypted for this record only; absent if an app generates the codes. */
    sealedCode: { type: 'any', readOnly: true },
    /** ISO 8601, the time from which no code is accepted. `expiresAt` is the table's own, later. */
    endsAt: { type: 'string', required: true, readOnly: true },
    /** ISO 8601, the time when it was passed. */
    verifiedAt: { type: 'string' },
  },
  indexes: { primary: recordKey('auth-challenge') },
});

export type ChallengeRecord = RecordOf<typeof ChallengeEntity>;

/** Challenges: `get` one strongly consistent GetItem. */
export const challenges = collection(ChallengeEntity, 'silent');
