import * as z from 'zod';

import { isId } from './ids.ts';
import type { Window } from './storage/window.ts';

const PaginationOrder = z.enum(['normal', 'desc', 'asc']).meta({ id: 'PaginationOrder' });

/** Cursors of a list answer; null when there is nothing further that way. */
export const ListCursors = z
  .object({ before: z.string().nullable(), after: z.string().nullable() })
  .meta({ id: 'ListCursors' });

/** The envelope of a list answer. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.object({ object: z.literal('list'), data: z.array(item), list_metadata: ListCursors });

/**
 * The query members of every list: `limit` 1 to 100 (default 10), `before` and `after` (ids of this kind of record),
 * `order` (contract: wire.md, Lists). Spread into the operation's own query.
 */
export function pageMembers(prefix: string, defaultOrder: z.output<typeof PaginationOrder> = 'desc') {
  const cursor = z
    .string()
    .refine((text) => isId(prefix, text), `Expected an id such as ${prefix}_01JX… from a list answer`)
    .optional();
  return {
    before: cursor,
    after: cursor,
    limit: z.coerce.number().int().min(1).max(100).default(10),
    order: PaginationOrder.default(defaultOrder),
  };
}

/** What {@link pageMembers} parses to. */
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

/** A list that the contract gives whole, without pages. */
export const wholeList = <T>(data: T[]): Page<T> => ({
  object: 'list',
  data,
  list_metadata: { before: null, after: null },
});

/** Records of a filtered list whose reading ended before the window was full and before the list was. */
export interface CutShort<T> {
  records: readonly T[];
  /** The id up to which was read: the list goes on beyond it. */
  stoppedAt: string;
}

/**
 * One page of a list sorted by id. `desc` and `asc` walk on with `after`; `normal` shows the newest first with the
 * cursors swapped: `before` walks to older records, `after` to newer ones. With both cursors the page lies between
 * neither: `after` wins.
 *
 * @param fetch Reads up to `limit` records in the direction of the window: one more than the page, to see whether the
 *   list goes on. Where a filter finds too little in what one call may read, it says how far it came: the page is then
 *   short and its cursor goes on from there.
 */
export async function pageOf<T extends { id: string }, Wire>(
  query: PageQuery,
  fetch: (window: Window) => Promise<readonly T[] | CutShort<T>>,
  present: (record: T) => Wire,
): Promise<Page<Wire>> {
  const swapped = query.order === 'normal';
  const [next, previous] = swapped ? [query.before, query.after] : [query.after, query.before];
  const backwards = next === undefined && previous !== undefined;
  const shown = query.order === 'asc' ? 'asc' : 'desc';
  const scan = backwards ? opposite[shown] : shown;
  const beyond = next ?? previous;

  const { records, lastRead } = await readPage(fetch, { scan, limit: query.limit, beyond });
  if (backwards) records.reverse();

  const onwards = backwards ? (records.at(-1)?.id ?? null) : lastRead;
  const back = backwards ? lastRead : next === undefined ? null : (records[0]?.id ?? null);
  return {
    object: 'list',
    data: records.map(present),
    list_metadata: swapped ? { before: onwards, after: back } : { before: back, after: onwards },
  };
}

const opposite = { asc: 'desc', desc: 'asc' } as const;

/** The records of a page, and the id beyond which the list goes on; null where it ends. */
async function readPage<T extends { id: string }>(
  fetch: (window: Window) => Promise<readonly T[] | CutShort<T>>,
  { scan, limit, beyond }: { scan: Window['scan']; limit: number; beyond: string | undefined },
): Promise<{ records: T[]; lastRead: string | null }> {
  const fetched = await fetch({ scan, limit: limit + 1, ...(beyond === undefined ? {} : { beyond }) });
  const { records: found, stoppedAt = null } = isCutShort(fetched) ? fetched : { records: fetched };
  const records = found.slice(0, limit);
  return { records, lastRead: found.length > limit ? (records.at(-1)?.id ?? null) : stoppedAt };
}

const isCutShort = <T>(fetched: readonly T[] | CutShort<T>): fetched is CutShort<T> => 'stoppedAt' in fetched;
