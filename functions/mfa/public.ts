/** What other areas may know of authentication factors and challenges. It knows nothing of users but their ids. */
export { factorsOf, type FactorRecord, MOST_FACTORS, stageRemovalOfFactors } from './factor/entity.ts';
export { stageTotpFactor, type Enrolment, type WantedTotp } from './factor/stage.ts';
export { type OfferedTotp, offerTotp, stageProvenTotp } from './factor/prove.ts';
export { defaultIssuer } from './factor/issuer.ts';
export { tooManyFactors } from './factor/errors.ts';
export { AuthenticationFactor, AuthenticationFactorEnrolled, presentFactor } from './factor/schema.ts';
export { type ChallengeRecord } from './challenge/entity.ts';
export { smsChallengeQuotaReached, smsChallengeRateLimited } from './challenge/errors.ts';
export { AuthenticationChallenge, presentChallenge } from './challenge/schema.ts';
export { type NewChallenge, stageChallenge } from './challenge/stage.ts';
export type { ChallengeOutcome } from './challenge/check.ts';

import { type ChallengeOutcome, tryChallenge, type TryOptions } from './challenge/check.ts';
import type { FactorRecord } from './factor/entity.ts';
import type { Unit } from '../kernel/storage/unit.ts';

/**
 * Tries a code at a challenge: see `tryChallenge`. What makes it passed is staged in the unit, so a code is used up when and
 * only when the caller's own changes are committed.
 * @param options.userId whose challenge it has to be; `not_found` otherwise
 * @param options.composeNotice what tells the owner of wrong codes, committed with the caller's own changes
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

/** Whether a factor counts at sign-in: its owner has shown once that it works. */
export const isProven = ({ provenAt }: FactorRecord): boolean => provenAt !== undefined;
