import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { readWithin } from '../../../kernel/storage/reading.ts';
import { searchIds } from '../../../kernel/storage/search.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { findOrganization, type OrganizationSummary } from '../../organizations/public.ts';
import { type GroupRecord, groups } from './entity.ts';

/** The kind of the rows that index the names of an organization's groups for searches. */
export const searchKind = (organizationId: string): string => `group#${organizationId}`;

/** A group with its organization. */
export interface FoundGroup {
  group: GroupRecord;
  organization: OrganizationSummary;
}

/**
 * Finds a group of an existing organization, by two strongly consistent GetItems in parallel. Returns undefined also for a
 * group of another organization.
 */
export async function findGroup(
  environmentId: string,
  organizationId: string,
  id: string,
): Promise<FoundGroup | undefined> {
  const [group, organization] = await awaitAll([
    groups.get(environmentId, id),
    findOrganization(environmentId, organizationId),
  ]);
  return group?.organizationId === organizationId && organization ? { group, organization } : undefined;
}

/** Finds a group by its id, by two strongly consistent GetItems in sequence, since its organization must exist. */
export async function findGroupById(environmentId: string, id: string): Promise<FoundGroup | undefined> {
  const group = await groups.get(environmentId, id);
  const organization = group && (await findOrganization(environmentId, group.organizationId));
  return group && organization && { group, organization };
}

/** Finds those of some groups that exist, by their ids, with one BatchGetItem for each hundred. */
export const findGroupsById = (environmentId: string, ids: readonly string[]): Promise<GroupRecord[]> =>
  groups.getMany(environmentId, ids);

/**
 * The groups of a page. In the order of creation it takes one Query; with words of the name, the search rows and then one
 * BatchGetItem.
 */
export async function listGroupsFor(
  environmentId: string,
  organizationId: string,
  search: string | undefined,
  window: Window,
): Promise<Reading<GroupRecord>> {
  if (search === undefined) return groups.list('byOrganization', { environmentId, organizationId }).toPage(window);
  const ids = await searchIds(environmentId, searchKind(organizationId), search);
  return readWithin(ids, window, (own) => groups.getMany(environmentId, own));
}
