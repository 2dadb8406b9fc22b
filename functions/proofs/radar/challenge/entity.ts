import { codeAttributes } from '../../../kernel/one-time-code/code.ts';
import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  expiringAttributes,
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
  ownedRecord,
} from '../../../kernel/storage/record.ts';

/**
 * A code that a risky sign-in requires, by mail (`radar_challenge_…`) or SMS (`vrf_…`). An entered code is compared
 * with the user's current code of the kind.
 */
const RadarChallengeEntity = entity(
  ownedRecord('radar-challenge', {
    ...codeAttributes,
    kind: { type: ['email', 'sms'] as const, required: true, readOnly: true },
    userId: { type: 'string', required: true, readOnly: true },
    /** The address, for `email`. */
    email: { type: 'string', readOnly: true },
    /** The phone number in E.164 form, for `sms`. */
    phoneNumber: { type: 'string', readOnly: true },
    /**
     * SHA-256 of the pending authentication token that it was sent for; absent if that token names its challenge
     * itself.
     */
    pendingHash: { type: 'string', readOnly: true },
  }),
);

export type RadarChallengeRecord = RecordOf<typeof RadarChallengeEntity>;

/** Radar challenges: `get` is one strongly consistent GetItem. */
export const radarChallenges = collection(RadarChallengeEntity, {
  events: ['radar.challenge_created'],
  // The creation of a challenge by SMS has no event.
  silent: ['creation'],
});

/**
 * A pending sign-in that may have a code sent to a phone number that its user enters. Its id is the SHA-256 of the
 * pending authentication token, so only the token's holder finds it.
 */
const SmsAdmissionEntity = entity(
  ownedRecord('radar-sms-admission', {
    ...expiringAttributes,
    userId: { type: 'string', required: true, readOnly: true },
  }),
);

/** Admissions: `get` is one strongly consistent GetItem. */
export const smsAdmissions = collection(SmsAdmissionEntity, 'internal');

/** The phone number that a user has proven; its id is the user's. */
const RadarPhoneEntity = entity({
  model: model('radar-phone'),
  attributes: { ...recordAttributes, ...ownedAttributes, phoneNumber: { type: 'string', required: true } },
  indexes: { primary: recordKey('radar-phone'), owned: ownedIndex },
});

/** Phone numbers: `get` is one strongly consistent GetItem. */
export const radarPhones = collection(RadarPhoneEntity, 'internal');
