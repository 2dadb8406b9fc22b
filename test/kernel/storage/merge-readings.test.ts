import { describe, expect, test } from '@jest/globals';

import { joinReadings, mergeReadings } from '../../../functions/kernel/storage/reading.ts';
import { readPage } from '../../../functions/kernel/pagination.ts';
import { afterId, beforeId, type Reading } from '../../../functions/kernel/storage/range.ts';
import type { Window } from '../../../functions/kernel/storage/window.ts';

/** A seeded random generator (mulberry32). */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Row {
  id: string;
  isWanted: boolean;
}

const makeId = (position: number): string => `event_${String(position).padStart(26, '0')}`;

/** Rows distributed unevenly to partitions, like small samples of a hash. */
function world(random: () => number): { partitions: Row[][]; wanted: string[] } {
  const shares = Array.from({ length: 4 }, () => random() ** 3 + 0.02);
  const total = shares.reduce((sum, share) => sum + share, 0);
  const partitions: Row[][] = [[], [], [], []];
  const wanted: string[] = [];
  const density = random();
  for (let position = 1; position <= 150; position += 1) {
    let point = random() * total;
    const at = shares.findIndex((share) => (point -= share) <= 0);
    const row = { id: makeId(position), isWanted: random() < density };
    partitions[Math.max(0, at)]?.push(row);
    if (row.isWanted) wanted.push(row.id);
  }
  return { partitions, wanted };
}

/** A Query with a filter: reads up to `most` rows and returns its position. */
function query(rows: readonly Row[], { scan, after }: Omit<Window, 'limit'>, most: number): Reading<Row> {
  const ordered = scan === 'asc' ? rows : [...rows].reverse();
  const laterEvents = ordered.filter(
    ({ id }) => after === undefined || (scan === 'asc' ? id >= afterId(after) : id <= beforeId(after)),
  );
  const seen = laterEvents.slice(0, most);
  const records = seen.filter(({ isWanted }) => isWanted);
  const last = seen.at(-1);
  return seen.length < most || last === undefined ? { records } : { records, reached: last.id };
}

/** Reads like the service, with so small limits that partitions stop at different positions. */
function read(partitions: readonly Row[][], window: Window, random: () => number): Reading<Row> {
  const most = () => 1 + Math.floor(random() * 6);
  const first = partitions.map((rows) => query(rows, window, most()));
  const merged = mergeReadings(first, window.scan);
  if (merged.records.length >= window.limit || merged.reached === undefined) return merged;
  const second = first.map((reading, at) =>
    reading.reached === undefined
      ? reading
      : joinReadings(reading, query(partitions[at] ?? [], { scan: window.scan, after: reading.reached }, most())),
  );
  return mergeReadings(second, window.scan);
}

const seeds = Array.from({ length: 60 }, (_, seed) => seed + 1);

describe('a page of events that is merged from partitions with different progress', () => {
  test.each(['asc', 'desc'] as const)('contains every matching event once and in order, reading %s', async (order) => {
    for (const seed of seeds) {
      const random = chance(seed);
      const { partitions, wanted } = world(random);
      const limit = 1 + Math.floor(random() * 7);
      const listed: string[] = [];
      let after: string | undefined;
      for (let pages = 0; pages < 1_000; pages += 1) {
        const page = await readPage(
          { order, limit, after },
          async (window) => read(partitions, window, random),
          ({ id }) => id,
        );
        listed.push(...page.data);
        if (page.list_metadata.after === null) break;
        after = page.list_metadata.after;
      }
      expect({ seed, listed }).toEqual({ seed, listed: order === 'asc' ? wanted : [...wanted].reverse() });
    }
  });

  test('loses no event for a client that follows `after` to newer events in the default order', async () => {
    for (const seed of seeds) {
      const random = chance(seed);
      const { partitions, wanted } = world(random);
      const listed: string[] = [];
      let after = makeId(0);
      for (let pages = 0; pages < 1_000; pages += 1) {
        const page = await readPage(
          { order: 'normal' as const, limit: 3, after },
          async (window) => read(partitions, window, random),
          ({ id }) => id,
        );
        listed.push(...[...page.data].reverse());
        const next = page.list_metadata.after ?? page.data[0];
        if (next === undefined || page.list_metadata.after === null) break;
        after = next;
      }
      expect({ seed, listed }).toEqual({ seed, listed: wanted });
    }
  });

  test('contains nothing after the slowest partition', () => {
    const fast = { records: [{ id: makeId(1) }, { id: makeId(9) }], reached: makeId(9) };
    const slow = { records: [{ id: makeId(2) }], reached: makeId(3) };
    expect(mergeReadings([fast, slow], 'asc')).toEqual({
      records: [{ id: makeId(1) }, { id: makeId(2) }],
      reached: makeId(3),
    });
  });
});

describe('the bounds of an id range', () => {
  test('exclude only the id itself, whatever its last character', () => {
    const ids = ['00', '0Z', '10', '19', '1A', '1Z'].map((end) => `event_${end.padStart(26, '0')}`);
    for (const [at, id] of ids.entries()) {
      expect(ids.filter((other) => other >= afterId(id))).toEqual(ids.slice(at + 1));
      expect(ids.filter((other) => other <= beforeId(id))).toEqual(ids.slice(0, at));
    }
  });
});
