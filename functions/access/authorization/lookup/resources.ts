import type { Reading } from '../../../kernel/storage/range.ts';
import { idsWithin, type Window } from '../../../kernel/storage/window.ts';
import type { Finding } from '../check/ask.ts';
import type { Facts } from '../check/facts.ts';
import { type ResourceRecord, resources } from '../resource/entity.ts';
import { findChildren } from '../resource/list.ts';

/** Number of resources in one BatchGetItem. */
const BATCH = 100;
/** Number of batches after which a page is returned, even if it is short. */
const MOST_BATCHES = 5;

/**
 * Lists the children of a resource, of the permission's type, on which a membership has the permission. A permission on the parent
 * covers all children, which one Query reads. Without it, the resources on which the membership or one of its groups has a role are
 * read (BatchGetItem, from the cursor of the page on), and those below the parent are kept.
 */
export async function listAccessible(facts: Facts, finding: Finding, window: Window): Promise<Reading<ResourceRecord>> {
  const { permission, chain, isAuthorized } = finding;
  const [parent] = chain;
  if (permission === undefined || parent === undefined) return { records: [] };
  const { environmentId, membership } = facts;
  if (membership?.status !== 'active') return { records: [] };
  if (isAuthorized) return findChildren(environmentId, parent.id, permission.resourceType, window);
  const ids = idsWithin(listCandidates(facts, permission), { ...window, limit: Infinity });
  const found: ResourceRecord[] = [];
  for (let at = 0; at < ids.length; at += BATCH) {
    if (at === MOST_BATCHES * BATCH) return { records: found, reached: ids[at - 1] ?? '' };
    const rows = await resources.getMany(environmentId, ids.slice(at, at + BATCH));
    found.push(
      ...rows.filter(({ parentId, typeSlug }) => parentId === parent.id && typeSlug === permission.resourceType),
    );
    if (found.length >= window.limit) return { records: found.slice(0, window.limit) };
  }
  return { records: found };
}

/** The resources of the permission's type on which the membership has a role that includes the permission. */
function listCandidates(
  { holdings, sheets, roles: { roles } }: Facts,
  { id, resourceType }: { id: string; resourceType: string },
): string[] {
  const all = [...holdings.grants, ...holdings.groups.flatMap((groupId) => sheets.get(groupId) ?? [])];
  const deciding = all.filter(
    ({ typeSlug, roleId }) => typeSlug === resourceType && roles.get(roleId)?.permissionIds.has(id) === true,
  );
  return [...new Set(deciding.map(({ resourceId }) => resourceId))];
}
