import { randomBytes } from 'node:crypto';

import { Failure } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { envelopes } from '../../../kernel/keys/shared.ts';
import { ENVIRONMENT_OWNER, ownerKey } from '../../../kernel/storage/record.ts';
import { addPhone, removePhone } from '../../../kernel/storage/phone-words.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { qrCode } from '../totp/picture.ts';
import { stageRemovalOfRecoveryCodes } from '../recovery/stage.ts';
import { keyUri, SEED_BYTES, toBase32 } from '../totp/codes.ts';
import { type FactorRecord, factors, MOST_FACTORS, userFactors } from './entity.ts';
import { tooManyFactors } from './errors.ts';
import { type EnrolledFactor, presentFactor } from './schema.ts';
import { keyPurpose } from '../../../kernel/keys/key-wrapper.ts';

/** The scope of encrypted secrets of apps: one data key for all factors of an environment, replaced each minute. */
const seedScope = (environmentId: string) => ({ environmentId, purpose: keyPurpose('totp-seed') });

/** A new factor, and the form in which the only response that contains its secret returns it. */
export interface Enrolment {
  record: FactorRecord;
  enrolled: EnrolledFactor;
}

/** The data of a new authenticator app. */
export interface WantedTotp {
  environmentId: string;
  /** The id of the user; absent for a person who is not a user of this service. */
  userId?: string | undefined;
  /** The issuer, as the app displays it; without a colon. */
  issuer: string;
  /** The account, as the app displays it; without a colon. */
  label: string;
  /** A secret of the caller's, of 10 to 64 bytes; if absent, 20 random bytes. */
  secret?: Uint8Array | undefined;
}

/**
 * Adds an authenticator app. Its secret is encrypted with a key that KMS wraps, and only `enrolled` shows it.
 * @throws Failure `tooManyFactors`; KeyError when KMS does not respond
 */
export async function stageTotpFactor(unit: Unit, wanted: WantedTotp): Promise<Enrolment> {
  const { environmentId, userId, issuer, label: user, secret = randomBytes(SEED_BYTES.made) } = wanted;
  const id = newId('auth_factor');
  const sealedSeed = await envelopes().seal(seedScope(environmentId), id, secret);
  const content = { type: 'totp', issuer, account: user, sealedSeed } as const;
  const record = await stageFactor(unit, { environmentId, id, userId }, content);
  const uri = keyUri({ issuer, user }, secret);
  const totp = { issuer, user, secret: toBase32(secret), qr_code: qrCode(uri), uri };
  return { record, enrolled: { ...presentFactor(record), totp } };
}

/**
 * Decrypts the secret of an authenticator app, without a KMS call while the environment's data key is cached.
 * @throws KeyError
 */
export const openSeed = ({ environmentId, id, sealedSeed }: FactorRecord): Promise<Uint8Array> =>
  envelopes().open(seedScope(environmentId), id, sealedSeed as Uint8Array);

/** Adds a phone number. @param phoneNumber in E.164 form @throws Failure `tooManyFactors` */
export async function stageSmsFactor(
  unit: Unit,
  wanted: { environmentId: string; userId?: string | undefined; phoneNumber: string },
): Promise<Enrolment> {
  const { environmentId, userId, phoneNumber } = wanted;
  const id = newId('auth_factor');
  const record = await stageFactor(unit, { environmentId, id, userId }, { type: 'sms', phoneNumber });
  return { record, enrolled: presentFactor(record) as EnrolledFactor };
}

/** Adds a factor whose codes the caller delivers itself. @throws Failure `tooManyFactors` */
export async function stageGenericFactor(
  unit: Unit,
  { environmentId, userId }: { environmentId: string; userId?: string | undefined },
): Promise<Enrolment> {
  const id = newId('auth_factor');
  const record = await stageFactor(unit, { environmentId, id, userId }, { type: 'generic_otp' });
  return { record, enrolled: presentFactor(record) as EnrolledFactor };
}

/** The attributes of a new factor that depend on its type. */
export type FactorContent = Pick<FactorRecord, 'type'> &
  Partial<Pick<FactorRecord, 'phoneNumber' | 'issuer' | 'account' | 'sealedSeed'>>;

/**
 * Adds a factor to its user's list, if it has a user.
 * @throws Failure `tooManyFactors`
 */
async function stageFactor(
  unit: Unit,
  { environmentId, id, userId }: { environmentId: string; id: string; userId: string | undefined },
  content: FactorContent,
): Promise<FactorRecord> {
  const owner = userId === undefined ? ENVIRONMENT_OWNER : ownerKey('user', userId);
  const { record, write } = factors.create({ environmentId, id, owner, userId, ...content });
  unit.stage(write);
  if (content.phoneNumber !== undefined) unit.stage(addPhone({ environmentId, id, owner }, content.phoneNumber));
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

/** The writes that remove a factor, with the row by which a search finds its phone number. */
const makeRemoval = (factor: FactorRecord): Write[] => [
  factors.remove(factor),
  ...(factor.phoneNumber === undefined ? [] : [removePhone(factor, factor.phoneNumber)]),
];

/** Removes a factor, and its id from its user's list. */
export async function stageRemovalOfFactor(unit: Unit, factor: FactorRecord): Promise<void> {
  const { environmentId, id, userId } = factor;
  unit.stage(makeRemoval(factor));
  const listed = userId === undefined ? undefined : await userFactors.get(environmentId, userId);
  if (listed === undefined) return;
  const factorIds = listed.factorIds.filter((other) => other !== id);
  unit.stage(userFactors.revise(listed, { factorIds }).write);
}

/** Removes all factors of a user with their list, and the recovery codes, by at most 22 writes. */
export async function stageRemovalOfFactors(unit: Unit, environmentId: string, userId: string): Promise<void> {
  await stageRemovalOfRecoveryCodes(unit, environmentId, userId);
  const listed = await userFactors.get(environmentId, userId);
  if (listed === undefined) return;
  const owned = await factors.getMany(environmentId, listed.factorIds);
  unit.stage([userFactors.remove(listed), ...owned.flatMap(makeRemoval)]);
}
