import { eventNames } from '../../../kernel/events/catalogue/names.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { type EventRecord, timeline } from '../activity/event-lines.ts';
import { call, consolePage } from '../page/declare.ts';
import { addressIn } from '../page/visit.ts';
import { empty, facts, type List, panel } from '../view/parts.ts';
import { code, state } from '../view/values.ts';
import { type Attention, renderAttention } from './attention.ts';

interface Endpoint {
  id: string;
  endpoint_url: string;
  status: string;
}

/** The first page of an environment: what needs attention, and what happened last. */
export const overviewPage = consolePage({
  path: 'e/{environment}',
  title: 'Overview',
  permission: undefined,
  menu: { group: '', shortcut: 'o' },
  calls: () => ({
    attention: call<List<Attention>>('environment.attention'),
    events: call<List<EventRecord>>('events.list', {}, { limit: 20, order: 'desc', events: eventNames.join(',') }),
    endpoints: call<List<Endpoint>>('webhook_endpoints.list', {}, { limit: 20 }),
  }),
  heading: (_, { environment }) => ({
    title: environment?.name ?? '',
    lead: html`${code(environment?.id)}${environment?.isProduction === true && state('Production', 'plain')}`,
  }),
  view: ({ attention, events, endpoints }, visit) =>
    html`<div class="columns">
      <div>
        ${panel('Needs attention', attention, (found) => renderAttention(visit, found))}
        ${panel(
          'Latest events',
          events,
          ({ data }) => timeline(visit, data, 'No event yet. Events appear here as soon as something changes.'),
          {
            more: html`<a href="${addressIn(visit, 'events')}">All events</a>`,
          },
        )}
      </div>
      <div>
        ${panel(
          'Webhook endpoints',
          endpoints,
          ({ data }) => renderEndpoints(data, (id) => addressIn(visit, 'webhooks', id)),
          {
            more: html`<a href="${addressIn(visit, 'webhooks')}">All endpoints</a>`,
          },
        )}
        ${panel(
          'This environment',
          { state: 'shown', value: visit.environment },
          (environment) =>
            html`${facts([
              ['Id', code(environment?.id)],
              ['Client id', code(environment?.id.replace(/^environment_/, 'client_'))],
              ['Kind', environment?.isProduction === true ? 'Production' : 'Not production'],
              ['Time of the service', `${new Date(visit.now).toISOString().slice(0, 19).replace('T', ' ')} UTC`],
            ])}`,
        )}
      </div>
    </div>`,
});

const renderEndpoints = (endpoints: readonly Endpoint[], address: (id: string) => string): Html =>
  endpoints.length === 0
    ? empty('No endpoint yet. POST /webhook_endpoints makes the first one.')
    : facts(
        endpoints.map(
          ({ id, endpoint_url: url, status }) => [html`<a href="${address(id)}">${url}</a>`, state(status)] as const,
        ),
      );
