import { awaitAll } from '../../../kernel/concurrency.ts';
import { DAY_MS } from '../../../kernel/durations.ts';
import { clock } from '../../../kernel/clock.ts';
import { submit } from '../../../kernel/pages/form.ts';
import { html } from '../../../kernel/pages/html.ts';
import { FormRejection, portalPage, type PortalPage, type Sent } from '../page/page-operations.ts';
import { portalForm, stateMark } from '../page/render.ts';
import { apiPath } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';

interface Export {
  id: string;
  state: 'pending' | 'ready' | 'error' | 'expired';
  url?: string | null;
}

const dayAt = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** Parses a day in the form to its start in UTC; undefined for any other text. */
const readDay = (text = ''): number | undefined => {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

function renderExport({ translate }: Visit, { state, url }: Export) {
  if (state === 'ready' && url) {
    return html`<p role="status">${stateMark(translate('audit.ready'), 'good')}</p>
      <div class="stack"><a class="button" href="${url}" download>${translate('audit.download')}</a></div>`;
  }
  if (state === 'pending') return html`<p role="status">${stateMark(translate('audit.pending'))}</p>`;
  return html`<p role="status">${stateMark(translate('audit.failed'), 'bad')}</p>`;
}

const dayField = ({ translate }: Visit, name: 'from' | 'to', value: string) =>
  html`<div class="field">
    <label for="${name}">${translate(`audit.${name}`)}</label>
    <input id="${name}" name="${name}" type="date" value="${value}" required />
  </div>`;

interface ListedExport extends Export {
  range_start: string;
  range_end: string;
}

const STATES = {
  ready: 'audit.ready',
  pending: 'audit.pending',
  error: 'audit.failed',
  expired: 'audit.failed',
} as const;

/** The earlier exports, with a link to each that can be downloaded. */
function renderEarlier({ translate, path }: Visit, listed: readonly ListedExport[]) {
  if (listed.length === 0) return html``;
  return html`<h2>${translate('audit.earlier')}</h2>
    <ul class="records">
      ${listed.map(({ id, state, range_start: start, range_end: end }) => {
        const range = translate('audit.days', { from: start.slice(0, 10), to: dayAt(Date.parse(end) - 1) });
        const page = path(`audit_logs?export=${encodeURIComponent(id)}`);
        return html`<li class="row">
          ${state === 'ready' || state === 'pending' ? html`<a href="${page}">${range}</a>` : html`<span>${range}</span>`}
          ${stateMark(translate(STATES[state]), state === 'ready' ? 'good' : '')}
        </li>`;
      })}
    </ul>`;
}

async function show(visit: Visit, sent: Sent = {}) {
  const { translate, query, api, session } = visit;
  const id = query.get('export');
  const list = `/x/audit_logs/exports?limit=20&organization_id=${encodeURIComponent(session.organizationId)}`;
  const [made, { data: listed }] = await awaitAll([
    id === null ? undefined : api<Export>('GET', apiPath`/audit_logs/exports/${id}`),
    api<{ data: ListedExport[] }>('GET', list),
  ]);
  return {
    title: translate('intent.audit_logs'),
    lead: translate('audit.lead'),
    reloadSeconds: made?.state === 'pending' ? 3 : undefined,
    body: html`${made && renderExport(visit, made)}
    ${portalForm(
      visit,
      'audit_logs',
      html`<div class="pair">
          ${dayField(visit, 'from', sent.from ?? dayAt(clock.now() - 30 * DAY_MS))}
          ${dayField(visit, 'to', sent.to ?? dayAt(clock.now()))}
        </div>
        ${submit(translate('audit.export'))}`,
    )}
    ${renderEarlier(
      visit,
      listed.filter((each) => each.id !== id),
    )}`,
  };
}

export const auditLogPage: PortalPage = {
  name: 'audit_logs',
  path: 'audit_logs',
  summary: 'Exports of the organization’s audit logs',
  intents: ['audit_logs'],
  show,
  async act({ api, session, path, translate }, sent) {
    const [from, to] = [readDay(sent.from), readDay(sent.to)];
    if (from === undefined || to === undefined || to < from) throw new FormRejection(translate('audit.range'));
    const { id } = await api<Export>('POST', '/audit_logs/exports', {
      organization_id: session.organizationId,
      range_start: new Date(from).toISOString(),
      // The range includes the last day.
      range_end: new Date(to + DAY_MS).toISOString(),
    });
    return { to: path(`audit_logs?export=${encodeURIComponent(id)}`) };
  },
};

export const auditLogPageOperations = portalPage(auditLogPage);
