import { TtlCache } from '../../../kernel/memory.ts';
import type { Place } from '../engine/travel.ts';
import { CURRENT, placePages, placeTables, STAGE } from './entity.ts';
import { placeIn, sortableAddress } from './table.ts';

/** The reason why an address has no location if no table was loaded. */
export const NO_TABLE = 'there is no table of places: load one with "npm run radar -- geo FILE"';

const NOT_LISTED = 'the table of places does not have this address';

/** Time in ms for which an instance caches the name of the current table. */
const CACHED_MS = 60_000;

const current = new TtlCache<{ table: string | undefined }>(1, CACHED_MS);

const readTable = async () => ({ table: (await placeTables.get(STAGE, CURRENT))?.table });

const currentTable = async (): Promise<string | undefined> => (await current.load(CURRENT, readTable)).table;

/** Finds the only page of a table that can contain an address, by one Query of one row. */
async function findPage(table: string, first: string): Promise<string | undefined> {
  const query = placePages.entity().query.primary({ table }).lte({ first });
  const [found] = await placePages.select('primary', query).take(1, 'desc');
  return found?.ranges;
}

/**
 * The location of an address. It reads nothing if there is no table, otherwise it takes one Query of one row, and once a
 * minute the name of the table before. If no page begins before the address, the cached table may be removed, and the
 * name is read again.
 * @returns the reason as a text if there is none
 */
export async function findPlace(address: string): Promise<Place | string> {
  const table = await currentTable();
  const sortable = sortableAddress(address);
  if (table === undefined) return NO_TABLE;
  if (sortable === undefined) return NOT_LISTED;
  const page = (await findPage(table, sortable)) ?? (await findPageAgain(table, sortable));
  return (page !== undefined && placeIn(page, sortable)) || NOT_LISTED;
}

async function findPageAgain(former: string, sortable: string): Promise<string | undefined> {
  const { table } = await current.reload(CURRENT, readTable);
  return table === undefined || table === former ? undefined : findPage(table, sortable);
}
