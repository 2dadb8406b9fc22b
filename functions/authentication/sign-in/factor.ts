import type { Unit } from '../../kernel/storage/unit.ts';
import { presentFactor, stageChallenge } from '../../mfa/public.ts';
import { presentUser, type SignInSettings } from '../../user-management/public.ts';
import type { Attempt, SignIn } from './attempt.ts';
import { asksSecondFactor } from './method.ts';
import { usableFactors } from './read-ahead.ts';
import { unlessTooMany, waitFor } from './wait.ts';

/**
 * Asks for a second factor where the environment wants one: challenges the first that the user has shown to work, an app
 * before a telephone. Who has none is asked to enrol one where everybody must. Undefined where nothing is asked.
 */
export async function askForFactor(
  unit: Unit,
  attempt: Attempt,
  { mfa }: SignInSettings,
  { isClaimed }: { isClaimed: boolean },
): Promise<SignIn | undefined> {
  const { environmentId, user, proofs } = attempt;
  if (mfa === 'off' || proofs.mfa || !asksSecondFactor(attempt.method)) return undefined;
  const proven = isClaimed ? [] : await (attempt.read?.factors ?? usableFactors(environmentId, user.id));
  const factor = proven.find(({ type }) => type === 'totp') ?? proven[0];
  if (factor === undefined) {
    if (mfa === 'optional') return undefined;
    return waitFor(unit, attempt, 'mfa_enrollment', { members: { user: presentUser(user) } });
  }
  const challenge = await unlessTooMany(() => stageChallenge(unit, factor));
  if ('kind' in challenge) return challenge;
  return waitFor(unit, attempt, 'mfa_challenge', {
    challengeId: challenge.record.id,
    members: {
      authentication_challenge: challenge.presented,
      authentication_factors: proven.map(presentFactor),
      user: presentUser(user),
    },
  });
}
