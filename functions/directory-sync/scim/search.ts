import type { Filter } from 'scim2-parse-filter';

import { awaitAll } from '../../kernel/concurrency.ts';
import { isId } from '../../kernel/id-format.ts';
import { ownerKey } from '../../kernel/storage/record.ts';
import type { DirectoryRecord } from '../directory/entity.ts';
import { type RequiredValue, matches, parseFilter, requiredValues } from './filter.ts';
import { findMark, keepMark } from './marks.ts';
import { ScimProblem } from './problem.ts';
import type { ScimPage } from './schema.ts';

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
  fetch: (after: string | undefined, limit: number) => Promise<R[]>;
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
  records: R[];
  totalResults: number;
  startIndex?: number | undefined;
  nextCursor?: string | undefined;
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
  const records: R[] = [];
  for (;;) {
    const next = await source.fetch(records.at(-1)?.id, MOST_SCANNED);
    records.push(...next);
    if (next.length === 0 || records.length > 2 * MOST_SCANNED) return records;
  }
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
  const records = later.slice(0, count);
  const last = records.at(-1);
  return {
    records,
    totalResults: found.length,
    nextCursor: last && later.length > count ? makeCursor(last.id) : undefined,
  };
}

async function byCursor<R extends { id: string }>(
  source: Source<R>,
  { count, cursor = '' }: ScimPage,
): Promise<Found<R>> {
  const after = idIn(cursor, source.prefix);
  const [totalResults, found] = await awaitAll([source.total(), source.fetch(after, count + 1)]);
  const records = found.slice(0, count);
  const last = records.at(-1);
  return { records, totalResults, nextCursor: last && found.length > count ? makeCursor(last.id) : undefined };
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
  const records = (await source.fetch(mark.after, skipped + count)).slice(skipped);
  const keep = async (presented: number): Promise<void> => {
    const after = records[presented - 1]?.id;
    const index = startIndex + presented;
    if (after === undefined || index > totalResults) return;
    await keepMark(environmentId, list, { index, after }, ownerKey('organization', organizationId));
  };
  return { records, totalResults, startIndex, keep };
}
