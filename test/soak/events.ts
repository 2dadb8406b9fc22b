import type { Connection } from '../support/connection.ts';

/** An event in the form of GET /events. */
export interface ListedEvent {
  id: string;
  event: string;
  data: { id: string; name?: string; metadata?: Record<string, string> };
}

interface Page {
  data: ListedEvent[];
  list_metadata: { before: string | null; after: string | null };
}

/** The events that the scenarios cause. */
export const EVENT_NAMES = [
  'organization.created',
  'organization.updated',
  'organization.deleted',
  'organization_domain.created',
] as const;

/** One page of events in the order of time, after an id. */
export function eventsAfter(connection: Connection, after: string | undefined, limit = 100): Promise<Page> {
  const query = new URLSearchParams({ events: EVENT_NAMES.join(','), order: 'asc', limit: String(limit) });
  if (after !== undefined) query.set('after', after);
  return connection.demand<Page>({ method: 'GET', path: `/events?${query.toString()}` });
}

/** Maximum number of pages that are read. */
const MOST_PAGES = 5_000;

/** All events, from the first one to the newest that is settled. */
export async function allEvents(connection: Connection): Promise<ListedEvent[]> {
  const events: ListedEvent[] = [];
  let after: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { data, list_metadata } = await eventsAfter(connection, after);
    events.push(...data);
    if (list_metadata.after === null) return events;
    after = list_metadata.after;
  }
  throw new Error(`GET /events did not end within ${MOST_PAGES} pages`);
}
