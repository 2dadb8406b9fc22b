/** The functions of authentication factors and challenges for other areas. This area knows users only by their ids. */
export { findFactors, type FactorRecord } from './factor/entity.ts';
export { stageRemovalOfFactor, stageRemovalOfFactors } from './factor/stage.ts';
export { offerTotp, stageProvenTotp } from './factor/prove.ts';
export { defaultIssuer } from './factor/issuer.ts';
export { presentFactor } from './factor/schema.ts';
export { makeRecoveryCodes, stageRecoveryCodes } from './recovery/stage.ts';
export { checkRecoveryCode, countRecoveryCodes } from './recovery/use.ts';
export { mayOfferFactor, stageFactorOfferDeclined } from './offer/offer.ts';
export { stageChallenge } from './challenge/stage.ts';
export type { ChallengeOutcome } from './challenge/check.ts';

import { type ChallengeOutcome, tryChallenge, type TryOptions } from './challenge/check.ts';
import type { FactorRecord } from './factor/entity.ts';
import type { Unit } from '../../kernel/storage/unit.ts';

/**
 * Checks a code of a challenge: see `tryChallenge`. Its effects are staged in the unit of work, so a code is used if and
 * only if the caller's own changes are committed.
 * @param options.userId the user that it must belong to; `not_found` otherwise
 * @param options.composeNotice composes the notice about wrong codes, committed with the caller's own changes
 */
export async function checkChallenge(
  unit: Unit,
  environmentId: string,
  challengeId: string,
  code: string,
  options: TryOptions = {},
): Promise<ChallengeOutcome> {
  return (await tryChallenge(unit, environmentId, challengeId, code, options)).outcome;
}

/** Reports whether a factor counts at sign-in: its owner has passed a challenge of it once. */
export const isProven = ({ provenAt }: FactorRecord): boolean => provenAt !== undefined;
