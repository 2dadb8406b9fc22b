import { environmentOf } from '../../kernel/authentication/environment.ts';
import { clock } from '../../kernel/clock.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { consume, forgive } from '../../kernel/limits/counter.ts';
import { limitOf } from '../../kernel/limits/named-limits.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type FactorRecord, factors } from '../factor/entity.ts';
import { openSeed } from '../factor/enrol.ts';
import { acceptedStep } from '../totp/codes.ts';
import { type ChallengeRecord, challenges } from './entity.ts';
import { codeOf } from './stage.ts';

/**
 * How a code did. `expired`: too late, or a newer code was sent; `used`: the challenge was passed before; `not_found`: no
 * such challenge, not this user's, or its factor is gone.
 */
export type ChallengeOutcome = 'valid' | 'invalid' | 'expired' | 'too_many_attempts' | 'used' | 'not_found';

/** An outcome with the challenge as it is then; absent of one that is not found. */
export interface CheckedChallenge {
  outcome: ChallengeOutcome;
  challenge?: ChallengeRecord;
}

/**
 * Tries a code at a challenge, and marks it passed and its factor proven when that is right; of any number of parallel
 * tries one is right. Every try is counted before it is looked at, so that parallel guesses are no more than five either;
 * wrong ones are counted for the factor as well, whatever challenge they answer.
 *
 * Three round trips and the commit: the challenge; its factor, beside the counters; the factor's counter again where the
 * code was right.
 * @param userId whose challenge it has to be
 */
export async function tryChallenge(
  unit: Unit,
  environmentId: string,
  challengeId: string,
  code: string,
  { userId }: { userId?: string | undefined } = {},
): Promise<CheckedChallenge> {
  const challenge = await challenges.get(environmentId, challengeId);
  if (challenge === undefined) return { outcome: 'not_found' };
  if (userId !== undefined && challenge.userId !== userId) return { outcome: 'not_found' };
  if (challenge.verifiedAt !== undefined) return { outcome: 'used', challenge };
  if (Date.parse(challenge.endsAt) <= clock.now()) return { outcome: 'expired', challenge };
  const [factor, isAllowed] = await Promise.all([
    factors.get(environmentId, challenge.factorId),
    unit.once(`mfa-try#${challengeId}`, () => countTry(challenge)),
  ]);
  if (factor === undefined) return { outcome: 'not_found' };
  if (factor.challengeId !== undefined && factor.challengeId !== challengeId) return { outcome: 'expired', challenge };
  if (!isAllowed) return { outcome: 'too_many_attempts', challenge };
  const pass = await passOf(factor, challenge, code.replace(/[\s-]/g, ''));
  if (pass === undefined) return { outcome: 'invalid', challenge };
  await unit.once(`mfa-pass#${challengeId}`, () => forgiveTry(environmentId, factor.id));
  const verifiedAt = clock.timestamp();
  const passed = challenges.revise(challenge, { verifiedAt });
  const provenAt = factor.provenAt ?? verifiedAt;
  unit.stage([passed.write, factors.revise(factor, { ...pass, provenAt }).write]);
  return { outcome: 'valid', challenge: passed.record };
}

/** What wrong codes of a factor are counted by, whatever challenge they answer: in an hour, and in a day. */
const FACTOR_LIMITS = ['mfa.factor', 'mfa.factor.daily'] as const;

const forgiveTry = (environmentId: string, key: string): Promise<unknown> =>
  Promise.all(FACTOR_LIMITS.map((name) => forgive(environmentId, { name, key })));

/** Whether a challenge and its factor have tries left: one write each, at the same time. */
async function countTry({ environmentId, id, factorId }: ChallengeRecord): Promise<boolean> {
  const settings: unknown = (await environmentOf(environmentId))?.settings;
  const counters = [
    { name: 'one-time-code.tries', key: id },
    ...FACTOR_LIMITS.map((name) => ({ name, key: factorId })),
  ] as const;
  const verdicts = await Promise.all(
    counters.map(async (counted) => {
      const limit = limitOf(counted.name, settings);
      return limit === undefined || (await consume(environmentId, counted, limit)).allowed;
    }),
  );
  return verdicts.every(Boolean);
}

/** What a right code changes about its factor; undefined for a wrong one. */
async function passOf(
  factor: FactorRecord,
  challenge: ChallengeRecord,
  code: string,
): Promise<{ lastStep?: number } | undefined> {
  if (factor.type === 'totp') {
    const lastStep = acceptedStep(await openSeed(factor), code, clock.seconds(), factor.lastStep);
    return lastStep === undefined ? undefined : { lastStep };
  }
  const expected = await codeOf(challenge);
  return expected !== undefined && constantTimeEqual(expected, code) ? {} : undefined;
}
