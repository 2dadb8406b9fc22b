import { type Html, html, type Part as Shown } from '../../../kernel/pages/html.ts';
import { initials } from '../page/layout.ts';
import { addressIn, type Visit } from '../page/visit.ts';

/** A time as `<time>` in UTC, which the script shows in the reader's zone. */
export function when(iso: string | null | undefined): Html | undefined {
  if (iso === null || iso === undefined || iso === '') return undefined;
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

/** A time within a sentence, which the script shows as a date in the reader's zone. */
export const moment = (iso: string): Html =>
  html`<time class="at" datetime="${iso}">${iso.slice(0, 19).replace('T', ' ')} UTC</time>`;

/** An id, which the script gives a copy button. */
export const code = (text: string | null | undefined): Html | undefined =>
  text === null || text === undefined || text === '' ? undefined : html`<code class="id">${text}</code>`;

type Look = 'good' | 'bad' | 'wait' | 'ask' | 'plain' | '';

/** The look of each state that records have. */
const LOOKS: Readonly<Record<string, Look>> = {
  active: 'good',
  enabled: 'good',
  succeeded: 'good',
  verified: 'good',
  legacy_verified: 'good',
  accepted: 'good',
  approved: 'good',
  linked: 'good',
  connected: 'good',
  completed: 'good',
  ready: 'good',
  valid: 'good',
  Allow: 'good',
  passed: 'good',
  pending: 'wait',
  draft: 'wait',
  validating: 'wait',
  applying: 'wait',
  uploading: 'wait',
  failed: 'bad',
  error: 'bad',
  invalid: 'bad',
  rejected: 'bad',
  Deny: 'bad',
  needs_reauthorization: 'bad',
  invalid_credentials: 'bad',
  dropped: 'bad',
};

/** A state as a label with its colour. */
export const state = (text: string | null | undefined, look?: Look): Html | undefined =>
  text === null || text === undefined || text === ''
    ? undefined
    : html`<span class="badge ${look ?? LOOKS[text] ?? ''}">${text.replaceAll('_', ' ')}</span>`;

/** Labels without a state, such as scopes. */
export const tags = (texts: readonly string[] | null | undefined): Html | undefined =>
  texts === null || texts === undefined || texts.length === 0
    ? undefined
    : html`<span class="tags">${texts.map((text) => html`<span class="badge plain">${text}</span>`)}</span>`;

/** A truth value in words. */
export const yesNo = (value: boolean | undefined): string | undefined =>
  value === undefined ? undefined : value ? 'Yes' : 'No';

/** The initials of a name in a circle. */
export const avatar = (name: string, isBig = false): Html =>
  html`<span class="avatar${isBig && ' big'}" aria-hidden="true">${initials(name)}</span>`;

/** The folders of records that have a page, by the prefix of their ids. */
const FOLDERS: Readonly<Record<string, string>> = {
  user: 'users',
  org: 'organizations',
  conn: 'connections',
  directory: 'directories',
  event: 'events',
  we: 'webhooks',
  conn_app: 'applications',
  agent_blueprint: 'agents',
  radar_att: 'radar',
  radar_auth_attempt: 'radar',
};

/** The address of the page of a record. @returns undefined if records of its kind have no page */
export function recordAddress(visit: Visit, id: string): string | undefined {
  const folder = FOLDERS[id.slice(0, Math.max(0, id.lastIndexOf('_')))];
  return folder === undefined ? undefined : addressIn(visit, folder, id);
}

/** A link to a record by its id, or the id if its kind has no page. */
export function record(visit: Visit, id: string | null | undefined, text?: string | null): Html | undefined {
  if (id === null || id === undefined || id === '') return undefined;
  const address = recordAddress(visit, id);
  if (address === undefined) return code(id);
  return text === undefined || text === null || text === ''
    ? html`<a class="mono" href="${address}">${id}</a>`
    : html`<a href="${address}">${text}</a>`;
}

/** The name of a person: the full name if there is one, otherwise the address. */
export const personName = (user: {
  first_name?: string | null;
  last_name?: string | null;
  email?: string | null;
}): string => [user.first_name, user.last_name].filter(Boolean).join(' ') || (user.email ?? 'Unnamed');

/** A duration in seconds, in the largest unit that divides it. */
export function duration(seconds: number | null | undefined): string | undefined {
  if (seconds === null || seconds === undefined) return undefined;
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const;
  const [length, unit] = units.find(([each]) => seconds >= each && seconds % each === 0) ?? [1, 'second'];
  const count = seconds / length;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** The units of a measured time, with the milliseconds of one. */
const MEASURES = [
  [86_400_000, 'days'],
  [3_600_000, 'hours'],
  [60_000, 'minutes'],
  [1_000, 'seconds'],
] as const;

/** A measured time in the largest unit of which it has at least two, such as 2.3 days; in milliseconds below two seconds. */
export function length(ms: number | null | undefined): string | undefined {
  if (ms === null || ms === undefined) return undefined;
  const [one, unit] = MEASURES.find(([each]) => ms >= 2 * each) ?? [1, 'ms'];
  return `${one === 1 ? Math.round(ms) : Math.round((ms / one) * 10) / 10} ${unit}`;
}

/** A quiet second line of a cell; nothing without text. */
export const small = (text: string | number | Html | null | undefined): Html | undefined =>
  text === null || text === undefined || text === '' ? undefined : html`<small>${text}</small>`;

/** JSON in lines. */
export const dump = (value: unknown, label: string): Html =>
  html`<pre tabindex="0" aria-label="${label}"><code>${JSON.stringify(value, null, 2)}</code></pre>`;

/** Reports whether a value is shown as nothing. */
export const isBlank = (value: Shown | null): boolean =>
  value === undefined || value === false || value === null || value === '';
