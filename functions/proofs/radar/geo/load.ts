import { systemActor } from '../../../kernel/authentication/caller.ts';
import { clock } from '../../../kernel/clock.ts';
import { awaitAll } from '../../../kernel/concurrency.ts';
import { newUlid } from '../../../kernel/ids.ts';
import { applyWork } from '../../../kernel/storage/background.ts';
import { BATCH, type BatchRequest, writeBatch } from '../../../kernel/storage/batch.ts';
import { CURRENT, type LoadedTable, placePages, placeTables, STAGE } from './entity.ts';
import { packRanges, type Range, RANGES_PER_PAGE } from './table.ts';

/** The exception of a load during which another one began. */
export class LoadReplaced extends Error {
  constructor() {
    super('Another load began in the meantime. The table of this one was removed; the other one continues.');
  }
}

/** Batches that are written at the same time: a partition takes a thousand write units a second, a batch has a hundred. */
const PARALLEL = 4;

const readTable = ({ table, ranges = 0, loadedAt = '' }: TableRow): LoadedTable | undefined =>
  table === undefined ? undefined : { table, ranges, loadedAt };

/** The current table of places and the one before it. */
export async function showPlaces(): Promise<{ current: LoadedTable | undefined; former: LoadedTable | undefined }> {
  const row: TableRow = (await placeTables.get(STAGE, CURRENT)) ?? {};
  return { current: readTable(row), former: row.former };
}

/** Members of the row that names the tables. In a change, undefined removes one. */
interface TableRow {
  table?: string | undefined;
  ranges?: number | undefined;
  loadedAt?: string | undefined;
  former?: LoadedTable | undefined;
  loading?: string | undefined;
}

/** Changes the row that names the tables, and returns it as it was before. */
const change = (compute: (row: TableRow) => TableRow): Promise<TableRow> =>
  applyWork(STAGE, systemActor, async (unit) => {
    const row = await placeTables.get(STAGE, CURRENT);
    const before: TableRow = row ?? {};
    const changes = compute(before);
    if (row === undefined) unit.stage(placeTables.create({ environmentId: STAGE, id: CURRENT, ...changes }).write);
    else unit.stage(placeTables.revise(row, changes).write);
    return before;
  });

/**
 * Loads a table of places and replaces the current one by it, in one write after all pages are written: until then, and
 * after any error, attempts use the current table. The former table is kept for {@link undoPlaces}. Memory is bounded by
 * some batches of pages, whatever the size of the table.
 * @throws LoadReplaced if another load began in the meantime
 */
export async function loadPlaces(ranges: AsyncIterable<Range>): Promise<LoadedTable> {
  const table = newUlid();
  const { loading: abandoned } = await change(() => ({ loading: table }));
  if (abandoned !== undefined) await removePages(abandoned);
  try {
    const loaded = { table, ranges: await writePages(table, ranges), loadedAt: clock.timestamp() };
    const { former } = await change((row) => {
      if (row.loading !== table) throw new LoadReplaced();
      return { ...loaded, former: readTable(row), loading: undefined };
    });
    if (former !== undefined) await removePages(former.table);
    return loaded;
  } catch (error) {
    if ((await showPlaces()).current?.table !== table) await discard(table);
    throw error;
  }
}

/** Removes the pages of a load that failed. */
async function discard(table: string): Promise<void> {
  await change(({ loading }) => ({ loading: loading === table ? undefined : loading }));
  await removePages(table);
}

/**
 * Makes the former table the current one, and the current one the former. @returns undefined if there is no former table
 */
export async function undoPlaces(): Promise<LoadedTable | undefined> {
  const before = await change((row) => {
    return row.former === undefined ? {} : { ...row.former, former: readTable(row) };
  });
  return before.former;
}

/** Removes all tables of places: from then on no attempt has a location. @returns the number of removed pages */
export async function removePlaces(): Promise<number> {
  const none = { table: undefined, ranges: undefined, loadedAt: undefined, former: undefined, loading: undefined };
  const { table, former, loading } = await change(() => none);
  const tables = [table, former?.table, loading].filter((each) => each !== undefined);
  let removed = 0;
  for (const each of tables) removed += await removePages(each);
  return removed;
}

/** Writes ranges as pages, each with ranges in ascending order. @returns the number of ranges */
async function writePages(table: string, ranges: AsyncIterable<Range>): Promise<number> {
  let count = 0;
  let page: Range[] = [];
  let batch: BatchRequest[] = [];
  let sending: Promise<void>[] = [];
  const flush = async (): Promise<void> => {
    if (batch.length > 0) sending.push(writeBatch(batch));
    batch = [];
    if (sending.length < PARALLEL) return;
    await awaitAll(sending);
    sending = [];
  };
  const finishPage = async (): Promise<void> => {
    if (page.length > 0) batch.push({ PutRequest: { Item: makePage(table, page) } });
    page = [];
    if (batch.length === BATCH) await flush();
  };
  for await (const range of ranges) {
    const isInOrder = (page.at(-1)?.end ?? '') < range.start;
    if (page.length >= RANGES_PER_PAGE || !isInOrder) await finishPage();
    page.push(range);
    count += 1;
  }
  await finishPage();
  await flush();
  await awaitAll(sending);
  return count;
}

function makePage(table: string, ranges: readonly Range[]): Record<string, unknown> {
  const { start: first = '' } = ranges[0] ?? {};
  const packed = packRanges(ranges);
  const { write } = placePages.create({ environmentId: STAGE, id: `${table} ${first}`, table, first, ranges: packed });
  return write.params.Item ?? {};
}

/**
 * Removes the pages of a table from its beginning on, so that a reader that has cached its name finds no page at or before
 * an address whose page is gone. @returns their number
 */
async function removePages(table: string): Promise<number> {
  const pages = placePages.select('primary', placePages.entity().query.primary({ table }));
  for (let removed = 0; ;) {
    const found = await pages.take(BATCH);
    if (found.length === 0) return removed;
    await writeBatch(found.map(({ first }) => ({ DeleteRequest: { Key: placePages.keyOf({ table, first }).Key } })));
    removed += found.length;
  }
}
