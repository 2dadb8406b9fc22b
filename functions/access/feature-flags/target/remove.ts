import { systemActor } from '../../../kernel/authentication/caller.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import type { Step } from '../../../kernel/storage/work.ts';
import { flagMembers, readMemberIds, targets, writeFlagIds } from './entity.ts';

/** Maximum number of targets removed in one transaction, with two rows each. */
const AT_ONCE = 40;
/** Number of targets removed in one step of the work. */
const IN_A_STEP = 1_000;

/** Removes the next targets of a deleted flag. It writes no event for each, since the flag's deletion had one. */
export const removeTargets: Step<{ flagId: string }> = async ({ environmentId, data: { flagId } }) => {
  const ids = (await readMemberIds(environmentId, flagId)).slice(0, IN_A_STEP);
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const part = ids.slice(at, at + AT_ONCE);
    await applyWork(environmentId, systemActor, async (unit) => {
      for (const row of await targets.getMany(environmentId, part)) {
        const flagIds = row.flagIds as string[];
        if (!flagIds.includes(flagId)) continue;
        const rest = flagIds.filter((id) => id !== flagId);
        unit.stage(writeFlagIds(environmentId, row.id, row, rest));
      }
      unit.stage(part.map((id) => flagMembers.removeByKey({ environmentId, id, flagId })));
    });
  }
  return ids.at(-1);
};
