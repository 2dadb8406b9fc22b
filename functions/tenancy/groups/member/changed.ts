import { systemActor } from '../../../kernel/authentication/caller.ts';
import type { BusDetail } from '../../../kernel/events/detail.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { groups } from '../group/entity.ts';
import { membershipGroups, writeGroupsFor } from './entity.ts';
import { settleMembers } from './settle.ts';

/**
 * Checks a membership again after it was added to a group or removed from it. Its roles were changed in the same transaction,
 * based on an earlier read. The group may have been changed or deleted in between, and the worker of that change did not see
 * this member. Deleted groups are removed from the membership first, since their own worker can no longer find it.
 */
export async function settleChangedMember(detail: BusDetail): Promise<void> {
  const { environment_id: environmentId, data } = detail;
  const { organization_membership_id: id } = data as { organization_membership_id: string };
  let organizationId: string | undefined;
  await applyWork(environmentId, systemActor, async (unit) => {
    const row = await membershipGroups.get(environmentId, id);
    organizationId = row?.organizationId;
    if (row === undefined) return;
    const there = (await groups.getMany(environmentId, row.groupIds)).map((group) => group.id);
    if (there.length < row.groupIds.length) unit.stage(writeGroupsFor(row, row, there));
  });
  if (organizationId !== undefined) await settleMembers(environmentId, organizationId, [id]);
}
