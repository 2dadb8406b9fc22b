import { clock } from '../clock.ts';
import type { EventRecord } from './entity.ts';
import { partitionKey, partitionsBetween, subjectPartition, subjectPartitionKey } from './partitions.ts';
import { settledUntil } from './settlement.ts';
import type { Subject } from './subject.ts';
import { firstUlidAt, readTime } from '../id-format.ts';
import { beforeId, type Reading, type RangeFilter, type RangeKey } from '../storage/range.ts';
import { narrow, querySpan } from '../storage/sharded-range.ts';
import type { Window } from '../storage/window.ts';

/** Selects events by their names, their time (RFC 3339) and their organization. */
interface Query {
  events: readonly string[];
  range_start?: string | undefined;
  range_end?: string | undefined;
  organization_id?: string | undefined;
}

const firstIdAt = (milliseconds: number): string => `event_${firstUlidAt(milliseconds)}`;

/**
 * The events of a page, merged from the partitions in parallel, strongly consistent, up to the time before which all events
 * are visible. The first read of each partition is its share of the page. If a filter leaves too few events, partitions with
 * more rows are read once more, up to 1 MB each. So a page costs one or two serial round trips; a page that is still short
 * has a cursor at its position.
 */
export const readEvents = (environmentId: string, query: Query, window: Window): Promise<Reading<EventRecord>> =>
  readMerged(query, window, (from, to) =>
    partitionsBetween(from, to).map((partition) => ({ partition: partitionKey(environmentId, partition) })),
  );

/**
 * The events of a subject, like {@link readEvents}, from the index of subjects: one Query for a user or an address, one for
 * each event partition for an organization. The index lags by moments.
 */
export const readSubjectEvents = (
  environmentId: string,
  subject: Subject,
  query: Partial<Query>,
  window: Window,
): Promise<Reading<EventRecord>> =>
  readMerged({ events: [], ...query }, window, (from, to) => {
    const places = new Set(partitionsBetween(from, to).map((partition) => subjectPartition(subject, partition)));
    return [...places].map((place) => ({
      partition: subjectPartitionKey(environmentId, place),
      index: 'gsi1' as const,
    }));
  });

async function readMerged(
  query: Query,
  { scan, limit, after }: Window,
  listPartitions: (from: number, to: number) => Pick<RangeKey, 'partition' | 'index'>[],
): Promise<Reading<EventRecord>> {
  const settled = settledUntil();
  const until = query.range_end === undefined ? settled : Math.min(settled, Date.parse(query.range_end));
  const bounds = {
    from: query.range_start === undefined ? firstIdAt(0) : firstIdAt(Date.parse(query.range_start)),
    to: beforeId(firstIdAt(until)),
  };
  const span = narrow(bounds, scan, after);
  if (span.from > span.to) return { records: [] };
  const partitions = listPartitions(readTime(span.from.slice(0, 32)), until);
  const isSelective = query.events.length > 0 || query.organization_id !== undefined;
  return querySpan<EventRecord>(partitions, { ...span, scan, limit }, makeFilter(query), isSelective);
}

/**
 * Selects events with these names (all without one) and of this organization that have not expired: DynamoDB removes
 * expired rows days late.
 */
function makeFilter({ events, organization_id: organizationId }: Query): RangeFilter {
  const names = [...new Set(events)];
  const values = Object.fromEntries(names.map((name, at) => [`:name${at}`, name]));
  const isNamed = chunks(Object.keys(values), 100).map((some) => `#name IN (${some.join(', ')})`);
  const conditions = [...(names.length === 0 ? [] : [`(${isNamed.join(' OR ')})`]), '#expiresAt > :now'];
  if (organizationId !== undefined) conditions.push('#organizationId = :organizationId');
  return {
    expression: conditions.join(' AND '),
    names: {
      ...(names.length === 0 ? {} : { '#name': 'name' }),
      '#expiresAt': 'expiresAt',
      ...(organizationId === undefined ? {} : { '#organizationId': 'organizationId' }),
    },
    values: {
      ...values,
      ':now': clock.seconds(),
      ...(organizationId === undefined ? {} : { ':organizationId': organizationId }),
    },
  };
}

/** DynamoDB accepts at most a hundred values in one IN, so the names are split. */
function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}
