import { clock } from '../../../kernel/clock.ts';
import { readRows } from '../event/store.ts';
import { type IntervalRecord, readIntervals, trails } from '../evidence/entity.ts';
import { readSegment, segmentKey } from '../evidence/segment.ts';
import { effectiveDays, oldestKeptHour } from '../retention/rules.ts';
import type { SourcePortion } from './compose.ts';

/** The organization and the range of times, whose `end` is excluded. */
export interface Range {
  environmentId: string;
  organizationId: string;
  start: string;
  end: string;
}

/**
 * The segments of an organization that an export reads, in the order of their seals, then the hours that are not sealed
 * yet. From the first to the last segment that may contain events of the range there is no gap: a segment in between
 * without such events is listed without rows. Segments past their retention are missing. It keeps the seals of the range in
 * memory, 1 KB for each hour in which events were received.
 */
export async function* readPortions(range: Range): AsyncGenerator<SourcePortion> {
  const { sealed, open } = await kept(range);
  const first = sealed.findIndex((interval) => mayOverlap(interval, range));
  const last = sealed.findLastIndex((interval) => mayOverlap(interval, range));
  for (const interval of first < 0 ? [] : sealed.slice(first, last + 1)) {
    const { environmentId, organizationId, segment = 0, statement = '', signature = '' } = interval;
    yield {
      name: String(segment),
      seal: { statement, signature },
      rows: mayOverlap(interval, range) ? readSegment(segmentKey(environmentId, organizationId, segment)) : undefined,
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
  for await (const interval of readIntervals(environmentId, organizationId, oldest)) {
    if (interval.state === 'sealed') sealed.push(interval);
    // Events that were found later are sealed at once, so a row without a seal is left over from a failed attempt.
    else if (interval.state === 'open' && !interval.id.includes('+')) open.push(interval);
  }
  return { sealed: sealed.sort((one, other) => (one.segment ?? 0) - (other.segment ?? 0)), open };
}

const mayOverlap = ({ occurredFrom = '', occurredTo = '' }: IntervalRecord, { start, end }: Range): boolean =>
  occurredTo >= start && occurredFrom < end;
