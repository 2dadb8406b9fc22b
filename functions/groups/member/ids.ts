import type { Window } from '../../kernel/storage/window.ts';
import { groupMembers } from './entity.ts';

/** The ids of the memberships of a page of a group's members: one strongly consistent Query. */
export async function listMemberIds(environmentId: string, groupId: string, window: Window): Promise<string[]> {
  return (await groupMembers.list('primary', { environmentId, groupId }, window)).map(({ id }) => id);
}
