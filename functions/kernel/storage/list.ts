import { QueryCommand } from '@aws-sdk/lib-dynamodb';

import { settings } from '../settings.ts';
import { tableClient } from './client.ts';
import { isPartitionKey } from './key-size.ts';
import type { Reading } from './range.ts';
import type { ListBound } from './row-format.ts';
import type { StoredRow } from './together.ts';
import type { Window } from './window.ts';

/**
 * A list of records. DynamoDB ends each Query at 1 MB, so the number of records that one returns does not show whether the
 * list continues. Therefore records come with that information, or by reading the list to its end.
 */
export interface List<T> extends AsyncIterable<T> {
  /**
   * Reads a page in its direction: up to `limit` records, and at most 5 MB. It takes one Query for each megabyte.
   * @returns the records, and in `reached` where the next page begins, unless the list has ended
   */
  toPage(window: Window): Promise<Reading<T>>;
  /** Reads the whole list in ascending order, by one Query for each megabyte. */
  toArray(): Promise<T[]>;
  /** Reads the first `limit` records from an end of the list; fewer only if the list has fewer. */
  take(limit: number, scan?: Window['scan']): Promise<T[]>;
}

type PageQuery = Omit<QueryCommand['input'], 'TableName'>;

/** Maximum queries of a page, each of which reads up to 1 MB: a response of Lambda has 6 MB at most. */
const MOST_QUERIES = 5;

/** The reader of the rows of a list. */
export interface RowReader<T> {
  /** True if reads are strongly consistent, which list indexes cannot be. */
  isConsistent: boolean;
  /** The record of a row; undefined for a row of another entity. */
  parse: (row: StoredRow) => T | undefined;
  /** The position of a row, after which a page can begin. */
  positionOf: (row: StoredRow) => string;
}

/** @param makeQuery the keys of the list's query, from a bound on if one is given */
export function makeList<T>(
  makeQuery: (bound?: ListBound) => PageQuery,
  { isConsistent, parse, positionOf }: RowReader<T>,
): List<T> {
  async function* readQueries(query: PageQuery, limit = Infinity): AsyncGenerator<Reading<T>> {
    const { ':pk': partition } = query.ExpressionAttributeValues as { ':pk': string };
    let left = isPartitionKey(partition) ? limit : 0;
    let next: PageQuery['ExclusiveStartKey'];
    while (left > 0) {
      const { Items = [], LastEvaluatedKey } = await tableClient().send(
        new QueryCommand({
          ...query,
          TableName: settings().GATEHOUSE_TABLE,
          ExclusiveStartKey: next,
          ...(left === Infinity ? {} : { Limit: left }),
        }),
      );
      left -= Items.length;
      next = LastEvaluatedKey;
      const last = Items.at(-1);
      const records = Items.flatMap((row) => parse(row) ?? []);
      yield next === undefined || last === undefined ? { records } : { records, reached: positionOf(last) };
      if (next === undefined) return;
    }
  }

  async function* records(query: PageQuery, limit?: number): AsyncGenerator<T> {
    for await (const page of readQueries(query, limit)) yield* page.records;
  }

  const ordered = (scan: Window['scan'], bound?: ListBound): PageQuery => ({
    ...makeQuery(bound),
    ...(isConsistent ? { ConsistentRead: true } : {}),
    ScanIndexForward: scan === 'asc',
  });

  return {
    async toPage({ scan, after: id, limit }) {
      const bound: ListBound | undefined =
        id === undefined ? undefined : { id, comparison: scan === 'asc' ? '>' : '<' };
      const found: T[] = [];
      let queries = 0;
      for await (const { records: read, reached } of readQueries(ordered(scan, bound), limit)) {
        found.push(...read);
        queries += 1;
        if (reached === undefined) return { records: found };
        if (queries === MOST_QUERIES || found.length >= limit) return { records: found, reached };
      }
      return { records: found };
    },
    toArray: () => collect(records(ordered('asc'))),
    take: (limit, scan = 'asc') => collect(records(ordered(scan), limit)),
    [Symbol.asyncIterator]: () => records(ordered('asc')),
  };
}

async function collect<T>(records: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const record of records) all.push(record);
  return all;
}

/** A list without records. */
export const EMPTY: List<never> = {
  toPage: () => Promise.resolve({ records: [] }),
  toArray: () => Promise.resolve([]),
  take: () => Promise.resolve([]),
  async *[Symbol.asyncIterator]() {
    // It has no records.
  },
};
