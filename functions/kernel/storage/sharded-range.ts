import { awaitAll } from '../concurrency.ts';
import { afterId, beforeId, queryRange, type RangeFilter, type RangeKey, type Reading } from './range.ts';
import { joinReadings, mergeReadings } from './reading.ts';
import { computeShare } from './sharded-list.ts';
import type { Window } from './window.ts';

/** A part of a list, between two sort keys that both belong to it. */
export interface Span {
  from: string;
  to: string;
}

/** The part of a span after a position, in the direction of the scan. */
export function narrow({ from, to }: Span, scan: Window['scan'], after: string | undefined): Span {
  if (after === undefined) return { from, to };
  if (scan === 'asc') return { from: afterId(after) > from ? afterId(after) : from, to };
  return { from, to: beforeId(after) < to ? beforeId(after) : to };
}

/**
 * Reads a page of a span from several partitions in parallel, merged by the ids of the rows, which are their sort keys. The first
 * read of each partition is its share of the page. If too few rows match, partitions with more rows are read once more. So a page
 * costs one or two serial round trips; a page that is still short has its position in `reached`. It may be longer than the limit.
 * @param isSelective true if the filter may leave few rows: then the second read of a partition has up to 1 MB
 */
export async function querySpan<T extends { id: string }>(
  partitions: readonly Pick<RangeKey, 'partition' | 'index'>[],
  span: Span & Pick<Window, 'scan' | 'limit'>,
  filter: RangeFilter,
  isSelective: boolean,
): Promise<Reading<T>> {
  const { scan, limit } = span;
  if (span.from > span.to) return { records: [] };
  const read = (partition: (typeof partitions)[number], { from, to }: Span, rows?: number) =>
    queryRange<T>({ ...partition, from, to, scan }, filter, rows);
  const share = computeShare(limit, partitions.length);
  const first = await awaitAll(partitions.map((partition) => read(partition, span, share)));
  const merged = mergeReadings(first, scan);
  if (merged.records.length >= limit || merged.reached === undefined) return merged;
  const second = await awaitAll(
    partitions.map(async (partition, at) => {
      const reading = first[at] ?? { records: [] };
      if (reading.reached === undefined) return reading;
      const rest = narrow(span, scan, reading.reached);
      return joinReadings(reading, await read(partition, rest, isSelective ? undefined : limit));
    }),
  );
  return mergeReadings(second, scan);
}
