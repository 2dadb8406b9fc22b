import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { stageLineOfStage } from '../../../kernel/http/operators-log.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import { hasOperatorPermission } from '../../../access/authorization/public.ts';
import {
  type FactorResetRecord,
  findDueReset,
  forEachDueReset,
  stageEndOfReset,
  stageResetNotice,
} from '../../../proofs/modules/factor-resets/public.ts';
import { findFactors, stageRemovalOfFactor } from '../../../proofs/mfa/public.ts';
import { findPasskey, stageRemovalOfPasskey } from '../../../proofs/passkeys/public.ts';
import { findUser } from '../../../tenancy/modules/users/public.ts';

/** Reports whether the operator who began a reset may still do it. An emergency access has no role that could be taken away. */
const isPermitted = async ({ environmentId, operatorId, isBreakGlass }: FactorResetRecord): Promise<boolean> =>
  isBreakGlass === true || hasOperatorPermission(environmentId, operatorId, 'people.support');

/** Stages the removal of the factor; nothing if it was removed before. */
async function stageRemoval(unit: Unit, { environmentId, userId, kind, factorId }: FactorResetRecord): Promise<void> {
  if (kind === 'passkey') {
    const passkey = await findPasskey(environmentId, factorId);
    if (passkey !== undefined) await stageRemovalOfPasskey(unit, passkey);
    return;
  }
  const factor = (await findFactors(environmentId, userId)).find(({ id }) => id === factorId);
  if (factor !== undefined) await stageRemovalOfFactor(unit, factor);
}

async function executeReset(unit: Unit, reset: FactorResetRecord): Promise<void> {
  const { environmentId, userId, factorId, operatorId, operatorName } = reset;
  const [user, permitted] = await awaitAll([findUser(environmentId, userId), isPermitted(reset)]);
  if (user === undefined) {
    stageEndOfReset(unit, reset, 'cancelled');
    return;
  }
  stageEndOfReset(unit, reset, permitted ? 'done' : 'cancelled');
  stageLineOfStage(unit, {
    action: permitted ? 'factor_resets.execute' : 'factor_resets.lapse',
    actor: { id: operatorId, name: operatorName ?? operatorId },
    environmentId,
    reason: `The delayed reset of ${factorId} of ${userId}`,
  });
  if (!permitted) return;
  await stageRemoval(unit, reset);
  await stageResetNotice(unit, user);
}

/** Carries out the resets whose time has come. */
export const executeResets = (): Promise<void> =>
  forEachDueReset(async (due) => {
    await applyWork(due.environmentId, systemActor, async (unit) => {
      const reset = await findDueReset(due);
      if (reset !== undefined) await executeReset(unit, reset);
    });
  });
