import { awaitAll } from '../../../kernel/concurrency.ts';
import { readVersion } from '../../../kernel/storage/head.ts';
import { Snapshots } from '../../../kernel/storage/snapshot.ts';
import { readTogether } from '../../../kernel/storage/together.ts';
import type { ListType } from '../engine/controls.ts';
import type { ListHits } from '../engine/evaluate.ts';
import { entryId, listEntries, type ListEntryRecord, wideEntries, type WideEntryRecord } from './entity.ts';
import { contains, isWide, type Listed, matchingEntries } from './rules.ts';

/** The name of the row with the version of an environment's networks and countries. */
export const WIDE_HEAD = 'radar-wide-entries';

/** Networks and countries of lists by environment, cached for at most some environments. */
const cached = new Snapshots<readonly WideEntryRecord[]>(50);

/** The networks and countries of an environment's lists, by one GetItem while this instance has cached their version. */
export const loadWideEntries = (environmentId: string): Promise<readonly WideEntryRecord[]> =>
  cached.load(environmentId, {
    version: () => readVersion(environmentId, WIDE_HEAD),
    rows: () => wideEntries.list('primary', { environmentId }).toArray(),
    compile: (rows) => rows,
  });

/** The rows of the lists that were read for an attempt. */
export interface ReadLists {
  rows: readonly ListEntryRecord[];
  wide: readonly WideEntryRecord[];
}

/**
 * Reads the list entries that an attempt can match, and the version of networks and countries, by one BatchGetItem of up to a dozen
 * keys. A change of a list is effective from its response on.
 */
export async function readLists(environmentId: string, listed: Listed): Promise<ReadLists> {
  const ids = matchingEntries(listed).map(([type, entry]) => entryId(type, entry));
  const [rows, wide] = await readTogether(() =>
    awaitAll([listEntries.getMany(environmentId, ids), loadWideEntries(environmentId)]),
  );
  return { rows, wide };
}

/** The entries that an attempt matches, among those that were read. More facts about the attempt may be known by now. */
export function findHits({ rows, wide }: ReadLists, listed: Listed): ListHits {
  const { address, country } = listed;
  const asked = new Set(matchingEntries(listed).map(([type, entry]) => entryId(type, entry)));
  const around = wide.filter(({ id }) =>
    isWide('country', id) ? id === country : address !== undefined && contains(id, address),
  );
  const found: { type: ListType; allow: boolean; block: boolean }[] = [
    ...rows.filter(({ id }) => asked.has(id)),
    ...around.map(({ id, allow, block }) => ({
      type: isWide('country', id) ? ('country' as const) : ('ip_address' as const),
      ...{ allow, block },
    })),
  ];
  const listTypes = (list: 'allow' | 'block') => [...new Set(found.filter((row) => row[list]).map(({ type }) => type))];
  return { allow: listTypes('allow'), block: listTypes('block') };
}
