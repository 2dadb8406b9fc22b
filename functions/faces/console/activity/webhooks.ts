import { type Html, html } from '../../../kernel/pages/html.ts';
import { bulkPages } from '../bulk/pages.ts';
import { listBulkActs, renderSelection, selectColumn } from '../bulk/select.ts';
import { renderAct } from '../page/act.ts';
import { changeAct, renderChange } from '../page/change.ts';
import { type Act, call, consolePage, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { type Filter, listPage, listQuery, renderFilters, renderRows } from '../view/list-page.ts';
import { facts, type List, panel, tableOr } from '../view/parts.ts';
import { renderRemoval } from '../view/removal.ts';
import { code, record, small, state, tags, when } from '../view/values.ts';
import type { Attention } from '../start/attention.ts';
import { createWebhook, endpointActs, renderWebhookCreation } from './endpoints.ts';
import { type EventRecord, findEventCall, findNamed, quiet } from './event-lines.ts';
import {
  type Delivery,
  type DeliveryDetails,
  explainDrop,
  renderAttempts,
  renderResent,
  renderState,
  renderWaits,
} from './waits.ts';

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

/** The condition of an endpoint that fails; its time is that of the first failed attempt since the last success. */
const findFailing = (part: Part<unknown> | undefined, id: string): Attention | undefined =>
  part?.state === 'shown'
    ? (part.value as List<Attention>).data.find((each) => each.id === id && each.kind === 'webhook_endpoint_failing')
    : undefined;

/** The status of an endpoint, which is not a good one while its deliveries fail. */
const renderStatus = (status: string, isFailing: boolean): Html =>
  isFailing ? html`${state(status, 'plain')} ${state('failing', 'bad')}` : html`${state(status)}`;

/** The status of an endpoint in a list, with the time since which it fails. */
const renderEndpointState = ({ status }: Endpoint, failing: Attention | undefined): Html =>
  html`${renderStatus(status, failing !== undefined)}${failing && small(html`since ${when(failing.time)}`)}`;

/** The endpoints of the environment. */
export const webhooksPage = listPage<Endpoint>({
  path: 'e/{environment}/webhooks',
  title: 'Webhooks',
  permission: 'config.read',
  menu: { group: 'Activity', shortcut: 'w' },
  operation: 'webhook_endpoints.list',
  acts: [createWebhook],
  above: renderWebhookCreation,
  also: { attention: call<List<Attention>>('environment.attention') },
  columns: (visit, { attention }) => [
    { title: 'Endpoint', cell: (each) => record(visit, each.id, each.endpoint_url) },
    { title: 'State', cell: (each) => renderEndpointState(each, findFailing(attention, each.id)) },
    { title: 'Events', look: 'n', cell: (each) => each.events.length },
    { title: 'Id', cell: (each) => code(each.id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No endpoints yet. The form above or POST /webhook_endpoints makes the first one.',
});

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
      ? { title: endpoint.value.endpoint_url, lead: html`${renderOwnStatus(endpoint.value)}${code(endpoint.value.id)}` }
      : undefined,
  view: ({ endpoint, deliveries }, visit) =>
    html`${panel('Endpoint', endpoint, (value) =>
      facts([
        ['Address', value.endpoint_url],
        ['State', renderOwnStatus(value)],
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
        { title: 'Delivery', cell: (each) => html`<a href="${deliveryAddress(visit, each)}">${each.event}</a>` },
        { title: 'About', cell: (each) => record(visit, each.subject_id) },
        { title: 'State', cell: renderState },
        { title: 'Attempts', look: 'n', cell: (each) => each.attempt_count },
        { title: 'Next attempt', look: 'when', cell: (each) => when(each.next_attempt_at) },
        { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
      ],
      'Nothing was delivered yet.',
    )}
    ${renderSelection(visit, [resend])}${secretActs.render(visit, endpoint)}
    ${endpoint.state === 'shown' && renderRemoval(visit, secretActs.removal, endpoint.value)}`,
});

const renderOwnStatus = ({ status, failing_since: since }: Endpoint): Html =>
  renderStatus(status, typeof since === 'string');

const deliveryAddress = (visit: Visit, { webhook_endpoint_id: endpoint, id }: Delivery): string =>
  addressIn(visit, 'webhooks', endpoint, 'deliveries', id);

export const resend: Act = {
  name: 'resend',
  label: 'Send again',
  operation: 'webhook_deliveries.resend',
  call: ({ delivery, endpoint }, { params }) =>
    call('webhook_deliveries.resend', { id: endpoint ?? params.id, delivery_id: delivery ?? params.delivery }),
  done: 'The event is sent to the endpoint again.',
  next: (visit, body) => deliveryAddress(visit, body as Delivery),
  reasonHint: 'Ticket 4711: the endpoint was down',
  bulk: {
    record: 'webhook_delivery',
    plural: 'deliveries',
    effect: 'Sends the event of each delivery to the endpoint once more, with the same id.',
    field: 'delivery',
  },
};

/** The form that sends a delivery again. */
const renderResend = (
  visit: Visit,
  { id, webhook_endpoint_id: endpoint }: DeliveryDetails,
  of?: string,
): Html | undefined =>
  renderAct(visit, resend, {
    fields: { delivery: id, endpoint },
    effect: 'Sends the event to the endpoint once more, with the same id. The next page says whether it arrived.',
    ...(of !== undefined && { of }),
  });

/** The deliveries of an event on its page, each with the form that sends it again. */
export const renderEventDeliveries = (visit: Visit, deliveries: readonly DeliveryDetails[]): Html =>
  tableOr(
    'Deliveries',
    [
      {
        title: 'Delivery',
        cell: (each) =>
          html`<a href="${deliveryAddress(visit, each)}">Open the delivery</a
            >${small(html`to ${record(visit, each.webhook_endpoint_id)}`)}`,
      },
      { title: 'State', cell: renderState },
      { title: 'Attempts', look: 'n', cell: (each) => each.attempt_count },
      { title: 'Change', cell: (each) => renderResend(visit, each, each.webhook_endpoint_id) },
    ],
    deliveries,
    'No endpoint subscribed to this event.',
  );

/** The record that a delivery is about, by its event, if that is kept. */
function findAbout(visit: Visit, events: Part<List<EventRecord>>, { event_id: id }: Delivery) {
  const event = events.state === 'shown' ? events.value.data.find((each) => each.id === id) : undefined;
  return event && findNamed(visit, event);
}

/** One delivery with its attempts. */
export const deliveryPage = consolePage({
  path: 'e/{environment}/webhooks/{id}/deliveries/{delivery}',
  title: 'Delivery',
  permission: 'config.read',
  parent: 'e/{environment}/webhooks/{id}',
  main: 'delivery',
  acts: [resend],
  calls: ({ params: { id, delivery = '' } }) => ({
    delivery: call<DeliveryDetails>('webhook_deliveries.get', { id, delivery_id: delivery }),
    endpoint: call<Endpoint>('webhook_endpoints.get', { id }),
    // A delivery has the ULID of its event.
    events: findEventCall(delivery.replace(/^webhook_delivery_/, 'event_')),
  }),
  heading: ({ delivery, events }, visit) => {
    if (delivery.state !== 'shown') return undefined;
    const { value } = delivery;
    const about = findAbout(visit, events, value);
    const subject = about?.name ?? about?.id ?? value.subject_id;
    return {
      title: typeof subject === 'string' ? `${value.event}: ${subject}` : value.event,
      lead: html`${state(value.state)}${code(value.id)}`,
    };
  },
  view: ({ delivery, endpoint, events }, visit) =>
    html`${visit.query.get('done') === resend.name && delivery.state === 'shown' && renderResent(visit, delivery.value)}
      <div class="columns">
        <div>
          ${panel('Attempts', delivery, renderAttempts)}
          ${panel('Why it waited', delivery, ({ waits }) => renderWaits(waits))}
        </div>
        <div>
          ${panel('Delivery', delivery, (value) => {
            const about = findAbout(visit, events, value);
            return html`${facts([
                ['Event', record(visit, value.event_id, value.event)],
                ['About', about === undefined ? record(visit, value.subject_id) : quiet(visit, about.id, about.name)],
                [
                  'Endpoint',
                  record(visit, visit.params.id, endpoint.state === 'shown' ? endpoint.value.endpoint_url : undefined),
                ],
                ['State', state(value.state)],
                ['Why no attempt follows', explainDrop(value.drop_reason)],
                ['Next attempt', when(value.next_attempt_at)],
                ['Created', when(value.created_at)],
              ])}
              <div class="pad actions">${renderResend(visit, value)}</div>`;
          })}
        </div>
      </div>`,
});

/** The pages of acts on many deliveries of an endpoint. */
export const deliveryBulkPages = bulkPages({ ...webhookPage, permission: 'config.read', acts: [resend] });
