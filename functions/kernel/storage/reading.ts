import type { Reading } from './range.ts';
import { idsWithin, recordsWithin, type Window } from './window.ts';

type Scan = Window['scan'];

const before = (scan: Scan, one: string, other: string): boolean => (scan === 'asc' ? one < other : one > other);

/**
 * Merges the reads of several lists into one, in the order of the scan. Reads that stopped early have covered
 * different ranges. Records beyond the position of the slowest one are incomplete, so they are not listed
 * and no cursor passes that position: they are read again with the next page. Up to there every list was read
 * completely, so no record is left out.
 * @returns the merged records, and as `reached` the slowest position if any list has more rows
 */
export function mergeReadings<T extends { id: string }>(readings: readonly Reading<T>[], scan: Scan): Reading<T> {
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

/** Joins two successive reads of a list. */
export function joinReadings<T>(first: Reading<T>, next: Reading<T>): Reading<T> {
  const records = [...first.records, ...next.records];
  return next.reached === undefined ? { records } : { records, reached: next.reached };
}

/** The page of a list whose records are all known. */
export const pageWithin = <T extends { id: string }>(records: readonly T[], window: Window): Reading<T> => ({
  records: recordsWithin(records, window),
});

/**
 * The page of a list whose ids are all known.
 * @param read reads records by their ids; a page with missing ones is shorter, although the list continues
 */
export async function readWithin<T extends { id: string }>(
  ids: readonly string[],
  window: Window,
  read: (ids: readonly string[]) => Promise<T[]>,
): Promise<Reading<T>> {
  const [own, further] = splitAt(idsWithin(ids, { ...window, limit: window.limit + 1 }), window.limit);
  const [records, reached] = [await read(own), own.at(-1)];
  return further.length === 0 || reached === undefined ? { records } : { records, reached };
}

const splitAt = <T>(all: readonly T[], at: number): [T[], T[]] => [all.slice(0, at), all.slice(at)];
