import { codeAttributes } from '../../kernel/one-time-code/code.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';

/**
 * A code that a risky sign-in has to bring, by mail (`radar_challenge_…`) or SMS (`vrf_…`). What counts when it is entered
 * is the user's current code of its kind.
 */
const RadarChallengeEntity = entity({
  model: model('radar-challenge'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...codeAttributes,
    kind: { type: ['email', 'sms'] as const, required: true, readOnly: true },
    userId: { type: 'string', required: true, readOnly: true },
    /** Of `email`. */
    email: { type: 'string', readOnly: true },
    /** In E.164 form; of `sms`. */
    phoneNumber: { type: 'string', readOnly: true },
    /** SHA-256 of the pending authentication token that it was sent for; absent where that knows its challenge itself. */
    pendingHash: { type: 'string', readOnly: true },
  },
  indexes: { primary: recordKey('radar-challenge'), owned: ownedIndex },
});

export type RadarChallengeRecord = RecordOf<typeof RadarChallengeEntity>;

/** Radar challenges: `get` one strongly consistent GetItem. */
export const radarChallenges = collection(RadarChallengeEntity);

/**
 * A pending sign-in that may have a code sent to a telephone of its own choice. Its id is the SHA-256 of the pending
 * authentication token, so it is found by whoever has that alone.
 */
const SmsAdmissionEntity = entity({
  model: model('radar-sms-admission'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    ...expiringAttributes,
    userId: { type: 'string', required: true, readOnly: true },
  },
  indexes: { primary: recordKey('radar-sms-admission'), owned: ownedIndex },
});

/** Admissions: `get` one strongly consistent GetItem. */
export const smsAdmissions = collection(SmsAdmissionEntity);

/** The telephone that a user has shown to have; its id is the user's. */
const RadarPhoneEntity = entity({
  model: model('radar-phone'),
  attributes: { ...recordAttributes, ...ownedAttributes, phoneNumber: { type: 'string', required: true } },
  indexes: { primary: recordKey('radar-phone'), owned: ownedIndex },
});

/** Telephones: `get` one strongly consistent GetItem. */
export const radarPhones = collection(RadarPhoneEntity);
