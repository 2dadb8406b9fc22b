import { findEnvironment } from '../../../kernel/authentication/environment.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { consume, forgive } from '../../../kernel/limits/counter.ts';
import { findLimit } from '../../../kernel/limits/named-limits.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { recoveryCodes } from './entity.ts';
import { hashRecoveryCode } from './stage.ts';

/** The number of recovery codes that a user has left, by one strongly consistent GetItem. */
export const countRecoveryCodes = async (environmentId: string, userId: string): Promise<number> =>
  (await recoveryCodes.get(environmentId, userId))?.hashes.length ?? 0;

/** The result of an attempt with a recovery code. */
export type RecoveryOutcome = { kind: 'valid'; left: number } | { kind: 'invalid' | 'too_many_attempts' };

/** The limits of wrong codes: those of an authenticator app, counted for the user. */
const LIMITS = ['mfa.factor', 'mfa.factor.daily'] as const;

/**
 * Checks a recovery code, which is counted before, and stages its use: the row is written under its version, so of parallel
 * attempts with one code only one is committed.
 */
export async function checkRecoveryCode(
  unit: Pick<Unit, 'stage' | 'once'>,
  { environmentId, id: userId }: { environmentId: string; id: string },
  code: string,
): Promise<RecoveryOutcome> {
  const key = `recovery ${userId}`;
  const settings: unknown = (await findEnvironment(environmentId))?.settings;
  const isAllowed = await unit.once('recovery code', async () => {
    const verdicts = await awaitAll(
      LIMITS.map(async (name) => {
        const limit = findLimit(name, settings);
        return limit === undefined || (await consume(environmentId, { name, key }, limit)).allowed;
      }),
    );
    return verdicts.every(Boolean);
  });
  if (!isAllowed) return { kind: 'too_many_attempts' };
  const stored = await recoveryCodes.get(environmentId, userId);
  const hash = hashRecoveryCode(environmentId, userId, code);
  if (stored === undefined || !stored.hashes.includes(hash)) return { kind: 'invalid' };
  await unit.once('recovery code was right', () =>
    awaitAll(LIMITS.map((name) => forgive(environmentId, { name, key }))),
  );
  const hashes = stored.hashes.filter((other) => other !== hash);
  unit.stage(recoveryCodes.revise(stored, { hashes }).write);
  return { kind: 'valid', left: hashes.length };
}
