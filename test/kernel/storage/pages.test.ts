import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { firstUlidAt } from '../../../functions/kernel/id-format.ts';
import { type Page, type PageQuery, readPage } from '../../../functions/kernel/pagination.ts';
import { collection } from '../../../functions/kernel/storage/collection.ts';
import { entity } from '../../../functions/kernel/storage/entity.ts';
import { attributeIndex, childKey, model, recordAttributes } from '../../../functions/kernel/storage/record.ts';
import { shardAttributes, shardedIndex } from '../../../functions/kernel/storage/shards.ts';
import { Unit } from '../../../functions/kernel/storage/unit.ts';
import { startMemoryTable, type TestTable } from '../../support/table.ts';

/** Pages of a list whose records have random sizes, up to nearly that of the largest row, so that no number of them fills a Query. */
const sheets = collection(
  entity({
    model: model('page-sheet'),
    attributes: {
      ...recordAttributes,
      ...shardAttributes(6),
      bookId: { type: 'string', required: true },
      text: { type: 'string' },
    },
    indexes: {
      primary: childKey('page-sheet', 'bookId'),
      byBook: attributeIndex('page-sheet', 'bookId'),
      byShard: shardedIndex('page-sheet'),
    },
  }),
  'internal',
);

const environmentId = 'environment_1';
const bookId = 'book_1';
const COUNT = 90;
const ids = Array.from(
  { length: COUNT },
  (_, at) => `sheet_${firstUlidAt(0).slice(0, -3)}${String(at).padStart(3, '0')}`,
);

/** A seeded generator (Park and Miller), so that a failure repeats. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

let table: TestTable;
beforeAll(async () => {
  table = await startMemoryTable();
  const random = seeded(33);
  for (const id of ids) {
    // A third of the records is small, a third is middling, and the others are large; control characters are six bytes in a response.
    const size = Math.floor(random() * ([300, 30_000, 300_000][Math.floor(random() * 3)] ?? 300));
    const unit = new Unit(environmentId, { id: 'test', source: 'api', name: null });
    unit.stage(
      sheets.create({ environmentId, id, bookId, text: (random() < 0.2 ? '\u0001' : 'x').repeat(size) }).write,
    );
    await unit.commit();
  }
});
afterAll(() => table.stop());

type Sheet = Awaited<ReturnType<ReturnType<typeof sheets.list>['take']>>[number];
type Index = 'primary' | 'byBook' | 'byShard';

const keysOf = { primary: { environmentId, bookId }, byBook: { environmentId, bookId }, byShard: { environmentId } };
const read = (index: Index, query: PageQuery, isKept: (sheet: Sheet) => boolean): Promise<Page<Sheet>> =>
  readPage(
    query,
    async (window) => {
      const { records, ...rest } = await sheets.list(index, keysOf[index]).toPage(window);
      return { records: records.filter(isKept), ...rest };
    },
    (sheet) => sheet,
  );

/** Follows a cursor from a page to the end of the list. */
async function walk(query: PageQuery, cursor: 'before' | 'after', next: (query: PageQuery) => Promise<Page<Sheet>>) {
  const pages: Sheet[][] = [];
  let from = query[cursor];
  do {
    const page = await next({ ...query, ...(from === undefined ? {} : { [cursor]: from }) });
    // The text of a response is a part of Lambda's, in which it is escaped once more.
    expect(Buffer.byteLength(JSON.stringify(JSON.stringify(page)))).toBeLessThan(6 * 1024 * 1024);
    pages.push(page.data);
    from = page.list_metadata[cursor] ?? undefined;
  } while (from !== undefined);
  return pages;
}

const named = (pages: readonly (readonly Sheet[])[]): string[] => pages.flatMap((page) => page.map(({ id }) => id));

describe.each<Index>(['primary', 'byBook', 'byShard'])('a list of records of all sizes by %s', (index) => {
  const isAny = (): boolean => true;

  test.each([1, 2, 9, 10, 25, 89, 90, 100, 1_000])('has each record exactly once, in pages of %d', async (limit) => {
    const forth = await walk({ limit, order: 'asc' }, 'after', (query) => read(index, query, isAny));
    expect(named(forth)).toEqual(ids);
    const newest = await walk({ limit, order: 'desc' }, 'after', (query) => read(index, query, isAny));
    expect(named(newest)).toEqual(ids.toReversed());
    const last = ids.at(-1) ?? '';
    const back = await walk({ limit, order: 'asc', before: last }, 'before', (query) => read(index, query, isAny));
    expect(named(back.toReversed())).toEqual(ids.slice(0, -1));
  });

  test.each([1, 10, 100])('has each record that a filter keeps exactly once, in pages of %d', async (limit) => {
    const isKept = ({ id }: { id: string }): boolean => Number(id.slice(-3)) % 7 === 3;
    const kept = await walk({ limit, order: 'asc' }, 'after', (query) => read(index, query, isKept));
    expect(named(kept)).toEqual(ids.filter((id) => isKept({ id })));
  });

  test('is read to its end by iteration, as an array, and from an end', async () => {
    const list = sheets.list(index, keysOf[index]);
    const iterated: string[] = [];
    for await (const { id } of list) iterated.push(id);
    expect(iterated).toEqual(ids);
    expect(named([await list.toArray()])).toEqual(ids);
    expect(named([await list.take(70)])).toEqual(ids.slice(0, 70));
    expect(named([await list.take(70, 'desc')])).toEqual(ids.slice(-70).toReversed());
    expect(named([await list.take(500)])).toEqual(ids);
  });
});

test('a key that is too long for the table has an empty list', async () => {
  const list = sheets.list('primary', { environmentId, bookId: 'x'.repeat(2_000) });
  expect([await list.toArray(), await list.take(1), await list.toPage({ scan: 'asc', limit: 1 })]).toEqual([
    [],
    [],
    { records: [] },
  ]);
  for await (const { id } of list) throw new Error(`unexpected ${id}`);
});
