import { systemActor } from '../../../kernel/authentication/caller.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { type Task, workKind } from '../../../kernel/storage/work.ts';
import { findDirectory } from '../directory/entity.ts';
import { settleRoles } from '../member/roles.ts';
import { directoryUsers } from './entity.ts';
import { stageUserState } from './stage.ts';

/**
 * The background work that computes the custom attributes and roles of a directory's users again after a change of its
 * settings.
 */
export const customAttributesChange = workKind<{ directoryId: string }>('directory-sync.remap', { runs: 2 });

const AT_ONCE = 25;

/**
 * Computes the custom attributes and the roles of some users again, with `dsync.user.updated` for each that changes. A
 * user who was created in the moment before the change and that the index does not show yet follows with the second run.
 * @returns the id of the last user, or undefined if there are no more
 */
export async function remapUsers({
  environmentId,
  data: { directoryId },
  progress,
}: Task<{ directoryId: string }>): Promise<string | undefined> {
  const window = { scan: 'asc', limit: AT_ONCE, ...(progress && { after: progress }) } as const;
  const { records, reached } = await directoryUsers.list('byResource', { environmentId, directoryId }).toPage(window);
  for (const { id } of records) {
    await applyWork(environmentId, systemActor, async (unit) => {
      const [directory, user] = await awaitAll([
        findDirectory(environmentId, directoryId),
        directoryUsers.get(environmentId, id),
      ]);
      if (directory === undefined || user === undefined) return;
      await stageUserState(unit, directory, user, JSON.parse(user.resource) as Record<string, unknown>);
    });
    await settleRoles(environmentId, id);
  }
  return reached;
}
