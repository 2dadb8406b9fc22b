import { apiKey } from '../../../kernel/authentication/api-key.ts';
import { declareError } from '../../../kernel/errors.ts';
import { operation } from '../../../kernel/operation.ts';
import { readPage } from '../../../kernel/pagination.ts';
import { readSubject } from '../../../kernel/events/subject.ts';
import { readEvents, readSubjectEvents } from '../../../kernel/events/reading.ts';
import { EventList, ListEvents, ListSubjectEvents, presentEvent } from './schema.ts';

const emptyRange = declareError({
  status: 400,
  code: 'invalid_range',
  message: 'The range is empty: range_start must be before range_end.',
});

export const listEvents = operation({
  id: 'events.list',
  method: 'GET',
  path: '/events',
  summary: 'List events',
  description:
    'Filter by name, time and organization. A client that continues from the cursor of its last page misses no event: ' +
    'events appear after a few seconds, always at the end of the list. A page may ' +
    'have fewer events than `limit`, even none, while its cursor is not null: continue with the cursor.',
  auth: apiKey,
  query: ListEvents,
  responses: { 200: EventList },
  errors: [emptyRange],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const { range_start: start, range_end: end } = query;
    if (start !== undefined && end !== undefined && start >= end) throw fail(emptyRange);
    const body = await readPage(query, (window) => readEvents(environmentId, query, window), presentEvent);
    return { status: 200, body };
  },
});

export const listSubjectEvents = operation({
  id: 'events.list_by_subject',
  method: 'GET',
  path: '/x/events',
  summary: 'List the events of a user, an organization or an address',
  description:
    'Lists the newest events first. Each event has one subject: the user that it names, otherwise the organization, otherwise the email ' +
    'address, such as that of a failed sign-in without an account. The events of an organization are therefore those of the ' +
    'organization itself, not those of its members. Events of the vault have no subject. The list may lag behind changes for a moment.',
  auth: apiKey,
  query: ListSubjectEvents,
  responses: { 200: EventList },
  errors: [emptyRange],
  emits: [],
  idempotency: 'none',
  async handle({ environmentId, query, fail }) {
    const { range_start: start, range_end: end } = query;
    if (start !== undefined && end !== undefined && start >= end) throw fail(emptyRange);
    const subject = readSubject(environmentId, query.subject);
    const filter = { ...query, events: query.events ?? [] };
    const body = await readPage(
      query,
      async (window) =>
        subject === undefined ? { records: [] } : readSubjectEvents(environmentId, subject, filter, window),
      presentEvent,
    );
    return { status: 200, body };
  },
});

export const eventOperations = [listEvents, listSubjectEvents] as const;
