import { events } from '../../../functions/kernel/events/entity.ts';
import { partitionsBetween } from '../../../functions/kernel/events/partitions.ts';
import { clock } from '../../../functions/kernel/clock.ts';

const MAX_EVENTS = 50;
const DAY_MS = 86_400_000;

/** The newest events of an environment for the page, newest first, by one query for each partition. */
export async function recentEvents(environmentId: string): Promise<unknown[]> {
  const now = clock.now();
  const pages = await Promise.all(
    partitionsBetween(now - DAY_MS, now + 1).map(async (partition) => {
      const { data } = await events
        .entity()
        .query.primary({ environmentId, partition })
        .go({ order: 'desc', limit: MAX_EVENTS });
      return data;
    }),
  );
  return pages
    .flat()
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, MAX_EVENTS)
    .map(({ id, name, data, organizationId, createdAt }) => ({
      id,
      event: name,
      organization_id: organizationId ?? null,
      created_at: createdAt,
      data: JSON.parse(data) as unknown,
    }));
}
