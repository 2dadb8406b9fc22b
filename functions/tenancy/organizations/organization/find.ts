import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { readWithin } from '../../../kernel/storage/reading.ts';
import { searchIds } from '../../../kernel/storage/search.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { domainsNamed } from '../domain/entity.ts';
import { type OrganizationRecord, organizations } from './entity.ts';

/**
 * The organizations of a page. Without a filter it takes one Query. With a filter it reads the ids from the search rows or
 * from the domains' index, then the page's records by one BatchGetItem.
 */
export async function findOrganizations(
  environmentId: string,
  filter: { domains?: string[] | undefined; search?: string | undefined },
  window: Window,
): Promise<Reading<OrganizationRecord>> {
  const { domains, search } = filter;
  if (domains === undefined && search === undefined) {
    return organizations.list('byCreation', { environmentId }).toPage(window);
  }
  const [named, found] = await awaitAll([
    domains && idsWithDomains(environmentId, domains),
    search === undefined ? undefined : searchIds(environmentId, 'organization', search),
  ]);
  const ids =
    named === undefined ? (found ?? []) : found === undefined ? named : found.filter((id) => named.includes(id));
  return readWithin(ids, window, (own) => organizations.getMany(environmentId, own));
}

async function idsWithDomains(environmentId: string, domains: readonly string[]): Promise<string[]> {
  const rows = await awaitAll(domains.map((domain) => domainsNamed(environmentId, domain)));
  return [...new Set(rows.flat().map(({ organizationId }) => organizationId))];
}
