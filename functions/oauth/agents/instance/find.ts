import type { Reading } from '../../../kernel/storage/range.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { listIds } from '../../../kernel/storage/window.ts';
import { findBlueprint } from '../blueprint/entity.ts';
import { type InstanceRecord, instances } from './entity.ts';
import { makeInstancesParent, listLinked } from './link.ts';

/**
 * The instances of a page. Those of a blueprint take one strongly consistent Query and a BatchGetItem; those of an
 * organization, or all, take one Query, which lags by moments. If both filters are given, pages can be shorter than the
 * limit, although the list continues.
 */
export async function listInstances(
  environmentId: string,
  { organizationId, blueprintId }: { organizationId?: string | undefined; blueprintId?: string | undefined },
  window: Window,
): Promise<Reading<InstanceRecord>> {
  if (blueprintId === undefined) {
    return organizationId === undefined
      ? instances.list('byCreation', { environmentId }).toPage(window)
      : instances.list('byOrganization', { environmentId, organizationId }).toPage(window);
  }
  const { records: linked, ...rest } = await listLinked(environmentId, makeInstancesParent(blueprintId)).toPage(window);
  const found = await instances.getMany(environmentId, listIds(linked));
  const records = found.filter((one) => organizationId === undefined || one.organizationId === organizationId);
  return { records, ...rest };
}

/** Finds an instance whose blueprint exists, by two strongly consistent GetItems, one after the other. */
export async function findExistingInstance(environmentId: string, id: string): Promise<InstanceRecord | undefined> {
  const record = await instances.get(environmentId, id);
  if (record === undefined) return undefined;
  return (await findBlueprint(environmentId, record.blueprintId)) === undefined ? undefined : record;
}
