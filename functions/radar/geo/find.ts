import { TtlCache } from '../../kernel/memory.ts';
import type { Place } from '../engine/travel.ts';
import { CURRENT, placePages, placeTables, STAGE } from './entity.ts';
import { placeIn, sortableAddress } from './table.ts';

/** The reason why an address has no location if no table was loaded. */
export const NO_TABLE = 'there is no table of places: load one with "npm run radar -- geo FILE"';

const NOT_LISTED = 'the table of places does not have this address';

/**
 * Time in ms for which an instance caches the name of the current table. An old table is kept until a new one is in use.
 */
const CACHED_MS = 60_000;

const current = new TtlCache<{ table: string | undefined }>(1);

async function currentTable(): Promise<string | undefined> {
  const known = current.get(CURRENT);
  if (known !== undefined) return known.table;
  const table = (await placeTables.get(STAGE, CURRENT))?.table;
  current.set(CURRENT, { table }, CACHED_MS);
  return table;
}

/**
 * The location of an address. It reads nothing if there is no table, otherwise it takes one Query of one row, and once a
 * minute the name of the table before.
 * @returns the reason as a text if there is none
 */
export async function findPlace(address: string): Promise<Place | string> {
  const table = await currentTable();
  const sortable = sortableAddress(address);
  if (table === undefined) return NO_TABLE;
  if (sortable === undefined) return NOT_LISTED;
  const { data } = await placePages
    .entity()
    .query.primary({ table })
    .lte({ first: sortable })
    .go({ order: 'desc', limit: 1 });
  const [page] = data;
  return (page && placeIn(page.ranges, sortable)) ?? NOT_LISTED;
}
