import { systemActor } from '../../kernel/authentication/caller.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import { applyWork } from '../../kernel/storage/background.ts';
import type { Unit } from '../../kernel/storage/unit.ts';
import { type Task, workKind } from '../../kernel/storage/work.ts';
import { groupMembers, membershipGroups, removalOfMember, writeGroupsOf } from '../member/entity.ts';
import { indexName } from './stage.ts';
import { type GroupRecord, groups } from './entity.ts';
import { presentGroup } from './schema.ts';

/** The removal of what a deleted group leaves behind. */
export const endOfGroup = workKind<{ groupId: string; organizationId: string }>('groups.end');

/** Members taken out in one transaction: two writes each. */
const AT_ONCE = 25;

/** Stages the end of a group with `group.deleted`. Its members are taken out by a worker. */
export function stageEndOfGroup(unit: Unit<'group.deleted'>, group: GroupRecord): void {
  const { environmentId, id, organizationId } = group;
  unit.stage([groups.remove(group), ...indexName(group, group.name, '')]);
  endOfGroup.stage(unit, environmentId, { groupId: id, organizationId }, ownerKey('organization', organizationId));
  unit.emit('group.deleted', presentGroup(group), { organizationId });
}

/** Takes some members out of a deleted group. @returns undefined when it has none any more */
export async function removeMembers({
  environmentId,
  data: { groupId, organizationId },
}: Task<{ groupId: string; organizationId: string }>): Promise<string | undefined> {
  const members = await groupMembers.list('primary', { environmentId, groupId }, { scan: 'asc', limit: AT_ONCE });
  if (members.length === 0) return undefined;
  const ids = members.map(({ id }) => id);
  await applyWork(environmentId, systemActor, async (unit) => {
    const rows = new Map((await membershipGroups.getMany(environmentId, ids)).map((row) => [row.id, row]));
    for (const id of ids) {
      const row = rows.get(id);
      const groupIds = (row?.groupIds ?? []).filter((each) => each !== groupId);
      if (row?.groupIds.includes(groupId))
        unit.stage(writeGroupsOf({ environmentId, id, organizationId }, row, groupIds));
      else unit.stage(removalOfMember({ environmentId, id, organizationId }, groupId));
    }
  });
  return ids.at(-1);
}
