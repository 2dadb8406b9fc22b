import { awaitAll } from '../../../kernel/concurrency.ts';
import { fitsKey } from '../../../kernel/storage/collection.ts';
import { type Reading, queryRange } from '../../../kernel/storage/range.ts';
import type { GrantRecord } from './entity.ts';

/** The roles of a membership on resources, and the groups that it is in. */
export interface Holdings {
  grants: GrantRecord[];
  /** Ids of the groups that the membership is in. */
  groups: string[];
}

/** The sort key of the row that lists a membership's groups. The sort keys of grants begin with a resource's id. */
const GROUPS = 'groups';
/** A character that sorts after every sort key of the partition with the same beginning. */
const LAST = '~';

type Row = GrantRecord & { sk: string; groupIds: readonly string[] };

/**
 * The grants and groups of a membership, by one strongly consistent Query: a read unit for each 4 KB (some ten rows), and
 * another round trip for each further megabyte.
 * @param beginning the beginning of the sort keys, to read only a part
 */
export async function readHoldings(environmentId: string, membershipId: string, beginning = ''): Promise<Holdings> {
  const holdings: Holdings = { grants: [], groups: [] };
  if (!fitsKey(membershipId)) return holdings;
  const partition = `${environmentId}#grants#${membershipId}`;
  const to = `${beginning}${LAST}`;
  let from: string | undefined = beginning === '' ? ' ' : beginning;
  while (from !== undefined) {
    const { records, reached }: Reading<Row> = await queryRange<Row>({ partition, from, to, scan: 'asc' });
    for (const row of records) {
      if (row.sk === GROUPS) holdings.groups.push(...row.groupIds);
      else holdings.grants.push(row);
    }
    from = reached === undefined ? undefined : `${reached} `;
  }
  return holdings;
}

/** The groups of a membership and its grants on some resources, by a strongly consistent Query for each, in parallel. */
export async function readHoldingsOn(
  environmentId: string,
  membershipId: string,
  resourceIds: readonly string[],
): Promise<Holdings> {
  const beginnings = [GROUPS, ...resourceIds.map((id) => `${id}#`)];
  const parts = await awaitAll(beginnings.map((each) => readHoldings(environmentId, membershipId, each)));
  return { grants: parts.flatMap(({ grants }) => grants), groups: parts.flatMap(({ groups }) => groups) };
}
