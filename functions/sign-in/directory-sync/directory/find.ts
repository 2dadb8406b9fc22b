import type { ConcernedCall } from '../../../kernel/authentication/caller.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { pageWithin } from '../../../kernel/storage/reading.ts';
import { searchIds } from '../../../kernel/storage/search.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { organizationWithDomain } from '../../../tenancy/organizations/public.ts';
import { directories, type DirectoryRecord, findDirectory } from './entity.ts';

/** The kind of the rows that index the names of directories for searches. */
export const SEARCH_KIND = 'directory';

/** The organization of the directory that a path names, for grants. */
export const findDirectoryOwner = async ({ environmentId, params: { id = '' } }: ConcernedCall) =>
  (await findDirectory(environmentId, id))?.organizationId;

/** The organization of the directory that the query of a list names, for grants. */
export const findListedOwner = async ({ environmentId, query }: ConcernedCall) =>
  (await findDirectory(environmentId, (query as { directory?: string }).directory ?? ''))?.organizationId;

/** The filter of a list of directories. */
export interface DirectoryFilter {
  organization_id?: string | undefined;
  search?: string | undefined;
  domain?: string | undefined;
}

/**
 * The directories of a page, newest first by their ids. It takes one Query; with a search, a Query of its rows and one
 * BatchGetItem; with a domain, the directories of the organization that verified it.
 */
export async function findDirectories(
  environmentId: string,
  { organization_id, search, domain }: DirectoryFilter,
  window: Window,
): Promise<Reading<DirectoryRecord>> {
  const holder = domain === undefined ? undefined : await organizationWithDomain(environmentId, domain);
  if (domain !== undefined && (holder === undefined || (organization_id ?? holder) !== holder)) return { records: [] };
  const organizationId = organization_id ?? holder;
  if (search !== undefined) {
    const ids = await searchIds(environmentId, SEARCH_KIND, search);
    const found = await directories.getMany(environmentId, ids);
    const own = found.filter((record) => organizationId === undefined || record.organizationId === organizationId);
    return pageWithin(own, window);
  }
  return organizationId === undefined
    ? directories.list('byCreation', { environmentId }).toPage(window)
    : directories.list('byOrganization', { environmentId, organizationId }).toPage(window);
}
