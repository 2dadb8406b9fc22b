import { clock } from '../../../functions/kernel/clock.ts';
import { awaitAll } from '../../../functions/kernel/concurrency.ts';
import { DAY_MS } from '../../../functions/kernel/durations.ts';
import { events } from '../../../functions/kernel/events/entity.ts';
import { partitionsBetween } from '../../../functions/kernel/events/partitions.ts';
import type { TracedEvent } from './trace.ts';

const MAX_EVENTS = 50;

/** The newest events of an environment of the last day, newest first, by one query for each partition. */
export async function readStoredEvents(environmentId: string): Promise<TracedEvent[]> {
  const now = clock.now();
  const pages = await awaitAll(
    partitionsBetween(now - DAY_MS, now + 1).map(async (partition) => {
      return events.list('primary', { environmentId, partition }).take(MAX_EVENTS, 'desc');
    }),
  );
  return pages
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, MAX_EVENTS)
    .map(({ id, name, data, context, createdAt }) => ({
      id,
      name,
      at: createdAt,
      data: JSON.parse(data) as unknown,
      context: context === undefined ? undefined : (JSON.parse(context) as unknown),
    }));
}
