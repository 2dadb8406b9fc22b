import { awaitAll } from '../../../kernel/concurrency.ts';
import type { Issue } from '../../../kernel/errors.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { cursorOf, type Position } from './rules.ts';

/** Number of records that a page reads at once. */
const STEP = 50;
/** Maximum number of steps of a page, whatever it finds: each step is a few parallel reads for every record. */
const MOST_STEPS = 40;

/** A part of an export: records in the order of their ids, each with any number of lines. */
export interface Section<Line> {
  /** The name of the section, without a colon and unique in its export. */
  name: string;
  page: (window: Window) => Promise<Reading<{ id: string; lines: readonly Line[] }>>;
}

/** A section whose records are listed first and then read together. */
export const section = <Found extends { id: string }, Line>(
  name: string,
  list: (window: Window) => Promise<Reading<Found>>,
  linesOf: (found: readonly Found[]) => Promise<ReadonlyMap<string, readonly Line[]>>,
): Section<Line> => ({
  name,
  page: async (window) => {
    const { records, ...rest } = await list(window);
    const lines = await linesOf(records);
    return { records: records.map(({ id }) => ({ id, lines: lines.get(id) ?? [] })), ...rest };
  },
});

/** A section of records that are in memory, in their own order. */
export const fixedSection = <Found extends { id: string }, Line>(
  name: string,
  records: readonly Found[],
  linesOf: (record: Found) => Promise<readonly Line[]>,
): Section<Line> => ({
  name,
  page: async ({ after, limit }) => {
    const from = after === undefined ? 0 : records.findIndex(({ id }) => id === after) + 1;
    const part = records.slice(from, from + limit);
    const found = await awaitAll(part.map(async (record) => ({ id: record.id, lines: await linesOf(record) })));
    const last = from + limit < records.length ? part.at(-1) : undefined;
    return { records: found, ...(last && { reached: last.id }) };
  },
});

/**
 * The lines of an export from a position on: at least `limit` lines if there are that many, and at most the remaining lines
 * of the record that reaches the limit beyond it. A page can have fewer lines if many records have none.
 * @returns the lines with the cursor of the next page, which is null at the end
 */
export async function exportPage<Line>(
  sections: readonly Section<Line>[],
  from: Position | undefined,
  limit: number,
): Promise<{ lines: Line[]; next: string | null }> {
  const lines: Line[] = [];
  let at = from === undefined ? 0 : sections.findIndex(({ name }) => name === from.section);
  let after = from?.after;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const current = sections[at];
    if (current === undefined) return { lines, next: null };
    const window = { scan: 'asc' as const, limit: STEP, ...(after === undefined ? {} : { after }) };
    const { records, reached } = await current.page(window);
    for (const { id, lines: more } of records) {
      lines.push(...more);
      after = id;
      if (lines.length >= limit) return { lines, next: cursorOf({ section: current.name, after }) };
    }
    [at, after] = reached === undefined ? [at + 1, undefined] : [at, reached];
  }
  const current = sections[at];
  return { lines, next: current === undefined ? null : cursorOf({ section: current.name, after }) };
}

/** The issue of a cursor that no page contained. */
export const invalidCursor: Issue = {
  field: 'after',
  code: 'invalid_value',
  message: 'is no cursor of this export: pass the after of the page before as it is, or leave it out to begin',
};
