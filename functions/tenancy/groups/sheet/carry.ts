import { listIds } from '../../../kernel/storage/window.ts';
import type { Task } from '../../../kernel/storage/work.ts';
import { groupMembers } from '../member/entity.ts';
import { settleMembers } from '../member/settle.ts';
import { removeHolders } from './stage.ts';
import type { GroupChange } from './work.ts';

/** Maximum number of members whose roles are updated in one step. */
const AT_ONCE = 100;

/**
 * Applies a change of a group's roles to some of its members.
 * @returns the last of these members; undefined if there are no more
 */
export async function carryChange({ environmentId, data, progress }: Task<GroupChange>): Promise<string | undefined> {
  const { groupId, organizationId, left, isAtOrganization } = data;
  if (progress === undefined) await removeHolders({ environmentId, id: groupId, organizationId }, left);
  if (!isAtOrganization) return undefined;
  const window = { scan: 'asc', limit: AT_ONCE, ...(progress === undefined ? {} : { after: progress }) } as const;
  const { records, reached } = await groupMembers.list('primary', { environmentId, groupId }).toPage(window);
  await settleMembers(environmentId, organizationId, listIds(records));
  return reached;
}
