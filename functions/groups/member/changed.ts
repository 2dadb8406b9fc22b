import { systemActor } from '../../kernel/authentication/caller.ts';
import type { BusDetail } from '../../kernel/http/worker.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import { groups } from '../group/entity.ts';
import { membershipGroups, writeGroupsOf } from './entity.ts';
import { settleMembers } from './settle.ts';

/**
 * Checks a membership that joined or left a group again: its roles were changed from an earlier read, and the group may
 * have been changed or deleted since, which the group's own worker cannot see.
 */
export async function settleChangedMember(detail: BusDetail): Promise<void> {
  const { environment_id: environmentId, data } = detail;
  const { organization_membership_id: id } = data as { organization_membership_id: string };
  const row = await membershipGroups.get(environmentId, id);
  if (row === undefined) return;
  await settleMembers(environmentId, row.organizationId, [id]);
  const there = new Set((await groups.getMany(environmentId, row.groupIds)).map((group) => group.id));
  if (row.groupIds.every((groupId) => there.has(groupId))) return;
  await applyWork(environmentId, systemActor, async (unit) => {
    const current = await membershipGroups.get(environmentId, id);
    if (current === undefined) return;
    // A group that was joined since is kept.
    const kept = current.groupIds.filter((groupId) => there.has(groupId) || !row.groupIds.includes(groupId));
    if (kept.length < current.groupIds.length) unit.stage(writeGroupsOf(current, current, kept));
  });
}
