import { environmentOf } from '../../kernel/authentication/environment.ts';
import { clock } from '../../kernel/clock.ts';
import { constantTimeEqual } from '../../kernel/keys/hash.ts';
import { consume, forgive } from '../../kernel/limits/counter.ts';
import { limitOf } from '../../kernel/limits/named-limits.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { Write } from '../../kernel/storage/write.ts';
import { type FactorRecord, factors } from '../factor/entity.ts';
import { openSeed } from '../factor/stage.ts';
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

/** Whose a challenge has to be, and how they are told of wrong codes. */
export interface TryOptions {
  userId?: string | undefined;
  /**
   * Composes the message that tells the factor's owner that somebody enters wrong codes; undefined where there is nowhere to send it.
   * Asked for from the fifth wrong code of a day on, once a day for each factor that was proven.
   */
  composeNotice?: (() => Promise<Write | undefined>) | undefined;
}

/**
 * Tries a code at a challenge, and marks it passed and its factor proven when that is right; of any number of parallel
 * tries one is right. Every try is counted before it is looked at, so that parallel guesses are no more than five either;
 * wrong ones are counted for the factor as well, whatever challenge they answer. What tells the owner of wrong ones is staged: the
 * caller commits it with the failure.
 *
 * Three round trips and the commit: the challenge; its factor, beside the counters; the factor's counter again where the
 * code was right.
 */
export async function tryChallenge(
  unit: Unit,
  environmentId: string,
  challengeId: string,
  code: string,
  { userId, composeNotice }: TryOptions = {},
): Promise<CheckedChallenge> {
  const challenge = await challenges.get(environmentId, challengeId);
  if (challenge === undefined) return { outcome: 'not_found' };
  if (userId !== undefined && challenge.userId !== userId) return { outcome: 'not_found' };
  if (challenge.verifiedAt !== undefined) return { outcome: 'used', challenge };
  if (Date.parse(challenge.endsAt) <= clock.now()) return { outcome: 'expired', challenge };
  const [factor, { isAllowed, triesInDay }] = await Promise.all([
    factors.get(environmentId, challenge.factorId),
    unit.once(`mfa-try#${challengeId}`, () => countTry(challenge)),
  ]);
  if (factor === undefined) return { outcome: 'not_found' };
  if (factor.challengeId !== undefined && factor.challengeId !== challengeId) return { outcome: 'expired', challenge };
  const pass = isAllowed ? await passOf(factor, challenge, code.replace(/[\s-]/g, '')) : undefined;
  if (pass === undefined) {
    await stageNotice(unit, factor, triesInDay, composeNotice);
    return { outcome: isAllowed ? 'invalid' : 'too_many_attempts', challenge };
  }
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

/** Wrong codes of a day from which on the owner is told: more than somebody mistypes, and no more than one challenge takes. */
const ALARMING_TRIES = 5;
const DAY_MS = 86_400_000;

/**
 * Stages the message to the owner where one is due. When they were told stands in the factor's row, which the same transaction writes:
 * of any number of parallel tries one tells, and what a crash kept from being committed the next wrong code tells.
 */
async function stageNotice(
  unit: Unit,
  factor: FactorRecord,
  triesInDay: number,
  composeNotice: TryOptions['composeNotice'],
): Promise<void> {
  const { provenAt, ownerToldAt } = factor;
  if (composeNotice === undefined || provenAt === undefined || triesInDay < ALARMING_TRIES) return;
  if (ownerToldAt !== undefined && Date.parse(ownerToldAt) + DAY_MS > clock.now()) return;
  const notice = await composeNotice();
  if (notice === undefined) return;
  unit.stage([factors.revise(factor, { ownerToldAt: clock.timestamp() }).write, notice]);
}

/** Whether a try may be looked at, and the tries of the factor in the day's window, this one included; none that were right. */
interface CountedTry {
  isAllowed: boolean;
  triesInDay: number;
}

/** Counts a try at a challenge and its factor: one write each, at the same time. */
async function countTry({ environmentId, id, factorId }: ChallengeRecord): Promise<CountedTry> {
  const settings: unknown = (await environmentOf(environmentId))?.settings;
  const counters = [
    { name: 'one-time-code.tries', key: id },
    ...FACTOR_LIMITS.map((name) => ({ name, key: factorId })),
  ] as const;
  const verdicts = await Promise.all(
    counters.map(async (counted) => {
      const limit = limitOf(counted.name, settings);
      if (limit === undefined) return { allowed: true, tries: 0 };
      const { allowed, remaining } = await consume(environmentId, counted, limit);
      // A window that is full may hold fewer than are alarming, where the environment allows fewer.
      return { allowed, tries: allowed ? limit.limit - remaining : Number.POSITIVE_INFINITY };
    }),
  );
  return { isAllowed: verdicts.every(({ allowed }) => allowed), triesInDay: verdicts.at(-1)?.tries ?? 0 };
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
