import { collection } from '../../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../../kernel/storage/entity.ts';
import {
  model,
  ownedAttributes,
  ownedIndex,
  recordAttributes,
  recordKey,
  ownedRecord,
} from '../../../kernel/storage/record.ts';

/** An authentication factor: an authenticator app, or a phone number. */
const FactorEntity = entity(
  ownedRecord('auth-factor', {
    type: { type: ['totp', 'sms', 'generic_otp'] as const, required: true, readOnly: true },
    /** The user; absent on a factor that the caller keeps for a person who is not a user of this service. */
    userId: { type: 'string', readOnly: true },
    /** The phone number in E.164 form; only for `sms`. */
    phoneNumber: { type: 'string', readOnly: true },
    /** The label in the app; only for `totp`. */
    issuer: { type: 'string', readOnly: true },
    account: { type: 'string', readOnly: true },
    /** The secret from which the app generates codes (the seed), encrypted for this record; only for `totp`. */
    sealedSeed: { type: 'any', readOnly: true },
    /** The time step of the last accepted code (RFC 6238 section 5.2: each code is accepted once). */
    lastStep: { type: 'number' },
    /**
     * The challenge whose code is valid, which a new one replaces. It is absent for `totp`, whose codes the app generates.
     */
    challengeId: { type: 'string' },
    /** The time when a challenge was first passed (ISO 8601); until then the factor is not proven. */
    provenAt: { type: 'string' },
    /** The time of the last notice about wrong codes to the owner (ISO 8601). */
    ownerToldAt: { type: 'string' },
  }),
);

export type FactorRecord = RecordOf<typeof FactorEntity>;

/** Factors by id: `get` is one strongly consistent GetItem. */
export const factors = collection(FactorEntity, 'silent');

/**
 * The ids of a user's factors, in a separate row, so that their list is strongly consistent and their number exact, which a
 * list index could not guarantee.
 */
const UserFactorsEntity = entity({
  model: model('user-auth-factors'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    factorIds: { type: 'list', items: { type: 'string' }, required: true },
  },
  // The user's id.
  indexes: { primary: recordKey('user-auth-factors'), owned: ownedIndex },
});

/** The lists of users' factors, by the users' ids. */
export const userFactors = collection(UserFactorsEntity, 'internal');

/** Maximum factors of a user. */
export const MOST_FACTORS = 10;

/** A user's factors, the oldest first, by one strongly consistent GetItem, and a BatchGetItem after it if there are any. */
export async function findFactors(environmentId: string, userId: string): Promise<FactorRecord[]> {
  const listed = await userFactors.get(environmentId, userId);
  return listed === undefined ? [] : factors.getMany(environmentId, listed.factorIds);
}
