import type { Reading } from '../../kernel/storage/stretch.ts';

type Scan = 'asc' | 'desc';

const before = (scan: Scan, one: string, other: string): boolean => (scan === 'asc' ? one < other : one > other);

/**
 * Merges what was read of several partitions into one list, in the order of the scan.
 *
 * Partitions that stopped early have seen different stretches of time. Beyond the position of the slowest of them nothing
 * is known of its events, so nothing beyond it is listed and no cursor passes it: what faster partitions found there is
 * read again with the next page. Below it every partition was read completely, so nothing is left out.
 *
 * @returns the merged records, and as `reached` the slowest position when some partition has more to read.
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

/** One reading of a partition followed by the next one, which began where the first stopped. */
export function joined<T>(first: Reading<T>, next: Reading<T>): Reading<T> {
  const records = [...first.records, ...next.records];
  return next.reached === undefined ? { records } : { records, reached: next.reached };
}
