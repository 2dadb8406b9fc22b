import { type Html, html } from '../../kernel/pages/html.ts';
import { addressIn, type Visit, withQuery } from '../page/visit.ts';
import { empty } from '../view/parts.ts';
import { record, recordAddress, when } from '../view/values.ts';

/** An event in responses of the API. */
export interface EventRecord {
  id: string;
  event: string;
  created_at: string;
  data: Record<string, unknown>;
  context?: {
    actor?: { id?: string; name?: string | null; source?: string } | null;
    previous_attributes?: unknown;
  } | null;
}

/** The milliseconds before and after an event that "around" shows. */
const AROUND_MS = 300_000;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The record that an event is about: its own id, or the user or organization that it names. */
export const findSubject = ({ data }: EventRecord): string | undefined =>
  text(data.id) ?? text(data.user_id) ?? text(data.organization_id) ?? text(data.email);

/** The name of the actor of an event. */
export const presentActor = ({ context }: EventRecord): string => {
  const actor = context?.actor;
  return text(actor?.name) ?? text(actor?.id) ?? text(actor?.source) ?? '';
};

/** The address of the events five minutes before and after a time. */
export function aroundAddress(visit: Visit, iso: string): string {
  const time = Date.parse(iso);
  return withQuery(addressIn(visit, 'events'), {
    range_start: new Date(time - AROUND_MS).toISOString(),
    range_end: new Date(time + AROUND_MS).toISOString(),
  });
}

const findLook = (name: string): string =>
  /failed|revoked|deleted|denied|disabled|blocked/.test(name)
    ? 'bad'
    : /succeeded|created|verified/.test(name)
      ? 'good'
      : '';

/** A record in a line of a timeline: a link, or its id without a copy button. */
const quiet = (visit: Visit, id: string, name?: string | null): Html =>
  recordAddress(visit, id) === undefined ? html`<code>${name ?? id}</code>` : html`${record(visit, id, name)}`;

/** The actor of an event: a link to a user of the environment, otherwise the name. An operator is no user of the environment. */
export function presentActorLink(visit: Visit, event: EventRecord): Html {
  const { id, name, source } = event.context?.actor ?? {};
  if (id === undefined || source === 'dashboard') return html`${presentActor(event)}`;
  return quiet(visit, id, name);
}

/** Events as a timeline: each line leads to the event, its record, its actor and the ten minutes around it. */
export const timeline = (visit: Visit, events: readonly EventRecord[], none: string): Html =>
  events.length === 0
    ? empty(none)
    : html`<ol class="timeline">
        ${events.map((event) => {
          const subject = findSubject(event);
          const actorId = event.context?.actor?.id;
          const method = text(event.data.type);
          const error = (event.data.error as { message?: unknown } | undefined)?.message;
          const isElsewhere = subject !== undefined && subject !== visit.params.id;
          return html`<li class="${findLook(event.event)}">
            <a href="${recordAddress(visit, event.id)}">${event.event}</a>
            <a href="${aroundAddress(visit, event.created_at)}" aria-label="Events around ${event.created_at}"
              >${when(event.created_at)}</a
            >
            <small
              >${isElsewhere && quiet(visit, subject)}${
                actorId !== undefined && actorId !== subject && html` by ${presentActorLink(visit, event)}`
              }${[method, text(event.data.ip_address), text(error)].filter((each) => each !== undefined).map((each) => html` · ${each}`)}</small
            >
          </li>`;
        })}
      </ol>`;
