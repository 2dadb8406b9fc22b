import { clock } from '../../../kernel/clock.ts';
import { firstUlidAt } from '../../../kernel/id-format.ts';
import type { Reading } from '../../../kernel/storage/range.ts';
import type { Window } from '../../../kernel/storage/window.ts';
import { intervals, trails } from '../evidence/entity.ts';
import { computeSpan } from '../evidence/intervals.ts';
import type { EvidenceRow } from '../evidence/row.ts';
import { type ExportFilter, rowFilter } from '../export/filter.ts';
import { effectiveDays, oldestKeptHour } from '../retention/rules.ts';
import { formatHour } from './entity.ts';
import { ROW_LIFETIME_SECONDS } from './ingest.ts';
import { type Hour, readRows } from './store.ts';

/** The most hours and events that one page reads: eight Queries for each hour. */
const MOST_HOURS = 48;
const MOST_EXAMINED = 5_000;

const LAST = '9999-12-31T23:59:59.999Z';

/** The selection of a list: an organization's events, by time of receipt and by the filter of exports. */
interface Selected extends Omit<Hour, 'hour'> {
  filter: ExportFilter;
  rangeStart: string | undefined;
  rangeEnd: string | undefined;
}

/** The id of an event that no event of a time before has, and no event from then on follows. */
const idAt = (milliseconds: number): string => `audit_log_event_${firstUlidAt(milliseconds)}`;

const toHour = (time: string): string => time.slice(0, 13);

/** The hours of a page: those of the range in which events were received and that are not past the retention. */
async function listHours(selected: Selected, { scan, after }: Window): Promise<{ hours: string[]; isWhole: boolean }> {
  const { environmentId, organizationId, rangeStart = '', rangeEnd = LAST } = selected;
  const trail = await trails.get(environmentId, organizationId);
  const kept = [
    oldestKeptHour(clock.now(), effectiveDays(trail)),
    toHour(new Date(clock.now() - ROW_LIFETIME_SECONDS * 1_000).toISOString()),
    toHour(rangeStart),
    ...(after !== undefined && scan === 'asc' ? [formatHour(after)] : []),
  ];
  const ends = [toHour(rangeEnd), ...(after !== undefined && scan === 'desc' ? [formatHour(after)] : [])];
  const from = kept.toSorted().at(-1) ?? '';
  const to = `${ends.toSorted()[0] ?? ''}~`;
  if (from > to) return { hours: [], isWhole: true };
  const query = intervals.entity().query.primary({ environmentId, organizationId }).between({ id: from }, { id: to });
  const { records, reached } = await intervals.select('primary', query).toPage({ scan, limit: MOST_HOURS });
  const hours = records.filter(({ state }) => state !== 'erased').map(({ id }) => toHour(id));
  return { hours: [...new Set(hours)], isWhole: reached === undefined };
}

/**
 * Reads a page of an organization's events: one Query for the hours, then eight for each hour until the page is full. The rows are
 * in the table for 30 days; older events are in exports only.
 */
export async function listRows(selected: Selected, window: Window): Promise<Reading<EvidenceRow>> {
  const { environmentId, organizationId, filter, rangeStart = '', rangeEnd = LAST } = selected;
  const { scan, after, limit } = window;
  const { hours, isWhole } = await listHours(selected, window);
  const isWanted = rowFilter({ start: '', end: '~' }, filter);
  const records: EvidenceRow[] = [];
  let examined = 0;
  for (const hour of hours) {
    const rows = readRows({ environmentId, organizationId, hour }, after, { scan, pageRows: limit + 1 });
    for await (const row of rows) {
      examined += 1;
      if (row.receivedAt >= rangeStart && row.receivedAt < rangeEnd && isWanted(row)) records.push(row);
      if (records.length >= limit) return { records };
      if (examined === MOST_EXAMINED) return { records, reached: row.id };
    }
  }
  const last = hours.at(-1);
  if (isWhole || last === undefined) return { records };
  const { start, end } = computeSpan(last);
  return { records, reached: idAt(scan === 'desc' ? start : end) };
}
