import type { Issue } from '../../kernel/errors.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import type { FlagRecord } from '../flag/entity.ts';
import { flagPayload } from '../flag/schema.ts';
import { ALL_TARGETS, countAll, flagMembers, tallies, targets, writeFlagIds } from './entity.ts';
import { MAX_ALL_TARGETS, MAX_TARGETS } from './errors.ts';

/** Reads what a change of a flag's target needs: one round trip. */
async function readTarget({ environmentId, id: flagId }: FlagRecord, targetId: string) {
  const [row, [own, all]] = await Promise.all([
    targets.get(environmentId, targetId),
    Promise.all([tallies.get(environmentId, flagId), tallies.get(environmentId, ALL_TARGETS)]),
  ]);
  return { row, own, all, flagIds: (row?.flagIds ?? []) as string[] };
}

const tooMany = (most: number, of: string): Issue => ({
  field: 'resourceId',
  code: 'too_big',
  message: `would be one too many: there can be ${most} targets of ${of}. Remove targets first`,
});

/**
 * Stages that a flag targets a user or organization, with `flag.rule_updated`; neither if it does already. The caller
 * has checked that the target exists. If the flag is deleted concurrently, the unit conflicts.
 * @returns the issue of a bound that is reached; undefined if there is none
 */
export async function stageTarget(
  unit: Unit<'flag.rule_updated'>,
  flag: FlagRecord,
  targetId: string,
): Promise<Issue | undefined> {
  const { environmentId, id: flagId } = flag;
  const { row, own, all, flagIds } = await readTarget(flag, targetId);
  if (flagIds.includes(flagId)) return undefined;
  const count = own?.count ?? 0;
  const total = all?.count ?? 0;
  if (count >= MAX_TARGETS) return tooMany(MAX_TARGETS, 'a feature flag');
  if (total >= MAX_ALL_TARGETS) return tooMany(MAX_ALL_TARGETS, 'all feature flags of an environment');
  unit.stage([
    writeFlagIds(environmentId, targetId, row, [...flagIds, flagId]),
    flagMembers.create({ environmentId, id: targetId, flagId }).write,
    own === undefined
      ? tallies.create({ environmentId, id: flagId, count: 1 }).write
      : tallies.revise(own, { count: count + 1 }).write,
    countAll(environmentId, all, total + 1),
  ]);
  unit.emit('flag.rule_updated', flagPayload(flag));
  return undefined;
}

/** Stages that a flag no longer targets a user or organization, with `flag.rule_updated`; neither if it does not. */
export async function stageTargetRemoval(
  unit: Unit<'flag.rule_updated'>,
  flag: FlagRecord,
  targetId: string,
): Promise<void> {
  const { environmentId, id: flagId } = flag;
  const { row, own, all, flagIds } = await readTarget(flag, targetId);
  if (!flagIds.includes(flagId)) return;
  unit.stage([
    writeFlagIds(
      environmentId,
      targetId,
      row,
      flagIds.filter((id) => id !== flagId),
    ),
    flagMembers.removeByKey({ environmentId, id: targetId, flagId }),
    countAll(environmentId, all, (all?.count ?? 0) - 1),
  ]);
  if (own !== undefined) unit.stage(tallies.revise(own, { count: own.count - 1 }).write);
  unit.emit('flag.rule_updated', flagPayload(flag));
}
