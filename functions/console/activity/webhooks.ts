import { type Html, html } from '../../kernel/pages/html.ts';
import { bulkPages } from '../bulk/pages.ts';
import { listBulkActs, renderSelection, selectColumn } from '../bulk/select.ts';
import { renderAct } from '../page/act.ts';
import { changeAct, renderChange } from '../page/change.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { type Filter, listPage, listQuery, renderFilters, renderRows } from '../view/list-page.ts';
import { facts, type List, panel, tableOr } from '../view/parts.ts';
import { renderRemoval } from '../view/removal.ts';
import { code, record, small, state, tags, when } from '../view/values.ts';
import { createWebhook, endpointActs, renderWebhookCreation } from './endpoints.ts';

interface Endpoint {
  id: string;
  endpoint_url: string;
  status: string;
  events: string[];
  disabled_reason?: string | null;
  failing_since?: string | null;
  created_at: string;
  updated_at: string;
}

/** The endpoints of the environment. */
export const webhooksPage = listPage<Endpoint>({
  path: 'e/{environment}/webhooks',
  title: 'Webhooks',
  permission: 'config.read',
  menu: { group: 'Activity', shortcut: 'w' },
  operation: 'webhook_endpoints.list',
  acts: [createWebhook],
  above: renderWebhookCreation,
  columns: (visit) => [
    { title: 'Endpoint', cell: (each) => record(visit, each.id, each.endpoint_url) },
    { title: 'State', cell: (each) => state(each.status) },
    { title: 'Events', look: 'n', cell: (each) => each.events.length },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No endpoints yet. The form above or POST /webhook_endpoints makes the first one.',
});

interface Delivery {
  id: string;
  event_id: string;
  event: string;
  state: string;
  drop_reason?: string | null;
  attempt_count: number;
  next_attempt_at?: string | null;
  created_at: string;
  updated_at: string;
}

const FILTERS: readonly Filter[] = [
  { name: 'state', label: 'State', options: ['pending', 'succeeded', 'failed', 'dropped'] },
];

const change = changeAct({ operation: 'webhook_endpoints.update' });
const secretActs = endpointActs('webhook_endpoints');

/** One endpoint with its deliveries. */
export const webhookPage = consolePage({
  path: 'e/{environment}/webhooks/{id}',
  title: 'Endpoint',
  permission: 'config.read',
  parent: 'e/{environment}/webhooks',
  main: 'endpoint',
  acts: [change, ...secretActs.acts, secretActs.removal.act],
  calls: (visit) => ({
    endpoint: call<Endpoint>('webhook_endpoints.get', { id: visit.params.id }),
    deliveries: call<List<Delivery>>(
      'webhook_deliveries.list',
      { id: visit.params.id },
      { limit: 50, order: 'desc', ...listQuery(visit, FILTERS) },
    ),
  }),
  heading: ({ endpoint }) =>
    endpoint.state === 'shown'
      ? { title: endpoint.value.endpoint_url, lead: html`${state(endpoint.value.status)}${code(endpoint.value.id)}` }
      : undefined,
  view: ({ endpoint, deliveries }, visit) =>
    html`${panel('Endpoint', endpoint, (value) =>
      facts([
        ['Address', value.endpoint_url],
        ['State', state(value.status)],
        ['Disabled because', value.disabled_reason],
        ['Failing since', when(value.failing_since)],
        ['Events', tags(value.events)],
        ['Created', when(value.created_at)],
        ['Updated', when(value.updated_at)],
      ]),
    )}
    ${renderChange(visit, change, endpoint, 'Endpoint')}${renderFilters(visit, FILTERS)}
    ${renderRows(
      visit,
      'Deliveries',
      deliveries,
      [
        ...(listBulkActs(visit, [resend]).length === 0
          ? []
          : [selectColumn<Delivery>(({ event, id }) => ({ id, name: `${event} ${id}` }))]),
        { title: 'Delivery', cell: (each) => html`<a href="${deliveryAddress(visit, each.id)}">${each.event}</a>` },
        {
          title: 'State',
          cell: (each) => html`${state(each.state)}${small(each.drop_reason?.replaceAll('_', ' '))}`,
        },
        { title: 'Attempts', look: 'n', cell: (each) => each.attempt_count },
        { title: 'Next attempt', look: 'when', cell: (each) => when(each.next_attempt_at) },
        { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
      ],
      'Nothing was delivered yet.',
    )}
    ${renderSelection(visit, [resend])}${secretActs.render(visit, endpoint)}
    ${endpoint.state === 'shown' && renderRemoval(visit, secretActs.removal, endpoint.value)}`,
});

const deliveryAddress = (visit: Visit, id: string): string =>
  addressIn(visit, 'webhooks', visit.params.id ?? '', 'deliveries', id);

interface Attempt {
  number: number;
  started_at: string;
  duration_ms: number;
  status: number | null;
  error: string | null;
  response_body: string | null;
}

/** A period in which a delivery waited, in responses of the API. */
export interface Wait {
  reason: string;
  from: string;
  until: string | null;
  duration_ms: number | null;
}

/** The waits of a delivery with their reasons. */
export const renderWaits = (waits: readonly Wait[]): Html =>
  tableOr(
    'Waits',
    [
      { title: 'Reason', cell: (each) => each.reason.replaceAll('_', ' ') },
      { title: 'From', look: 'when', cell: (each) => when(each.from) },
      { title: 'Until', look: 'when', cell: (each) => when(each.until) },
      { title: 'Took', look: 'n', cell: (each) => each.duration_ms !== null && `${each.duration_ms} ms` },
    ],
    waits,
    'It did not wait.',
  );

const resend: Act = {
  name: 'resend',
  label: 'Send again',
  operation: 'webhook_deliveries.resend',
  call: ({ delivery }, { params }) =>
    call('webhook_deliveries.resend', { id: params.id, delivery_id: delivery ?? params.delivery }),
  done: 'The event is on its way to the endpoint again.',
  bulk: {
    record: 'webhook_delivery',
    plural: 'deliveries',
    effect: 'Sends the event of each delivery to the endpoint once more, with the same id.',
    field: 'delivery',
  },
};

/** One delivery with its attempts. */
export const deliveryPage = consolePage({
  path: 'e/{environment}/webhooks/{id}/deliveries/{delivery}',
  title: 'Delivery',
  permission: 'config.read',
  parent: 'e/{environment}/webhooks/{id}',
  main: 'delivery',
  acts: [resend],
  calls: ({ params: { id, delivery } }) => ({
    delivery: call<Delivery & { attempts: Attempt[] }>('webhook_deliveries.get', {
      id,
      delivery_id: delivery,
    }),
  }),
  then: ({ delivery }) => ({
    all: call<List<{ id: string; waits: Wait[] }>>('event_deliveries.list', {
      id: delivery.state === 'shown' ? delivery.value.event_id : '',
    }),
  }),
  heading: ({ delivery }) =>
    delivery.state === 'shown'
      ? { title: delivery.value.event, lead: html`${state(delivery.value.state)}${code(delivery.value.id)}` }
      : undefined,
  view: ({ delivery, all }, visit) =>
    html`<div class="columns">
      <div>
        ${panel('Attempts', delivery, ({ attempts }) =>
          tableOr(
            'Attempts',
            [
              { title: 'Attempt', cell: (each) => `${each.number}` },
              {
                title: 'Response',
                cell: (each) =>
                  html`${state(each.status === null ? 'no response' : String(each.status), each.status !== null && each.status < 300 ? 'good' : 'bad')}${small(each.error)}`,
              },
              {
                title: 'Body',
                cell: (each) => each.response_body && html`<code>${each.response_body.slice(0, 500)}</code>`,
              },
              { title: 'Took', look: 'n', cell: (each) => `${each.duration_ms} ms` },
              { title: 'Time', look: 'when', cell: (each) => when(each.started_at) },
            ],
            attempts,
            'No attempt yet.',
          ),
        )}
        ${panel('Why it waited', all, ({ data }) => renderWaits(data.find(({ id }) => id === visit.params.delivery)?.waits ?? []))}
      </div>
      <div>
        ${panel(
          'Delivery',
          delivery,
          (value) =>
            html`${facts([
                ['Event', record(visit, value.event_id, value.event)],
                ['Endpoint', record(visit, visit.params.id)],
                ['State', state(value.state)],
                ['Dropped because', value.drop_reason],
                ['Next attempt', when(value.next_attempt_at)],
                ['Created', when(value.created_at)],
              ])}
              <div class="pad actions">
                ${renderAct(visit, resend, { fields: {}, effect: 'Sends the event to the endpoint once more, with the same id.' })}
              </div>`,
        )}
      </div>
    </div>`,
});

/** The pages of acts on many deliveries of an endpoint. */
export const deliveryBulkPages = bulkPages({ ...webhookPage, permission: 'config.read', acts: [resend] });
