import * as z from 'zod';

import { awaitAll } from './concurrency.ts';
import { isId } from './id-format.ts';
import type { Reading } from './storage/range.ts';
import type { Window } from './storage/window.ts';

const PaginationOrder = z.enum(['normal', 'desc', 'asc']).meta({ id: 'PaginationOrder' });

/** Cursors of a list response; null if there are no more records in that direction. */
const ListCursors = z
  .object({
    before: z
      .string()
      .nullable()
      .describe(
        'The cursor of the previous page; null on the first page. With the order `normal` it is the cursor of the next page, null on the last.',
      ),
    after: z
      .string()
      .nullable()
      .describe(
        'The cursor of the next page; null on the last page. With the order `normal` it is the cursor of the previous page, null on the first.',
      ),
  })
  .meta({ id: 'ListCursors' });

/** The envelope of a list response. */
export const listSchema = <T extends z.ZodType>(item: T) =>
  z.object({ object: z.literal('list'), data: z.array(item), list_metadata: ListCursors });

/** One schema for all lists, because a function has up to a dozen and builds them at start-up. */
const limit = z.coerce.number().int().min(1).max(100).default(10).describe('The most records of a page.');

const ORDER =
  '`desc`: the newest first. `asc`: the oldest first. `normal`: the newest first, with `before` and `after` exchanged, for old clients ' +
  '(`before` continues with older records). See the guide [Pagination](/docs/guides/pagination).';
const AFTER =
  'Returns the next page: send the `list_metadata.after` of the page that you have. If that is null, there is no further page. ' +
  'With the order `normal` it returns the previous page: continue with `before`.';
const BEFORE =
  'Returns the previous page, or with the order `normal` the next one: send the `list_metadata.before` of the page that you have.';

/**
 * The query members of every list: `limit` 1 to 100 (default 10), `before` and `after` (ids of this kind of record),
 * `order` (README.md, "The wire"). Spread into the operation's own query.
 */
export function pageMembers(prefix: string, defaultOrder: z.output<typeof PaginationOrder> = 'desc') {
  const cursor = z
    .string()
    .refine((text) => isId(prefix, text), `Expected an id such as ${prefix}_01JX… from the response of a list`)
    .optional();
  return {
    before: cursor.describe(BEFORE),
    after: cursor.describe(AFTER),
    limit,
    order: PaginationOrder.default(defaultOrder).describe(ORDER),
  };
}

/** The parsed {@link pageMembers}. */
export interface PageQuery {
  before?: string | undefined;
  after?: string | undefined;
  limit: number;
  order: 'normal' | 'desc' | 'asc';
}

export interface Page<T> {
  object: 'list';
  data: T[];
  list_metadata: { before: string | null; after: string | null };
}

/** A list that the contract returns without pages. */
export const wholeList = <T>(data: T[]): Page<T> => ({
  object: 'list',
  data,
  list_metadata: { before: null, after: null },
});

/**
 * Maximum bytes of the records of a page, as a part of the text of Lambda's response, in which their quotes and backslashes
 * are escaped. Lambda accepts 6 MB.
 */
const MOST_BYTES = 5_000_000;

/** The number of records that a response can have, at least one. */
export function countFitting(records: readonly unknown[]): number {
  const texts = records.map((record) => JSON.stringify(record));
  let bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  // Escaping at most doubles a text, so that of a usual page is not counted.
  if (bytes * 2 <= MOST_BYTES) return records.length;
  bytes = 0;
  const end = texts.findIndex((text) => {
    bytes += Buffer.byteLength(text) + (text.match(/["\\]/g)?.length ?? 0) + 1;
    return bytes > MOST_BYTES;
  });
  return end === -1 ? records.length : Math.max(1, end);
}

/**
 * A page of a list sorted by id. `desc` and `asc` continue with `after`. `normal` shows the newest first with the cursors
 * reversed: `before` continues to older records, `after` to newer ones. If both cursors are given, `after` is used.
 * @param fetch Reads up to `limit` records in the direction of the page: one more than the page, so that the last page has
 * no cursor. If it stopped before it found enough, at a megabyte or because of a filter, it returns its position: the page is
 * short, and its cursor is that position. A page is also short if its records would be larger than a response can be.
 */
export const readPage = <T extends { id: string }, Wire>(
  query: PageQuery,
  fetch: (window: Window) => Promise<Reading<T>>,
  present: (record: T) => Wire | Promise<Wire>,
): Promise<Page<Wire>> =>
  readPageTogether(query, fetch, (records) => awaitAll(records.map(async (record) => present(record))));

/** Reads a page like {@link readPage}, and presents its records together, with what they share. */
export async function readPageTogether<T extends { id: string }, Wire>(
  query: PageQuery,
  fetch: (window: Window) => Promise<Reading<T>>,
  presentAll: (records: readonly T[]) => Promise<Wire[]>,
): Promise<Page<Wire>> {
  const swapped = query.order === 'normal';
  const [next, previous] = swapped ? [query.before, query.after] : [query.after, query.before];
  const backwards = next === undefined && previous !== undefined;
  const listedOrder = query.order === 'asc' ? 'asc' : 'desc';
  const scan = backwards ? (listedOrder === 'asc' ? 'desc' : 'asc') : listedOrder;
  const after = next ?? previous;

  const { records: found, reached } = await fetch({
    scan,
    limit: query.limit + 1,
    ...(after === undefined ? {} : { after }),
  });
  const data = await presentAll(found.slice(0, query.limit));
  data.splice(countFitting(data));
  const records = found.slice(0, data.length);
  const further = found.length > data.length ? idOf(records.at(-1)) : (reached ?? null);
  if (backwards) {
    records.reverse();
    data.reverse();
  }

  const [back, onwards] = backwards
    ? [further, idOf(records.at(-1))]
    : [next === undefined ? null : idOf(records[0]), further];
  return {
    object: 'list',
    data,
    list_metadata: swapped ? { before: onwards, after: back } : { before: back, after: onwards },
  };
}

const idOf = (record: { id: string } | undefined): string | null => record?.id ?? null;

/** A query member with several values, separated by commas; blank parts are ignored. */
export const commaSeparated = <T extends z.ZodType>(item: T) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',').flatMap((part) => part.trim() || []) : value),
    z.array(item),
  );
