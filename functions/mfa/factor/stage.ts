import { randomBytes } from 'node:crypto';

import { newId } from '../../kernel/ids.ts';
import { envelopes } from '../../kernel/keys/shared.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { qrCode } from '../totp/picture.ts';
import { keyUri, SEED_BYTES, toBase32 } from '../totp/codes.ts';
import { type FactorRecord, stageFactor } from './entity.ts';
import { type EnrolledFactor, presentFactor } from './schema.ts';

/** The purpose of envelopes of seeds: one data key for all factors of an environment, renewed each minute. */
const seedScope = (environmentId: string) => ({ environmentId, purpose: 'totp-seed' });

/** A new factor, and how the one answer that shows its seed presents it. */
export interface Enrolment {
  record: FactorRecord;
  enrolled: EnrolledFactor;
}

/** An authenticator app to be. */
export interface WantedTotp {
  environmentId: string;
  /** Absent for somebody whom this service does not know. */
  userId?: string | undefined;
  /** Who asks for codes, as the app shows it; without a colon. */
  issuer: string;
  /** Whose account it is, as the app shows it; without a colon. */
  label: string;
  /** A seed of the caller's, of 10 to 64 bytes; 20 random ones where it is absent. */
  secret?: Uint8Array | undefined;
}

/**
 * Adds an authenticator app. Its seed is enveloped under KMS, and shown in `enrolled` alone.
 * @throws Failure `tooManyFactors`; KeyError when KMS does not answer
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

/** The seed of an authenticator app: no KMS call while the environment's data key is remembered. @throws KeyError */
export const openSeed = ({ environmentId, id, sealedSeed }: FactorRecord): Promise<Uint8Array> =>
  envelopes().open(seedScope(environmentId), id, sealedSeed as Uint8Array);

/** Adds a telephone. @param phoneNumber in E.164 form @throws Failure `tooManyFactors` */
export async function stageSmsFactor(
  unit: Unit,
  wanted: { environmentId: string; userId?: string | undefined; phoneNumber: string },
): Promise<Enrolment> {
  const { environmentId, userId, phoneNumber } = wanted;
  const id = newId('auth_factor');
  const record = await stageFactor(unit, { environmentId, id, userId }, { type: 'sms', phoneNumber });
  return { record, enrolled: presentFactor(record) as EnrolledFactor };
}

/** Adds a factor whose codes the caller delivers by a way of its own. @throws Failure `tooManyFactors` */
export async function stageGenericFactor(
  unit: Unit,
  { environmentId, userId }: { environmentId: string; userId?: string | undefined },
): Promise<Enrolment> {
  const id = newId('auth_factor');
  const record = await stageFactor(unit, { environmentId, id, userId }, { type: 'generic_otp' });
  return { record, enrolled: presentFactor(record) as EnrolledFactor };
}
