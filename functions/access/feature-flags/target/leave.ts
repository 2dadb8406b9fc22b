import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { loadFlags } from '../flag/set.ts';
import { ALL_TARGETS, countAll, flagMembers, tallies, targets, writeFlagIds } from './entity.ts';
import { emitRuleChange, readTargetIds } from './rule.ts';

/** Maximum number of flags changed in one transaction, with two rows and an event each. */
const AT_ONCE = 25;

/** Removes a deleted user or organization from the targets of all flags, with `flag.rule_updated` for each flag. */
export async function leaveFlags(detail: BusDetail): Promise<void> {
  const { environment_id: environmentId, event, organization_id: organizationId, data } = detail;
  const id = event === 'organization.deleted' ? organizationId : (data as { id?: string } | undefined)?.id;
  if (id === undefined) throw new Error(`${event} names no record`);
  while (await leaveSome(environmentId, id));
}

/** Removes a target from some of its flags. @returns true if it is a target of more flags */
const leaveSome = (environmentId: string, id: string): Promise<boolean> =>
  applyWork(environmentId, systemActor, async (unit) => {
    const [row, { bySlug }] = await awaitAll([targets.get(environmentId, id), loadFlags(environmentId)]);
    if (row === undefined) return false;
    const flagIds = (row.flagIds ?? []) as string[];
    const left = flagIds.slice(0, AT_ONCE);
    const rest = flagIds.slice(AT_ONCE);
    const [all, counted] = await awaitAll([
      tallies.get(environmentId, ALL_TARGETS),
      tallies.getMany(environmentId, left),
    ]);
    const flags = new Map([...bySlug.values()].map((flag) => [flag.id, flag]));
    unit.stage([
      writeFlagIds(environmentId, id, row, rest),
      ...left.map((flagId) => flagMembers.removeByKey({ environmentId, id, flagId })),
      // Targets of a deleted flag, whose number of targets is no longer stored, are not counted.
      ...counted.map((tally) => tallies.revise(tally, { count: tally.count - 1 }).write),
      ...(counted.length === 0 ? [] : [countAll(environmentId, all, (all?.count ?? 0) - counted.length)]),
    ]);
    await awaitAll(
      counted.map(async ({ id: flagId, count }) => {
        const flag = flags.get(flagId);
        if (flag === undefined) return;
        const ids = (await readTargetIds(flag)).filter((each) => each !== id);
        await emitRuleChange(unit, { flag, count, ids }, { flag, count: count - 1, ids });
      }),
    );
    return rest.length > 0;
  });
