import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';

import { type Page, pageMembers, readPage, type PageQuery } from '../../functions/kernel/pagination.ts';
import type { Reading } from '../../functions/kernel/storage/range.ts';
import type { Window } from '../../functions/kernel/storage/window.ts';

const makeId = (at: number): string => `org_${String(at).padStart(26, '0')}`;
const records = (count: number) => Array.from({ length: count }, (_, at) => ({ id: makeId(at) }));

/** A list sorted by id, which is read like a table's index. */
const reader =
  (all: readonly { id: string }[]) =>
  async ({ scan, after, limit }: Window): Promise<Reading<{ id: string }>> => {
    const found = all.filter(({ id }) => after === undefined || (scan === 'asc' ? id > after : id < after));
    return { records: (scan === 'asc' ? found : found.toReversed()).slice(0, limit) };
  };

type Order = PageQuery['order'];
const pageOfIds = (all: readonly { id: string }[], query: PageQuery): Promise<Page<string>> =>
  readPage(query, reader(all), ({ id }) => id);

/** Reads a list from its start to its end with one cursor. */
async function walk(
  all: readonly { id: string }[],
  order: Order,
  limit: number,
  cursor: 'before' | 'after',
  from?: string,
) {
  const pages: Page<string>[] = [];
  let at = from;
  do {
    const page = await pageOfIds(all, { order, limit, ...(at === undefined ? {} : { [cursor]: at }) });
    pages.push(page);
    at = page.list_metadata[cursor] ?? undefined;
  } while (at !== undefined && pages.length < 1_000);
  return pages;
}

const onwardsBy = (order: Order): 'before' | 'after' => (order === 'normal' ? 'before' : 'after');
const backBy = (order: Order): 'before' | 'after' => (order === 'normal' ? 'after' : 'before');

describe.each(['asc', 'desc', 'normal'] as const)('pages in the order %s', (order) => {
  const listedIds = (count: number): string[] => {
    const ids = records(count).map(({ id }) => id);
    return order === 'asc' ? ids : ids.toReversed();
  };

  test('show each id exactly once from end to end and back again, whatever their size', async () => {
    for (const count of [0, 1, 2, 9, 10, 11, 25]) {
      for (const limit of [1, 2, 3, 10, 100]) {
        const forth = await walk(records(count), order, limit, onwardsBy(order));
        expect(forth.flatMap(({ data }) => data)).toEqual(listedIds(count));
        expect(forth).toHaveLength(Math.max(1, Math.ceil(count / limit)));

        const last = forth.at(-1)?.data[0];
        if (forth.length === 1 || last === undefined) continue;
        const back = await walk(records(count), order, limit, backBy(order), last);
        const passed = back.toReversed().flatMap(({ data }) => data);
        expect([...passed, ...(forth.at(-1)?.data ?? [])]).toEqual(listedIds(count));
      }
    }
  });

  test('have no cursor in a direction without further records', async () => {
    const only = await pageOfIds(records(3), { order, limit: 3 });
    expect(only.list_metadata).toEqual({ before: null, after: null });
    expect((await pageOfIds([], { order, limit: 3 })).list_metadata).toEqual({ before: null, after: null });
  });

  test('have a cursor back to the page before', async () => {
    const [first, second] = await walk(records(4), order, 2, onwardsBy(order));
    const again = await pageOfIds(records(4), {
      order,
      limit: 2,
      [backBy(order)]: second?.list_metadata[backBy(order)],
    });
    expect(again.data).toEqual(first?.data);
    expect(again.list_metadata[backBy(order)]).toBeNull();
  });

  test('start after a cursor whose record was deleted', async () => {
    const rest = records(6).filter(({ id }) => id !== makeId(3));
    const { data } = await pageOfIds(rest, { order, limit: 10, [onwardsBy(order)]: makeId(3) });
    expect(data).toEqual(order === 'asc' ? [makeId(4), makeId(5)] : [makeId(2), makeId(1), makeId(0)]);
  });
});

test('`after` is used if both cursors are given', async () => {
  const { data } = await pageOfIds(records(6), { order: 'asc', limit: 10, after: makeId(3), before: makeId(2) });
  expect(data).toEqual([makeId(4), makeId(5)]);
});

describe('the pagination parameters of a list', () => {
  const query = z.object(pageMembers('org', 'normal'));

  test('default to ten records and the list’s own order', () => {
    expect(query.parse({})).toEqual({ limit: 10, order: 'normal' });
  });

  test.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '1.5' },
    { limit: 'many' },
    { limit: '' },
    { order: 'up' },
    { after: 'org_1' },
    { before: 'user_01KF0000000000000000000000' },
  ])('reject %j', (members) => {
    expect(query.safeParse(members).success).toBe(false);
  });

  test('accept the minimum and maximum limit', () => {
    expect(query.parse({ limit: '1' }).limit).toBe(1);
    expect(query.parse({ limit: '100' }).limit).toBe(100);
  });
});
