import { eventNames } from '../../../kernel/events/catalogue/names.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { call, type DeclaredCall } from '../page/declare.ts';
import { addressIn, type Visit, withQuery } from '../page/visit.ts';
import { empty, type List } from '../view/parts.ts';
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

/** The API lists the events whose names are given. */
export const ALL_NAMES = eventNames.join(',');

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The id directly before an id, as the cursor after which the record is the first one. */
export function cursorBefore(id: string): string {
  const characters = [...id];
  for (let at = characters.length - 1; at >= 0; at -= 1) {
    const place = ALPHABET.indexOf(characters[at] ?? '');
    if (place < 0) return id;
    characters[at] = ALPHABET.charAt(place === 0 ? ALPHABET.length - 1 : place - 1);
    if (place > 0) break;
  }
  return characters.join('');
}

/** The call that reads one event, as a list of at most one; it may be the event after it if it does not exist. */
export const findEventCall = (id: string): DeclaredCall<List<EventRecord>> =>
  call('events.list', {}, { limit: 1, order: 'asc', events: ALL_NAMES, after: cursorBefore(id) });

/** The milliseconds before and after an event that "around" shows. */
const AROUND_MS = 300_000;

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** A record that an event names. */
interface Subject {
  id: string;
  name?: string | undefined;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** The records that an event names, the one that it is about first: its own record, its user, its organization. */
function findSubjects({ data }: EventRecord): Subject[] {
  const user = isRecord(data.user) ? data.user : {};
  const email = text(data.email);
  return [
    { id: text(data.id), name: email ?? text(data.name) ?? text(data.slug) ?? text(data.domain) },
    { id: text(data.user_id) ?? text(user.id), name: email ?? text(user.email) },
    { id: text(data.group_id) },
    { id: text(data.organization_id), name: text(data.organization_name) },
  ].filter((subject): subject is Subject => subject.id !== undefined);
}

/** The record that an event is about, as text: its id, or the address of a person without a record. */
export const findSubject = (event: EventRecord): string | undefined =>
  findSubjects(event)[0]?.id ?? text(event.data.email);

/**
 * The record that a line of a page shows: the first one that has a name or a page of its own, because they say more than the id of a
 * session or membership. The record of the page itself is left out.
 */
export function findNamed(visit: Visit, event: EventRecord): Subject | undefined {
  const subjects = findSubjects(event);
  const others = subjects.filter(({ id }) => id !== visit.params.id);
  const email = subjects.length === 0 ? text(event.data.email) : undefined;
  return (
    others.find(({ id, name }) => name !== undefined || recordAddress(visit, id) !== undefined) ??
    others[0] ??
    (email === undefined ? undefined : { id: email })
  );
}

/** The name of the actor of an event. */
export const presentActor = ({ context }: EventRecord): string => {
  const actor = context?.actor;
  const name = text(actor?.name);
  if (name !== undefined && actor?.id?.startsWith('api_key_') === true) return `API key “${name}”`;
  return name ?? text(actor?.id) ?? text(actor?.source) ?? '';
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

/** A record in a line: a link, or without a page its name, or its id without a copy button. */
export const quiet = (visit: Visit, id: string, name?: string | null): Html =>
  recordAddress(visit, id) === undefined
    ? name === undefined || name === null
      ? html`<code>${id}</code>`
      : html`${name}`
    : html`${record(visit, id, name)}`;

/** The actor of an event: a link to a user of the environment, otherwise the name. An operator is no user of the environment. */
export function presentActorLink(visit: Visit, event: EventRecord): Html {
  const { id, name, source } = event.context?.actor ?? {};
  if (id === undefined || source === 'dashboard' || id.startsWith('api_key_')) return html`${presentActor(event)}`;
  return quiet(visit, id, name);
}

/** Events as a timeline: each line leads to the event, its record, its actor and the ten minutes around it. */
export const timeline = (visit: Visit, events: readonly EventRecord[], none: string): Html =>
  events.length === 0
    ? empty(none)
    : html`<ol class="timeline">
        ${events.map((event) => {
          const subject = findNamed(visit, event);
          const actorId = event.context?.actor?.id;
          const method = text(event.data.type);
          const error = (event.data.error as { message?: unknown } | undefined)?.message;
          return html`<li class="${findLook(event.event)}">
            <a href="${recordAddress(visit, event.id)}">${event.event}</a>
            <a href="${aroundAddress(visit, event.created_at)}"
              >${when(event.created_at)}<span class="skip">, events around it</span></a
            >
            <small
              >${subject !== undefined && quiet(visit, subject.id, subject.name)}${
                actorId !== undefined && actorId !== subject?.id && html` by ${presentActorLink(visit, event)}`
              }${[method, text(event.data.ip_address), text(error)].filter((each) => each !== undefined).map((each) => html` · ${each}`)}</small
            >
          </li>`;
        })}
      </ol>`;
