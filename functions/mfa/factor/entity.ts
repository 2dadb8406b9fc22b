import { Failure } from '../../kernel/errors.ts';
import { collection } from '../../kernel/storage/collection.ts';
import { entity, type RecordOf } from '../../kernel/storage/entity.ts';
import {
  ENVIRONMENT_OWNER,
  model,
  ownedAttributes,
  ownedIndex,
  ownerKey,
  recordAttributes,
  recordKey,
} from '../../kernel/storage/record.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { tooManyFactors } from './errors.ts';

/** An authentication factor: an authenticator app, or a phone number. */
const FactorEntity = entity({
  model: model('auth-factor'),
  attributes: {
    ...recordAttributes,
    ...ownedAttributes,
    type: { type: ['totp', 'sms', 'generic_otp'] as const, required: true, readOnly: true },
    /** Absent on a factor that the caller keeps for a person who is not a user of this service. */
    userId: { type: 'string', readOnly: true },
    /** In E.164 form; only for `sms`. */
    phoneNumber: { type: 'string', readOnly: true },
    /** The label in the app; only for `totp`. */
    issuer: { type: 'string', readOnly: true },
    account: { type: 'string', readOnly: true },
    /** The seed, encrypted for this record only; only for `totp`. */
    sealedSeed: { type: 'any', readOnly: true },
    /** The time step of the last accepted code (RFC 6238 section 5.2: each code is accepted once). */
    lastStep: { type: 'number' },
    /** The challenge whose code is valid: a new one replaces it. Not for `totp`, whose codes the app generates. */
    challengeId: { type: 'string' },
    /** ISO 8601, the time when a challenge was first passed: until then the factor is not proven. */
    provenAt: { type: 'string' },
    /** ISO 8601, the time of the last notice about wrong codes to the owner. */
    ownerToldAt: { type: 'string' },
  },
  indexes: { primary: recordKey('auth-factor'), owned: ownedIndex },
});

export type FactorRecord = RecordOf<typeof FactorEntity>;

/** Factors: `get` one strongly consistent GetItem by id. */
export const factors = collection(FactorEntity, 'silent');

/**
 * The factors of a user by id, in a row of its own: so their list is strongly consistent and their number exact, which
 * a list index could not give.
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

const userFactors = collection(UserFactorsEntity, 'internal');

/** Maximum factors of a user. */
export const MOST_FACTORS = 10;

/**
 * A user's factors, the oldest first: one strongly consistent GetItem, and a BatchGetItem after it if there are any.
 */
export async function factorsOf(environmentId: string, userId: string): Promise<FactorRecord[]> {
  const listed = await userFactors.get(environmentId, userId);
  return listed === undefined ? [] : factors.getMany(environmentId, listed.factorIds);
}

/** The attributes of a new factor that depend on its type. */
export type FactorContent = Pick<FactorRecord, 'type'> &
  Partial<Pick<FactorRecord, 'phoneNumber' | 'issuer' | 'account' | 'sealedSeed'>>;

/**
 * Adds a factor to its user's list, if it has a user.
 * @throws Failure `tooManyFactors`
 */
export async function stageFactor(
  unit: Unit,
  { environmentId, id, userId }: { environmentId: string; id: string; userId: string | undefined },
  content: FactorContent,
): Promise<FactorRecord> {
  const owner = userId === undefined ? ENVIRONMENT_OWNER : ownerKey('user', userId);
  const { record, write } = factors.create({ environmentId, id, owner, userId, ...content });
  unit.stage(write);
  if (userId === undefined) return record;
  const listed = await userFactors.get(environmentId, userId);
  const factorIds = [...(listed?.factorIds ?? []), id];
  if (factorIds.length > MOST_FACTORS) throw new Failure(tooManyFactors);
  const list =
    listed === undefined
      ? userFactors.create({ environmentId, id: userId, owner, factorIds })
      : userFactors.revise(listed, { factorIds });
  unit.stage(list.write);
  return record;
}

/** Removes a factor, and its id from its user's list. */
export async function stageRemovalOfFactor(unit: Unit, factor: FactorRecord): Promise<void> {
  const { environmentId, id, userId } = factor;
  unit.stage(factors.remove(factor));
  const listed = userId === undefined ? undefined : await userFactors.get(environmentId, userId);
  if (listed === undefined) return;
  const factorIds = listed.factorIds.filter((other) => other !== id);
  unit.stage(userFactors.revise(listed, { factorIds }).write);
}

/** Removes all factors of a user with their list: at most eleven writes. */
export async function stageRemovalOfFactors(unit: Unit, environmentId: string, userId: string): Promise<void> {
  const listed = await userFactors.get(environmentId, userId);
  if (listed === undefined) return;
  const owned = await factors.getMany(environmentId, listed.factorIds);
  unit.stage([userFactors.remove(listed), ...owned.map((factor) => factors.remove(factor))]);
}
