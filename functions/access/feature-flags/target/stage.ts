import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Issue } from '../../../kernel/errors.ts';
import type { Unit } from '../../../kernel/storage/unit.ts';
import type { FlagRecord } from '../flag/entity.ts';
import { ALL_TARGETS, countAll, flagMembers, tallies, targets, writeFlagIds } from './entity.ts';
import { countTypes, MAX_CUSTOM_TYPES, computeWeight } from './custom.ts';
import { MAX_ALL_TARGETS, MAX_TARGETS } from './errors.ts';
import { emitRuleChange, readTargetIds } from './rule.ts';

/** Reads the rows that a change of a flag's target needs, in one round trip. */
async function readTarget(flag: FlagRecord, targetId: string) {
  const { environmentId, id: flagId } = flag;
  const [row, ids, [own, all]] = await awaitAll([
    targets.get(environmentId, targetId),
    readTargetIds(flag),
    awaitAll([tallies.get(environmentId, flagId), tallies.get(environmentId, ALL_TARGETS)]),
  ]);
  return {
    ...{ row, own, all, ids },
    flagIds: (row?.flagIds ?? []) as string[],
    types: (own?.types ?? {}) as Record<string, number>,
  };
}

const tooMany = (field: string, most: number, things: string): Issue => ({
  field,
  code: 'too_big',
  message: `would be too many: there can be ${most} ${things}. Remove targets first`,
});

/**
 * Stages the addition of a target to a flag, with `flag.rule_updated`. It stages nothing if the flag has the target
 * already. The caller has checked that the target exists. If the flag is deleted concurrently, the unit of work conflicts.
 * @param field the parameter that the issue names
 * @returns the issue if a bound is reached; otherwise undefined
 */
export async function stageTarget(
  unit: Unit<'flag.rule_updated'>,
  flag: FlagRecord,
  targetId: string,
  field: string,
): Promise<Issue | undefined> {
  const { environmentId, id: flagId } = flag;
  const { row, own, all, ids, flagIds, types: former } = await readTarget(flag, targetId);
  if (flagIds.includes(flagId)) return undefined;
  const weight = computeWeight(targetId);
  const count = (own?.count ?? 0) + weight;
  const total = (all?.count ?? 0) + weight;
  const types = countTypes(former, targetId, 1);
  if (count > MAX_TARGETS) return tooMany(field, MAX_TARGETS, 'targets of a feature flag');
  if (total > MAX_ALL_TARGETS) return tooMany(field, MAX_ALL_TARGETS, 'targets of all feature flags of an environment');
  if (Object.keys(types).length > MAX_CUSTOM_TYPES) {
    return tooMany('type', MAX_CUSTOM_TYPES, 'types of custom targets of a feature flag');
  }
  unit.stage([
    writeFlagIds(environmentId, targetId, row, [...flagIds, flagId]),
    flagMembers.create({ environmentId, id: targetId, flagId }).write,
    own === undefined
      ? tallies.create({ environmentId, id: flagId, count, types }).write
      : tallies.revise(own, { count, types }).write,
    countAll(environmentId, all, total),
  ]);
  const rule = { flag, count: own?.count ?? 0, ids };
  await emitRuleChange(unit, rule, { flag, count, ids: [...ids, targetId] });
  return undefined;
}

/**
 * Stages the removal of a target from a flag, with `flag.rule_updated`. It stages nothing if the flag does not have the
 * target.
 */
export async function stageTargetRemoval(
  unit: Unit<'flag.rule_updated'>,
  flag: FlagRecord,
  targetId: string,
): Promise<void> {
  const { environmentId, id: flagId } = flag;
  const { row, own, all, ids, flagIds, types } = await readTarget(flag, targetId);
  if (!flagIds.includes(flagId)) return;
  const weight = computeWeight(targetId);
  unit.stage([
    writeFlagIds(
      environmentId,
      targetId,
      row,
      flagIds.filter((id) => id !== flagId),
    ),
    flagMembers.removeByKey({ environmentId, id: targetId, flagId }),
    countAll(environmentId, all, (all?.count ?? 0) - weight),
  ]);
  if (own !== undefined)
    unit.stage(tallies.revise(own, { count: own.count - weight, types: countTypes(types, targetId, -1) }).write);
  const rule = { flag, count: own?.count ?? 0, ids };
  const rest = ids.filter((id) => id !== targetId);
  await emitRuleChange(unit, rule, { flag, count: rule.count - weight, ids: rest });
}
