import type { Reading } from '../../kernel/storage/range.ts';

type Scan = 'asc' | 'desc';

const before = (scan: Scan, one: string, other: string): boolean => (scan === 'asc' ? one < other : one > other);

/**
 * Merges the reads of several partitions into one list, in the order of the scan. Partitions whose reads stopped early have
 * covered different ranges of time. Events beyond the position of the slowest one are incomplete, so they are not listed
 * and no cursor passes that position: they are read again with the next page. Up to there every partition was read
 * completely, so no event is left out.
 * @returns the merged records, and as `reached` the slowest position if any partition has more rows
 */
export function merge<T extends { id: string }>(readings: readonly Reading<T>[], scan: Scan): Reading<T> {
  const reached = slowest(readings, scan);
  const records = readings
    .flatMap((reading) => reading.records)
    .filter(({ id }) => reached === undefined || !before(scan, reached, id))
    .sort((one, other) => (before(scan, one.id, other.id) ? -1 : 1));
  return reached === undefined ? { records } : { records, reached };
}

function slowest(readings: readonly Reading<unknown>[], scan: Scan): string | undefined {
  const positions = readings.flatMap(({ reached }) => reached ?? []);
  return positions.reduce<string | undefined>(
    (least, position) => (least === undefined || before(scan, position, least) ? position : least),
    undefined,
  );
}

/** Joins two successive reads of a partition. */
export function joined<T>(first: Reading<T>, next: Reading<T>): Reading<T> {
  const records = [...first.records, ...next.records];
  return next.reached === undefined ? { records } : { records, reached: next.reached };
}
