import { awaitAll } from '../../../kernel/concurrency.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { clock } from '../../../kernel/clock.ts';
import { constantTimeEqual } from '../../../kernel/keys/hash.ts';
import { consume, forgive } from '../../../kernel/limits/counter.ts';
import { findLimit } from '../../../kernel/limits/named-limits.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { Write } from '../../../kernel/storage/write.ts';
import { type FactorRecord, factors } from '../factor/entity.ts';
import { openSeed } from '../factor/stage.ts';
import { acceptedStep } from '../totp/codes.ts';
import { type ChallengeRecord, challenges } from './entity.ts';
import { openChallengeCode } from './stage.ts';

/**
 * The outcome of an entered code. `expired`: the time is over, or a newer code was sent; `used`: the challenge was passed
 * before; `not_found`: there is no such challenge, it is another user's, or its factor was removed.
 */
export type ChallengeOutcome = 'valid' | 'invalid' | 'expired' | 'too_many_attempts' | 'used' | 'not_found';

/** An outcome with the challenge after it; without a challenge if it was not found. */
export interface CheckedChallenge {
  outcome: ChallengeOutcome;
  challenge?: ChallengeRecord;
}

/** The user who must own a challenge, and the notice about wrong codes. */
export interface TryOptions {
  userId?: string | undefined;
  /**
   * Composes the message that informs the factor's owner about wrong codes; undefined if there is no address for it. It
   * is requested from the fifth wrong code of a day on, once a day for each proven factor.
   */
  composeNotice?: (() => Promise<Write | undefined>) | undefined;
}

/**
 * Checks a code of a challenge. If it is correct, it stages that the challenge is passed and its factor proven; of any
 * number of parallel attempts only one succeeds. Every attempt is counted before the code is compared, so that parallel
 * guesses are limited to five as well; wrong codes are also counted for the factor, over all of its challenges. The notice
 * to the owner is staged, so the caller commits it with the failure. It takes three round trips and the commit: the
 * challenge; its factor, in parallel with the counters; the factor's counter again if the code was correct.
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
  const [factor, { isAllowed, triesInDay }] = await awaitAll([
    factors.get(environmentId, challenge.factorId),
    unit.once(`mfa-try#${challengeId}`, () => countTry(challenge)),
  ]);
  if (factor === undefined) return { outcome: 'not_found' };
  if (factor.challengeId !== undefined && factor.challengeId !== challengeId) return { outcome: 'expired', challenge };
  const pass = isAllowed ? await checkCode(factor, challenge, code.replace(/[\s-]/g, '')) : undefined;
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

/** The counters of a factor's wrong codes, over all of its challenges: for an hour, and for a day. */
const FACTOR_LIMITS = ['mfa.factor', 'mfa.factor.daily'] as const;

const forgiveTry = (environmentId: string, key: string): Promise<unknown> =>
  awaitAll(FACTOR_LIMITS.map((name) => forgive(environmentId, { name, key })));

/**
 * Number of wrong codes in a day from which the owner is notified: more than typing errors, and no more than one challenge
 * accepts.
 */
const ALARMING_TRIES = 5;

/**
 * Stages the message to the owner if it is due. The factor's row stores the time of the last message in the same
 * transaction, so that only one of parallel attempts sends it, and after a crash the next wrong code sends it.
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

/**
 * Reports whether an attempt may be checked, with the number of the factor's wrong attempts in the day's window, including
 * this one.
 */
interface CountedTry {
  isAllowed: boolean;
  triesInDay: number;
}

/** Counts an attempt for a challenge and its factor, by one write each, in parallel. */
async function countTry({ environmentId, id, factorId }: ChallengeRecord): Promise<CountedTry> {
  const settings: unknown = (await findEnvironment(environmentId))?.settings;
  const counters = [
    { name: 'one-time-code.tries', key: id },
    ...FACTOR_LIMITS.map((name) => ({ name, key: factorId })),
  ] as const;
  const verdicts = await awaitAll(
    counters.map(async (counted) => {
      const limit = findLimit(counted.name, settings);
      if (limit === undefined) return { allowed: true, tries: 0 };
      const { allowed, remaining } = await consume(environmentId, counted, limit);
      // If the environment allows fewer attempts than a notice requires, the notice is sent when the window is full.
      return { allowed, tries: allowed ? limit.limit - remaining : Number.POSITIVE_INFINITY };
    }),
  );
  return { isAllowed: verdicts.every(({ allowed }) => allowed), triesInDay: verdicts.at(-1)?.tries ?? 0 };
}

/** The changes of a factor after a correct code; undefined after a wrong one. */
async function checkCode(
  factor: FactorRecord,
  challenge: ChallengeRecord,
  code: string,
): Promise<{ lastStep?: number } | undefined> {
  if (factor.type === 'totp') {
    const lastStep = acceptedStep(await openSeed(factor), code, clock.seconds(), factor.lastStep);
    return lastStep === undefined ? undefined : { lastStep };
  }
  const expected = await openChallengeCode(challenge);
  return expected !== undefined && constantTimeEqual(expected, code) ? {} : undefined;
}
