import { randomBytes } from 'node:crypto';

import { clock } from '../../../kernel/clock.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { acceptedStep, keyUri, SEED_BYTES, toBase32 } from '../totp/codes.ts';
import { stageTotpFactor, type WantedTotp } from './stage.ts';
import { type FactorRecord, factors } from './entity.ts';

/** A secret for an authenticator app that is displayed before anything is stored. */
export interface OfferedTotp {
  secret: Uint8Array;
  /** The Base32 form, for users who cannot scan. */
  base32: string;
  /** The `otpauth://` URI, which apps read from a QR code. */
  uri: string;
}

/** Makes a secret for an app without storing it. @param wanted.secret the secret of an earlier offer, to show it again */
export function offerTotp({
  issuer,
  label,
  secret = randomBytes(SEED_BYTES.made),
}: Pick<WantedTotp, 'issuer' | 'label' | 'secret'>): OfferedTotp {
  return { secret, base32: toBase32(secret), uri: keyUri({ issuer, user: label }, secret) };
}

/**
 * Adds an authenticator app with its first correct code, so that an abandoned enrolment leaves no row. The code's time
 * step is used up.
 * @returns undefined for a wrong code: nothing is staged. @throws Failure `tooManyFactors`
 */
export async function stageProvenTotp(
  unit: Unit,
  wanted: WantedTotp & { secret: Uint8Array },
  code: string,
): Promise<FactorRecord | undefined> {
  const lastStep = acceptedStep(wanted.secret, code.replace(/[\s-]/g, ''), clock.seconds());
  if (lastStep === undefined) return undefined;
  const { record } = await stageTotpFactor(unit, wanted);
  const proven = factors.revise(record, { lastStep, provenAt: clock.timestamp() });
  unit.stage(proven.write);
  return proven.record;
}
