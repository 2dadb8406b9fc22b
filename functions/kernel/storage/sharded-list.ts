import { awaitAll } from '../concurrency.ts';
import type { List } from './list.ts';
import type { Reading } from './range.ts';
import { joinReadings, mergeReadings } from './reading.ts';
import type { Window } from './window.ts';

/** Number of records that are read at once by a reader of the whole list. */
const BATCH = 500;
/** Maximum rounds of reads for a page, each of which reads every shard that may have more. */
const MOST_ROUNDS = 5;

/**
 * The number of records to read from each shard for a page: its share with four standard deviations, so that hardly any page needs
 * a second round, and at most the whole page.
 */
export const computeShare = (limit: number, shards: number): number =>
  Math.min(limit, Math.ceil(limit / shards + 4 * Math.sqrt(limit / shards)) + 2);

/** The shards of a list as one list in the order of ids, which are read in parallel and merged. */
export function mergeLists<T extends { id: string }>(shards: readonly List<T>[]): List<T> {
  async function toPage({ scan, after, limit }: Window): Promise<Reading<T>> {
    const from = after === undefined ? {} : { after };
    let readings: readonly Reading<T>[] = await awaitAll(
      shards.map((shard) => shard.toPage({ scan, ...from, limit: computeShare(limit, shards.length) })),
    );
    let merged = mergeReadings(readings, scan);
    for (let round = 2; round <= MOST_ROUNDS; round += 1) {
      if (merged.reached === undefined || merged.records.length >= limit) break;
      readings = await awaitAll(
        shards.map(async (shard, at) => {
          const known = readings[at] ?? { records: [] };
          if (known.reached === undefined) return known;
          return joinReadings(known, await shard.toPage({ scan, after: known.reached, limit }));
        }),
      );
      merged = mergeReadings(readings, scan);
    }
    return cutAt(merged, limit);
  }

  async function* records(scan: Window['scan'], limit = BATCH): AsyncGenerator<T> {
    let after: string | undefined;
    do {
      const page = await toPage({ scan, limit, ...(after === undefined ? {} : { after }) });
      yield* page.records;
      after = page.reached;
    } while (after !== undefined);
  }

  async function collect(scan: Window['scan'], most = Infinity): Promise<T[]> {
    const found: T[] = [];
    if (most <= 0) return found;
    for await (const record of records(scan, Math.min(most, BATCH))) {
      found.push(record);
      if (found.length >= most) break;
    }
    return found;
  }

  return {
    toPage,
    toArray: () => collect('asc'),
    take: (limit, scan = 'asc') => collect(scan, limit),
    [Symbol.asyncIterator]: () => records('asc'),
  };
}

function cutAt<T extends { id: string }>(reading: Reading<T>, limit: number): Reading<T> {
  if (reading.records.length <= limit) return reading;
  const records = reading.records.slice(0, limit);
  const reached = records.at(-1)?.id;
  return reached === undefined ? { records } : { records, reached };
}
