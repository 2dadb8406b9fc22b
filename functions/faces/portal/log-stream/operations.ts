import { formatDateTime } from '../../../kernel/locale.ts';
import { field } from '../../../kernel/pages/fields.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { type Outcome, portalPage, type PortalPage, type Sent } from '../page/page-operations.ts';
import { copyableFacts, portalForm, stateMark } from '../page/render.ts';
import { ApiRejection, apiPath } from '../session/api.ts';
import { missingPage, type Visit } from '../session/visit.ts';
import type { PortalWord } from '../words/en.ts';

interface Stream {
  type: string;
  state: 'active' | 'inactive' | 'error' | 'invalid';
  destination: string;
  last_synced_at: string | null;
  last_error: string | null;
  secret?: string;
}

/** The fields for each kind of receiver: their name, their label, and whether they contain a secret. */
const TYPES = {
  GenericHttps: { name: 'HTTPS', fields: [['url', 'streams.url']] },
  Datadog: {
    name: 'Datadog',
    fields: [
      ['url', 'streams.url'],
      ['api_key', 'streams.api_key', true],
    ],
  },
  Splunk: {
    name: 'Splunk',
    fields: [
      ['url', 'streams.url'],
      ['token', 'streams.token', true],
    ],
  },
  S3: {
    name: 'Amazon S3',
    fields: [
      ['bucket', 'streams.bucket'],
      ['region', 'streams.region'],
      ['prefix', 'streams.prefix'],
      ['access_key_id', 'streams.access_key_id'],
      ['secret_access_key', 'streams.secret_access_key', true],
    ],
  },
} as const satisfies Record<
  string,
  { name: string; fields: readonly (readonly [string, PortalWord, true] | readonly [string, PortalWord])[] }
>;

type Type = keyof typeof TYPES;

const streamPath = ({ session }: Visit): string => apiPath`/x/organizations/${session.organizationId}/audit_log_stream`;

/** The stream of the organization; undefined if it has none. */
async function findStream(visit: Visit): Promise<Stream | undefined> {
  return visit.api<Stream>('GET', streamPath(visit)).catch((error: unknown) => {
    if (error instanceof ApiRejection && error.status === 404) return undefined;
    throw error;
  });
}

function renderStream(visit: Visit, stream: Stream) {
  const { translate, locale } = visit;
  const { destination, state, last_synced_at: syncedAt, last_error: lastError } = stream;
  return html`<ul class="records">
    <li>
      <div class="row">
        <strong>${destination}</strong>
        ${
          state === 'active'
            ? stateMark(translate('state.active'), 'good')
            : stateMark(translate(state === 'inactive' ? 'state.inactive' : 'streams.failing'), 'bad')
        }
      </div>
      ${syncedAt !== null && html`<p class="hint">${translate('streams.synced', { time: formatDateTime(locale, syncedAt) })}</p>`}
      ${lastError !== null && html`<p class="hint" lang="en">${lastError}</p>`}
      ${portalForm(
        visit,
        'log_stream',
        html`<button class="button quiet" type="submit" name="do" value="delete">
          ${translate('streams.delete')}
        </button>`,
      )}
    </li>
  </ul>`;
}

/** @param secret The signing secret of a new stream, which only this response shows */
async function render(visit: Visit, sent: Sent, secret?: string) {
  const { translate, path, query, surroundings } = visit;
  const stream = await findStream(visit);
  const asked = sent.type ?? query.get('type') ?? stream?.type ?? '';
  const type: Type = Object.hasOwn(TYPES, asked) ? (asked as Type) : 'GenericHttps';
  return {
    title: translate('intent.log_streams'),
    lead: translate('streams.lead'),
    notice: query.get('done') === 'saved' ? translate('form.saved') : undefined,
    body: html`${
        secret !== undefined &&
        html`<div class="notice" role="status">${translate('streams.secret_once')}</div>
          ${copyableFacts(visit, [[translate('streams.secret'), secret]])}`
      }
      ${stream && renderStream(visit, stream)}
      <ul class="tabs">
        ${Object.entries(TYPES).map(
          ([key, { name }]) =>
            html`<li>
              ${key === type ? html`<b aria-current="true">${name}</b>` : html`<a href="${path(`log_stream?type=${key}`)}">${name}</a>`}
            </li>`,
        )}
      </ul>
      ${portalForm(
        visit,
        'log_stream',
        html`<input type="hidden" name="do" value="save" /><input type="hidden" name="type" value="${type}" /> ${TYPES[
            type
          ].fields.map(([name, label, isSecret]) =>
            field(
              {
                name,
                label: translate(label),
                type: isSecret === true ? 'password' : 'text',
                autocomplete: 'off',
                optional: name === 'prefix',
                value: isSecret === true ? '' : (sent[name] ?? ''),
                maxLength: 2_048,
              },
              surroundings.language,
            ),
          )}
          ${submit(translate('streams.save'))}`,
      )}`,
  };
}

async function act(visit: Visit, sent: Sent): Promise<Outcome> {
  const { api, path } = visit;
  const saved = { to: path('log_stream?done=saved') };
  if (sent.do === 'delete') {
    await api('DELETE', streamPath(visit));
    return saved;
  }
  const { type = '' } = sent;
  if (sent.do !== 'save' || !Object.hasOwn(TYPES, type)) throw missingPage(visit);
  const fields = TYPES[type as Type].fields.flatMap(([name]): [string, string][] => {
    const value = sent[name] ?? '';
    return value === '' ? [] : [[name, value]];
  });
  const { secret } = await api<Stream>('PUT', streamPath(visit), { type, ...Object.fromEntries(fields) });
  return secret === undefined ? saved : { content: await render(visit, {}, secret) };
}

export const logStreamPage: PortalPage = {
  name: 'log_stream',
  path: 'log_stream',
  summary: 'The receiver to which the organization’s audit logs are sent',
  intents: ['log_streams'],
  show: (visit, sent = {}) => render(visit, sent),
  act,
};

export const logStreamPageOperations = portalPage(logStreamPage);
