import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Visit } from '../page/visit.ts';
import { tableOr } from '../view/parts.ts';
import { length, moment, small, state, when } from '../view/values.ts';

/** A POST to an endpoint, in responses of the API. */
export interface Attempt {
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
  attempt: number;
  from: string;
  until: string | null;
  duration_ms: number | null;
}

/** A delivery of an event to an endpoint, in responses of the API. */
export interface Delivery {
  id: string;
  event_id: string;
  event: string;
  webhook_endpoint_id: string;
  state: string;
  subject_id?: string | null;
  drop_reason?: string | null;
  attempt_count: number;
  next_attempt_at?: string | null;
  created_at: string;
}

/** A delivery with its attempts and waits, in responses of the API. */
export interface DeliveryDetails extends Delivery {
  attempts: Attempt[];
  waits: Wait[];
}

/** The reasons of waits in words. */
const WAITS: Readonly<Record<string, string>> = {
  relay: 'On its way from the event to the endpoint',
  schedule: 'An attempt failed: the schedule of retries waited',
  retry_after: 'The endpoint asked to be called later (Retry-After)',
  circuit: 'The endpoint was failing: all of its deliveries waited',
  slow_endpoint: 'The endpoint was slow: its attempts were spread out',
  disabled: 'The endpoint was disabled',
  resent: 'Nothing was sent until it was sent again by request',
  queue: 'In the queue, when the wait was over',
};

const DROPS: Readonly<Record<string, string>> = {
  endpoint_disabled: 'The endpoint was disabled, so no attempt follows. Enable it, and send the event again.',
  endpoint_deleted: 'The endpoint was deleted, so no attempt follows.',
  event_gone: 'The event is past its retention, so it cannot be sent.',
};

/** The reason why a delivery is attempted no more, in a sentence. */
export const explainDrop = (reason: string | null | undefined): string | undefined =>
  reason === null || reason === undefined ? undefined : (DROPS[reason] ?? reason.replaceAll('_', ' '));

/** The waits of a delivery with their reasons. */
export const renderWaits = (waits: readonly Wait[]): Html =>
  tableOr(
    'Waits',
    [
      { title: 'Reason', cell: (each) => WAITS[each.reason] ?? each.reason.replaceAll('_', ' ') },
      { title: 'Before attempt', look: 'n', cell: (each) => each.attempt },
      { title: 'From', look: 'when', cell: (each) => when(each.from) },
      { title: 'Until', look: 'when', cell: (each) => when(each.until) },
      { title: 'Took', look: 'n', cell: (each) => length(each.duration_ms) },
    ],
    waits,
    'It did not wait.',
  );

/** The numbers of the attempts that an operator or the back end asked for. */
const findManual = (waits: readonly Wait[]): ReadonlySet<number> =>
  new Set(waits.filter(({ reason }) => reason === 'resent').map(({ attempt }) => attempt));

/** The attempts of a delivery, each with whether it was made by request. */
export function renderAttempts({ attempts, waits }: DeliveryDetails): Html {
  const manual = findManual(waits);
  return tableOr(
    'Attempts',
    [
      {
        title: 'Attempt',
        cell: (each) => html`${each.number}${small(manual.has(each.number) ? 'sent again by request' : 'automatic')}`,
      },
      {
        title: 'Response',
        cell: (each) =>
          html`${state(each.status === null ? 'no response' : String(each.status), each.status !== null && each.status < 300 ? 'good' : 'bad')}${small(each.error?.replaceAll('_', ' '))}`,
      },
      { title: 'Body', cell: (each) => each.response_body && html`<code>${each.response_body.slice(0, 500)}</code>` },
      { title: 'Took', look: 'n', cell: (each) => length(each.duration_ms) },
      { title: 'Time', look: 'when', cell: (each) => when(each.started_at) },
    ],
    attempts,
    'No attempt yet.',
  );
}

/** Times that the page asks by itself whether a delivery that was sent again has arrived, twice a second at most. */
const MOST_LOOKS = 12;

/** The result of sending a delivery again, for the page that follows; the script repeats the page until there is one. */
export function renderResent({ query }: Visit, { attempts, waits, next_attempt_at: next }: DeliveryDetails): Html {
  const asked = Math.max(0, ...findManual(waits));
  const attempt = attempts.find(({ number }) => number === asked) ?? (asked === 0 ? attempts.at(-1) : undefined);
  if (attempt === undefined) {
    const looks = Number(query.get('look') ?? '0') + 1;
    return html`<form class="notice" method="get" role="status" ${looks < MOST_LOOKS && html`data-continue`}>
      <input type="hidden" name="done" value="resend" /><input type="hidden" name="look" value="${looks}" /> There is no
      response yet. <button class="button" type="submit">Look again</button>
    </form>`;
  }
  const { status, error } = attempt;
  if (status !== null && status < 300)
    return html`<p class="notice" role="status">It arrived: the endpoint responded with ${status}.</p>`;
  return html`<p class="alert" role="alert">
    It did not arrive: the endpoint
    ${status === null ? html`did not respond (${error?.replaceAll('_', ' ')})` : html`responded with ${status}`}.
    ${next !== null && next !== undefined && html`The next attempt is at ${moment(next)}.`}
  </p>`;
}

/** The state of a delivery, with the reason why no attempt follows. */
export const renderState = (delivery: Delivery): Html =>
  html`${state(delivery.state)}${small(explainDrop(delivery.drop_reason))}`;
