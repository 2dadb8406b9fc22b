import { organizationNode } from '../assignment/of-membership.ts';
import type { Node } from '../check/chain.ts';
import { resources, type ResourceRecord } from '../resource/entity.ts';
import type { FoundResource } from '../resource/find.ts';

/** Maximum length of a chain, more than types allow: a longer chain is invalid. */
const MOST_ABOVE = 16;

/**
 * A resource with all resources above it, up to its organization; undefined below a deleted resource. It takes one
 * BatchGetItem of the ancestors that its row predicts, and one more for each ancestor that its row did not predict.
 * @param read rows that were read already, after the call arrived
 */
export async function findChain(
  { view, record }: FoundResource,
  read: readonly ResourceRecord[] = [],
): Promise<Node[] | undefined> {
  const { environmentId, organizationId } = view;
  const root = organizationNode(organizationId);
  if (record === undefined) return [root];
  const rows = new Map<string, ResourceRecord | undefined>(read.map((row) => [row.id, row]));
  const chain: ResourceRecord[] = [record];
  for (let at = record; at.parentId !== root.id && chain.length <= MOST_ABOVE; chain.push(at)) {
    if (!rows.has(at.parentId)) {
      const ids = [...new Set([at.parentId, ...at.ancestors])].filter((id) => !rows.has(id));
      for (const id of ids) rows.set(id, undefined);
      for (const row of await resources.getMany(environmentId, ids)) rows.set(row.id, row);
    }
    const above = rows.get(at.parentId);
    if (above?.organizationId !== organizationId) return undefined;
    at = above;
  }
  return [...chain, root];
}
