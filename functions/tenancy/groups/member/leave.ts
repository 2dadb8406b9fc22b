import { systemActor } from '../../../kernel/authentication/caller.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { groups } from '../group/entity.ts';
import { membershipGroups, writeGroupsFor } from './entity.ts';

/** Maximum number of groups left in one transaction, with a row and an event each. */
const AT_ONCE = 30;

/** Removes a deleted membership from its groups, with `group.member_removed` for each that exists. */
export async function leaveGroups({ environment_id: environmentId, data }: BusDetail): Promise<void> {
  const { id } = data as { id: string };
  let isLeft = false;
  while (!isLeft) {
    await applyWork(environmentId, systemActor, async (unit) => {
      const row = await membershipGroups.get(environmentId, id);
      isLeft = row === undefined || row.groupIds.length <= AT_ONCE;
      if (row === undefined) return;
      const left = row.groupIds.slice(0, AT_ONCE);
      const [, ...members] = writeGroupsFor(row, row, row.groupIds.slice(AT_ONCE));
      unit.stage(members);
      unit.stage(
        isLeft
          ? membershipGroups.remove(row)
          : membershipGroups.revise(row, { groupIds: row.groupIds.slice(AT_ONCE) }).write,
      );
      for (const group of await groups.getMany(environmentId, left)) {
        unit.emit(
          'group.member_removed',
          { group_id: group.id, organization_membership_id: id },
          { organizationId: group.organizationId },
        );
      }
    });
  }
}
