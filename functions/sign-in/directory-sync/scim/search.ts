import type { Filter } from 'scim2-parse-filter';

import { awaitAll } from '../../../kernel/concurrency.ts';
import { isId } from '../../../kernel/id-format.ts';
import { countFitting } from '../../../kernel/pagination.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import { ownerKey } from '../../../kernel/storage/record.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { type RequiredValue, matches, parseFilter, requiredValues } from './filter.ts';
import { findMark, keepMark } from './marks.ts';
import { ScimProblem } from './problem.ts';
import { listResponse, type ScimPage } from './schema.ts';

/**
 * Maximum number of resources that are read for a filter without an indexed comparison, or that are skipped for a page
 * without a stored position.
 */
const MOST_SCANNED = 1_000;
const MOST_SKIPPED = 20_000;

/** The functions that read one kind of resource of a directory. */
export interface Source<R extends { id: string }> {
  /** The prefix of the ids of the records. */
  prefix: string;
  total: () => Promise<number>;
  /** Up to `limit` records after an id, in the order of their ids. */
  fetch: (after: string | undefined, limit: number) => Promise<Reading<R>>;
  getMany: (ids: readonly string[]) => Promise<R[]>;
  /** Ids of all records that may have a value; undefined if no index has the attribute. */
  idsWith: (required: RequiredValue) => Promise<readonly string[]> | undefined;
  /**
   * Returns the resource in the form that filters test.
   * @throws ScimProblem for a filter that it cannot test
   */
  testable: (record: R, required: readonly RequiredValue[]) => object;
}

/** The records of a page and the numbers of its list. */
export interface Found<R> {
  records: readonly R[];
  totalResults: number;
  startIndex?: number | undefined;
  /** The cursor of the page after a number of the records, which are those in the response. */
  makeNextCursor?: (presented: number) => string | undefined;
  /** Stores the position of the next page; called with the number of records in the response. */
  keep?: (presented: number) => Promise<void>;
}

const makeCursor = (id: string): string => Buffer.from(id).toString('base64url');

/** The id in a cursor (RFC 9865), which is a position among the ids of a directory and gives no access by itself. */
function idIn(cursor: string, prefix: string): string | undefined {
  if (cursor === '') return undefined;
  const id = Buffer.from(cursor, 'base64url').toString();
  if (!isId(prefix, id))
    throw new ScimProblem('invalidCursor', 'The cursor is not one of this list: begin again without one.');
  return id;
}

/**
 * The resources of a page. Without a filter it takes one Query for any page. With a filter it tests the resources that an
 * index finds for a comparison by `eq`, otherwise at most 1,000.
 * @throws ScimProblem
 */
export async function search<R extends { id: string }>(
  directory: DirectoryRecord,
  source: Source<R>,
  { filter, page }: { filter: string | undefined; page: ScimPage },
): Promise<Found<R>> {
  if (filter !== undefined && filter.trim() !== '')
    return pageWithin(await matching(source, parseFilter(filter)), source, page);
  return page.cursor === undefined ? byIndex(directory, source, page) : byCursor(source, page);
}

/** All records that match a filter, by their ids. */
export async function matching<R extends { id: string }>(source: Source<R>, filter: Filter): Promise<R[]> {
  const required = requiredValues(filter);
  const candidates = await findCandidates(source, required);
  return candidates
    .filter((record) => matches(filter, source.testable(record, required)))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

async function findCandidates<R extends { id: string }>(
  source: Source<R>,
  required: readonly RequiredValue[],
): Promise<R[]> {
  for (const value of required) {
    const ids = await source.idsWith(value);
    if (ids !== undefined) return source.getMany([...new Set(ids)]);
  }
  if ((await source.total()) > MOST_SCANNED) {
    throw new ScimProblem(
      'tooMany',
      `Without a comparison of id, userName, externalId, emails.value, displayName or members.value by eq, a filter works for ${MOST_SCANNED} resources at most.`,
    );
  }
  const found: R[] = [];
  let after: string | undefined;
  do {
    const { records, reached } = await source.fetch(after, MOST_SCANNED);
    found.push(...records);
    after = reached;
  } while (after !== undefined && found.length <= 2 * MOST_SCANNED);
  return found;
}

function pageWithin<R extends { id: string }>(
  found: R[],
  { prefix }: Source<R>,
  { startIndex, count, cursor }: ScimPage,
): Found<R> {
  if (cursor === undefined) {
    return { records: found.slice(startIndex - 1, startIndex - 1 + count), totalResults: found.length, startIndex };
  }
  const after = idIn(cursor, prefix) ?? '';
  const later = found.filter(({ id }) => id > after);
  return { records: later.slice(0, count), totalResults: found.length, makeNextCursor: cursorAfter(later) };
}

/** The cursors after records that were read, beyond which the list continues if it has been read to a position only. */
const cursorAfter =
  (records: readonly { id: string }[], reached?: string) =>
  (presented: number): string | undefined => {
    const last = presented < records.length ? records[presented - 1]?.id : reached;
    return last === undefined ? undefined : makeCursor(last);
  };

async function byCursor<R extends { id: string }>(
  source: Source<R>,
  { count, cursor = '' }: ScimPage,
): Promise<Found<R>> {
  const after = idIn(cursor, source.prefix);
  const [totalResults, found] = await awaitAll([source.total(), source.fetch(after, count + 1)]);
  const { records, reached } = found;
  return { records: records.slice(0, count), totalResults, makeNextCursor: cursorAfter(records, reached) };
}

async function byIndex<R extends { id: string }>(
  { environmentId, id, organizationId }: DirectoryRecord,
  source: Source<R>,
  { startIndex, count }: ScimPage,
): Promise<Found<R>> {
  const list = `${id}#${source.prefix}`;
  const [totalResults, mark] = await awaitAll([source.total(), findMark(environmentId, list, startIndex)]);
  if (count === 0 || startIndex > totalResults) return { records: [], totalResults, startIndex };
  const skipped = startIndex - mark.index;
  if (skipped > MOST_SKIPPED)
    throw new ScimProblem('tooMany', 'Read the list from its beginning, page by page, or by cursors.');
  const records = await readAfter(source, mark.after, skipped, count);
  const keep = async (presented: number): Promise<void> => {
    const after = records[presented - 1]?.id;
    const index = startIndex + presented;
    if (after === undefined || index > totalResults) return;
    await keepMark(environmentId, list, { index, after }, ownerKey('organization', organizationId));
  };
  return { records, totalResults, startIndex, keep };
}

/** The records after an id and a number of others; fewer if they would be too large for a response. */
async function readAfter<R extends { id: string }>(
  source: Source<R>,
  start: string | undefined,
  skipped: number,
  count: number,
): Promise<readonly R[]> {
  let after = start;
  for (let left = skipped; left > 0;) {
    const { records, reached } = await source.fetch(after, left);
    if (reached === undefined) return [];
    left -= records.length;
    after = reached;
  }
  return (await source.fetch(after, count)).records;
}

/**
 * The response with a page. It has fewer resources than were found if they would be too large for it; the next page begins
 * after those that it has.
 */
export async function presentPage<R>(
  { records, totalResults, startIndex, makeNextCursor, keep }: Found<R>,
  present: (records: readonly R[]) => Promise<Record<string, unknown>[]>,
): Promise<ReturnType<typeof listResponse>> {
  const [all] = await awaitAll([present(records), keep?.(records.length)]);
  const resources = all.slice(0, countFitting(all));
  if (resources.length < records.length) await keep?.(resources.length);
  return listResponse(resources, { totalResults, startIndex, nextCursor: makeNextCursor?.(resources.length) });
}
