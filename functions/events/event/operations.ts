import { apiKey } from '../../kernel/authentication/api-key.ts';
import { operation } from '../../kernel/operation.ts';
import { pageOf } from '../../kernel/pagination.ts';
import { readEvents } from './reading.ts';
import { EventList, ListEvents, presentEvent } from './schema.ts';

export const listEvents = operation({
  id: 'events.list',
  method: 'GET',
  path: '/events',
  summary: 'List events',
  description:
    'What happened, by name, time and organization. A poller that walks with the cursor of its last page misses no event: ' +
    'the list ends some seconds before now, where no further event can appear. A page may hold fewer events than `limit`, ' +
    'even none, while its cursor is not null: go on from it.',
  auth: apiKey,
  query: ListEvents,
  responses: { 200: EventList },
  errors: [],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query }) {
    const body = await pageOf(query, (window) => readEvents(environmentId, query, window), presentEvent);
    return { status: 200, body };
  },
});
