import { clock } from '../../kernel/clock.ts';
import { readRows } from '../event/store.ts';
import { type IntervalRecord, intervalsOf, trails } from '../evidence/entity.ts';
import { readSegment, segmentKey } from '../evidence/segment.ts';
import { effectiveDays, oldestKeptHour } from '../retention/rules.ts';
import type { SourcePortion } from './compose.ts';

/** Whose events, and when they happened: `end` excluded. */
export interface Range {
  environmentId: string;
  organizationId: string;
  start: string;
  end: string;
}

/**
 * The segments of an organization that an export reads, in the order of their seals, then the hours that are still open.
 * From the first to the last in which something may lie in the range there is no gap: what lies between and holds nothing
 * of it comes without rows. What is past its retention is not there.
 *
 * Holds the seals of the range: 1 KB for each hour in which events came in.
 */
export async function* portionsOf(range: Range): AsyncGenerator<SourcePortion> {
  const { sealed, open } = await kept(range);
  const first = sealed.findIndex((interval) => mayHold(interval, range));
  const last = sealed.findLastIndex((interval) => mayHold(interval, range));
  for (const interval of first < 0 ? [] : sealed.slice(first, last + 1)) {
    const { environmentId, organizationId, segment = 0, statement = '', signature = '' } = interval;
    yield {
      name: String(segment),
      seal: { statement, signature },
      rows: mayHold(interval, range) ? readSegment(segmentKey(environmentId, organizationId, segment)) : undefined,
    };
  }
  for (const { environmentId, organizationId, id } of open) {
    yield { name: `open:${id}`, seal: undefined, rows: readRows({ environmentId, organizationId, hour: id }) };
  }
}

async function kept({ environmentId, organizationId }: Range) {
  const trail = await trails.get(environmentId, organizationId);
  const sealed: IntervalRecord[] = [];
  const open: IntervalRecord[] = [];
  const oldest = oldestKeptHour(clock.now(), effectiveDays(trail));
  for await (const interval of intervalsOf(environmentId, organizationId, oldest)) {
    if (interval.state === 'sealed') sealed.push(interval);
    // What came to light later is sealed at once; a row that says otherwise was left by a try that failed.
    else if (interval.state === 'open' && !interval.id.includes('+')) open.push(interval);
  }
  return { sealed: sealed.sort((one, other) => (one.segment ?? 0) - (other.segment ?? 0)), open };
}

const mayHold = ({ occurredFrom = '', occurredTo = '' }: IntervalRecord, { start, end }: Range): boolean =>
  occurredTo >= start && occurredFrom < end;
