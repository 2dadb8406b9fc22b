import { html } from '../../../kernel/pages/html.ts';
import { exportAct, renderExport } from '../exports/act.ts';
import { call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit, withQuery } from '../page/visit.ts';
import { type Filter, listQuery, renderFilters, renderRows } from '../view/list-page.ts';
import { facts, frame, type List, panel, tableOr } from '../view/parts.ts';
import { code, dump, recordAddress, when } from '../view/values.ts';
import {
  ALL_NAMES,
  findEventCall,
  presentActor,
  presentActorLink,
  aroundAddress,
  type EventRecord,
  findNamed,
  findSubject,
  quiet,
} from './event-lines.ts';
import type { DeliveryDetails } from './waits.ts';
import { renderEventDeliveries, resend } from './webhooks.ts';

const FILTERS: readonly Filter[] = [
  { name: 'events', label: 'Names, by commas', isWide: true, placeholder: 'user.created,session.created' },
  { name: 'organization_id', label: 'Organization id', placeholder: 'org_…' },
  { name: 'range_start', label: 'From (UTC)', placeholder: '2026-03-03T00:00:00Z' },
  { name: 'range_end', label: 'To (UTC)', placeholder: '2026-03-04T00:00:00Z' },
];

/** Seconds after which an event is in the list for certain. */
const HORIZON_SECONDS = 5;

const subject = (visit: Visit, event: EventRecord) => {
  const named = findNamed(visit, event);
  return named && quiet(visit, named.id, named.name);
};

const exportEvents = exportAct('events');

/** The events of the environment, the newest first, with a live tail. */
export const eventsPage = consolePage({
  path: 'e/{environment}/events',
  title: 'Events',
  permission: 'people.read',
  menu: { group: 'Activity', shortcut: 'e' },
  main: 'rows',
  acts: [exportEvents],
  calls: (visit) => ({
    rows: call<List<EventRecord>>(
      'events.list',
      {},
      { limit: 50, order: 'desc', events: ALL_NAMES, ...listQuery(visit, FILTERS, 'event') },
    ),
  }),
  view: ({ rows }, visit) => {
    const newest = rows.state === 'shown' ? rows.value.data[0]?.id : undefined;
    const filters = Object.fromEntries(
      FILTERS.slice(0, 2).map(({ name }) => [name, visit.query.get(name) ?? undefined]),
    );
    const tail = withQuery(addressIn(visit, 'events', 'tail.json'), filters);
    return html`${renderFilters(visit, FILTERS, 'event')}
      <div data-tail="${tail}" data-after="${newest ?? ''}">
        ${renderRows(
          visit,
          'Events',
          rows,
          [
            { title: 'Event', cell: (event) => html`<a href="${recordAddress(visit, event.id)}">${event.event}</a>` },
            { title: 'About', cell: (event) => subject(visit, event) },
            { title: 'Actor', cell: presentActor },
            { title: 'Time', look: 'when', cell: (event) => when(event.created_at) },
          ],
          'No event yet. Whatever changes in this environment appears here.',
        )}
      </div>
      ${renderExport(visit, exportEvents, Object.fromEntries(FILTERS.map(({ name }) => [name, visit.query.get(name)?.trim() ?? ''])))}`;
  },
});

/** New events for the live tail, the oldest first. */
export const tailPage = consolePage({
  path: 'e/{environment}/events/tail.json',
  title: 'New events',
  permission: 'people.read',
  main: 'rows',
  calls: ({ query }) => ({
    rows: call<List<EventRecord>>(
      'events.list',
      {},
      {
        limit: 50,
        order: 'asc',
        after: query.get('after') ?? '',
        events: query.get('events') ?? ALL_NAMES,
        organization_id: query.get('organization_id') ?? '',
      },
    ),
  }),
  view: () => html``,
  data: ({ rows }, visit) => ({
    behind: HORIZON_SECONDS,
    rows:
      rows.state !== 'shown'
        ? []
        : rows.value.data.map((event) => ({
            id: event.id,
            event: event.event,
            time: event.created_at,
            subject: findSubject(event) ?? '',
            actor: presentActor(event),
            address: recordAddress(visit, event.id),
          })),
  }),
});

/** One event: its data, what it changed, and its deliveries. */
export const eventPage = consolePage({
  path: 'e/{environment}/events/{id}',
  title: 'Event',
  permission: 'people.read',
  parent: 'e/{environment}/events',
  main: 'found',
  acts: [resend],
  calls: ({ params: { id = '' } }) => ({
    found: findEventCall(id),
    deliveries: call<List<DeliveryDetails>>('event_deliveries.list', { id }),
  }),
  heading: ({ found }, { params }) => {
    const event = found.state === 'shown' ? found.value.data.find(({ id }) => id === params.id) : undefined;
    return event && { title: event.event, lead: html`${code(event.id)}${when(event.created_at)}` };
  },
  view: ({ found, deliveries }, visit) => {
    const event = found.state === 'shown' ? found.value.data.find(({ id }) => id === visit.params.id) : undefined;
    if (event === undefined) {
      return frame(
        'Not found',
        html`<p class="pad">
          There is no such event, or its retention is over. Very new events appear after ${HORIZON_SECONDS} seconds.
        </p>`,
      );
    }
    const previous = event.context?.previous_attributes as Record<string, unknown> | null | undefined;
    const actor = event.context?.actor;
    return html`<div class="columns">
      <div>
        ${
          previous !== null &&
          previous !== undefined &&
          frame(
            'What changed',
            tableOr(
              'Changed members',
              [
                { title: 'Member', cell: ([name]: [string, unknown]) => html`<code>${name}</code>` },
                { title: 'Before', cell: ([, value]) => html`<code>${JSON.stringify(value)}</code>` },
                { title: 'After', cell: ([name]) => html`<code>${JSON.stringify(event.data[name])}</code>` },
              ],
              Object.entries(previous),
              'No member changed.',
            ),
          )
        }
        ${frame('Data', dump(event.data, 'Data of the event'))}
      </div>
      <div>
        ${frame(
          'Event',
          facts([
            ['Name', event.event],
            ['About', subject(visit, event)],
            ['Actor', presentActorLink(visit, event)],
            ['Source', actor?.source],
            ['Time', when(event.created_at)],
            ['Around', html`<a href="${aroundAddress(visit, event.created_at)}">Five minutes before and after</a>`],
          ]),
        )}
        ${panel('Webhook deliveries', deliveries, ({ data }) => renderEventDeliveries(visit, data))}
      </div>
    </div>`;
  },
});
