import { awaitAll } from '../../../kernel/concurrency.ts';
import type { List } from '../../../kernel/storage/list.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { listIds } from '../../../kernel/storage/window.ts';
import { findBlueprint } from '../blueprint/entity.ts';
import { instances } from '../instance/entity.ts';
import { listLinked } from '../instance/link.ts';
import { agentSessions, findSession, type SessionRecord } from './entity.ts';

/** The filter of a list: a session must match all given members. */
export interface SessionFilter {
  organizationId?: string | undefined;
  blueprintId?: string | undefined;
  instanceId?: string | undefined;
}

/** Reads sessions by their ids, in their order; missing ones are left out. */
export const findSessions = (environmentId: string, ids: readonly string[]): Promise<SessionRecord[]> =>
  agentSessions.getMany(environmentId, ids);

/**
 * The sessions of a page. Those of an instance or a blueprint take one strongly consistent Query and a BatchGetItem; those of
 * an organization, or all, take one Query, which lags by moments. With a further filter, pages can be shorter than the limit,
 * although the list continues.
 */
export async function listSessions(
  environmentId: string,
  { organizationId, blueprintId, instanceId }: SessionFilter,
  window: Window,
): Promise<Reading<SessionRecord>> {
  const parentId = instanceId ?? blueprintId;
  if (parentId === undefined) return listIndexed(environmentId, organizationId).toPage(window);
  const { records: linked, ...rest } = await listLinked(environmentId, parentId).toPage(window);
  const records = (await findSessions(environmentId, listIds(linked))).filter(
    (session) =>
      (organizationId === undefined || session.organizationId === organizationId) &&
      (blueprintId === undefined || session.blueprintId === blueprintId),
  );
  return { records, ...rest };
}

/** The sessions of an organization or an environment. The list lags by moments. */
export const listIndexed = (environmentId: string, organizationId: string | undefined): List<SessionRecord> =>
  organizationId === undefined
    ? agentSessions.list('byCreation', { environmentId })
    : agentSessions.list('byOrganization', { environmentId, organizationId });

/** Finds a session whose instance and blueprint exist, in two round trips. */
export async function findExistingSession(environmentId: string, id: string): Promise<SessionRecord | undefined> {
  const session = await findSession(environmentId, id);
  if (session === undefined) return undefined;
  const [instance, blueprint] = await readTogether(() =>
    awaitAll([instances.get(environmentId, session.instanceId), findBlueprint(environmentId, session.blueprintId)]),
  );
  return instance === undefined || blueprint === undefined ? undefined : session;
}
