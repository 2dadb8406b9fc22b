import { randomBytes } from 'node:crypto';

import { newId } from '../../kernel/ids.ts';
import { envelopes } from '../../kernel/keys/shared.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { qrCode } from '../totp/picture.ts';
import { keyUri, SEED_BYTES, toBase32 } from '../totp/codes.ts';
import { type FactorRecord, stageFactor } from './entity.ts';
import { type EnrolledFactor, presentFactor } from './schema.ts';

/** The purpose of encrypted seeds: one data key for all factors of an environment, replaced each minute. */
const seedScope = (environmentId: string) => ({ environmentId, purpose: 'totp-seed' });

/** A new factor, and its form in the only response that contains its seed. */
export interface Enrolment {
  record: FactorRecord;
  enrolled: EnrolledFactor;
}

/** The data of a new authenticator app. */
export interface WantedTotp {
  environmentId: string;
  /** Absent for a person who is not a user of this service. */
  userId?: string | undefined;
  /** The issuer, as the app displays it; without a colon. */
  issuer: string;
  /** The account, as the app displays it; without a colon. */
  label: string;
  /** A seed of the caller's, of 10 to 64 bytes; if absent, 20 random bytes. */
  secret?: Uint8Array | undefined;
}

/**
 * Adds an authenticator app. Its seed is encrypted under KMS, and only `enrolled` shows it.
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
 * Decrypts the seed of an authenticator app: no KMS call while the environment's data key is cached. @throws KeyError
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
