import { html } from '../../../kernel/pages/html.ts';
import { exportAct, renderExport } from '../exports/act.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { type Filter, listQuery, readFilters, renderFilters, renderRows } from '../view/list-page.ts';
import { facts, frame, type List, panel, tableOr } from '../view/parts.ts';
import { code, dump, small, state, when } from '../view/values.ts';
import { type Organization, organizationHeading, organizationTabs } from './heading.ts';

interface RecordedEvent {
  id: string;
  action: string;
  actor: { id: string; type: string; name?: string };
  targets: { id: string; type: string; name?: string }[];
  context: { location: string; user_agent?: string };
  metadata: Record<string, unknown>;
  occurred_at: string;
}

interface Export {
  id: string;
  state: string;
  url?: string | null;
  range_start?: string;
  range_end?: string;
  created_at: string;
}

const FILTERS: readonly Filter[] = [
  { name: 'action', label: 'Action', placeholder: 'user.signed_in' },
  { name: 'actor_id', label: 'Actor id' },
  { name: 'target', label: 'Type or id of a target' },
  { name: 'range_start', label: 'From (UTC)', placeholder: '2026-03-03T00:00:00Z' },
  { name: 'range_end', label: 'To (UTC)', placeholder: '2026-03-04T00:00:00Z' },
];

const createExport: Act = {
  name: 'create-export',
  label: 'Export with a proof',
  operation: 'audit_logs.create_export',
  call: ({ from = '', to = '' }, { params: { id } }) =>
    call(
      'audit_logs.create_export',
      {},
      {},
      { organization_id: id, range_start: `${from}T00:00:00.000Z`, range_end: `${to}T00:00:00.000Z` },
    ),
  done: 'The export is being made. It is in the list below within moments.',
};

const exportEvents = exportAct('audit_log_events', 'Export these events');

/** The retention in days of an organization without one of its own. */
const DEFAULT_DAYS = 365;
/** The retention periods of the API in days. */
const PERIODS = [30, 90, 180, 365, 730, 1_825, 3_650];

const setRetention: Act = {
  name: 'set-retention',
  label: 'Change the retention',
  operation: 'audit_logs.set_retention',
  call: ({ days }, { params: { id } }) =>
    call('audit_logs.set_retention', { id }, {}, { retention_period_in_days: Number(days) }),
  done: 'The retention is changed.',
};

/** The date of a time, some days earlier or later. */
const formatDay = (time: number, days = 0): string => new Date(time + days * 86_400_000).toISOString().slice(0, 10);

const renderExportForm = (visit: Visit) =>
  renderAct(visit, createExport, {
    fields: {},
    effect: 'Makes a CSV of the events of a range, with a proof. An operator makes five exports a day.',
    more: html`<label class="field"
        >From (UTC) <input type="date" name="from" required value="${formatDay(visit.now, -30)}"
      /></label>
      <label class="field"
        >Until the beginning of (UTC) <input type="date" name="to" required value="${formatDay(visit.now, 1)}"
      /></label>`,
  });

const renderRetentionForm = (visit: Visit, days: number) =>
  renderAct(visit, setRetention, {
    fields: {},
    effect: 'A shorter retention erases older events permanently, so another operator has to approve it.',
    look: 'danger',
    more: html`<label class="field"
      >Days
      <select name="days">
        ${PERIODS.map((each) => html`<option value="${each}" ${each === days && html`selected`}>${each}</option>`)}
      </select></label
    >`,
  });

/** The audit log of an organization: its events, its exports and its retention. */
export const organizationAuditLogPage = consolePage({
  path: 'e/{environment}/organizations/{id}/audit-log',
  title: 'Audit log',
  permission: 'people.read',
  parent: 'e/{environment}/organizations',
  main: 'organization',
  acts: [createExport, exportEvents, setRetention],
  calls: (visit) => {
    const { id } = visit.params;
    return {
      organization: call<Organization>('organizations.get', { id }),
      events: call<List<RecordedEvent>>(
        'audit_logs.list_events',
        {},
        { organization_id: id, limit: 50, order: 'desc', ...listQuery(visit, FILTERS, 'audit_log_event') },
      ),
      exports: call<List<Export>>('audit_logs.list_exports', {}, { organization_id: id, limit: 20, order: 'desc' }),
      retention: call<{ retention_period_in_days: number | null }>('audit_logs.get_retention', { id }),
    };
  },
  heading: ({ organization }) => organizationHeading(organization),
  view: ({ events, exports, retention }, visit) =>
    html`${organizationTabs(visit)} ${renderFilters(visit, FILTERS, 'audit_log_event')}
      ${events.state === 'left_out' && html`<p class="alert">${events.sentence}</p>`}
      ${renderRows(visit, 'Events of the audit log', events, COLUMNS, 'No events in the last 30 days. POST /audit_logs/events records one.')}
      ${renderExport(visit, exportEvents, { organization_id: visit.params.id ?? '', ...readFilters(visit, FILTERS) })}
      <div class="columns">
        <div>
          ${panel('Exports', exports, ({ data }) =>
            tableOr(
              'Exports',
              [
                {
                  title: 'Export',
                  cell: (each) =>
                    html`<a
                      class="mono"
                      href="${addressIn(visit, 'organizations', visit.params.id ?? '', 'audit-log', each.id)}"
                      >${each.id}</a
                    >`,
                },
                { title: 'State', cell: (each) => state(each.state) },
                { title: 'From', look: 'when', cell: (each) => when(each.range_start) },
                { title: 'To', look: 'when', cell: (each) => when(each.range_end) },
              ],
              data,
              'No exports.',
            ),
          )}
          ${renderExportForm(visit)}
        </div>
        <div>
          ${panel('Retention', retention, ({ retention_period_in_days: days }) => html`<p class="pad">${days ?? DEFAULT_DAYS} days</p>`)}
          ${retention.state === 'shown' && renderRetentionForm(visit, retention.value.retention_period_in_days ?? DEFAULT_DAYS)}
        </div>
      </div>`,
});

const COLUMNS = [
  { title: 'Time', look: 'when' as const, cell: (each: RecordedEvent) => when(each.occurred_at) },
  { title: 'Action', cell: (each: RecordedEvent) => each.action },
  {
    title: 'Actor',
    cell: ({ actor }: RecordedEvent) => html`${actor.name ?? actor.id}${small(`${actor.type} ${actor.id}`)}`,
  },
  {
    title: 'Targets',
    cell: ({ targets }: RecordedEvent) =>
      html`${targets.map(({ id, type, name }) => html`<div>${type} ${name ?? id}</div>`)}`,
  },
  { title: 'From', cell: ({ context }: RecordedEvent) => context.location },
  {
    title: 'Metadata',
    cell: ({ metadata }: RecordedEvent) =>
      Object.keys(metadata).length > 0 &&
      html`<details>
        <summary>${Object.keys(metadata).length} members</summary>
        ${dump(metadata, 'Metadata')}
      </details>`,
  },
];

/** An export with its file and its proof, by addresses that are valid for ten minutes. */
export const auditExportPage = consolePage({
  path: 'e/{environment}/organizations/{id}/audit-log/{export}',
  title: 'Export',
  permission: 'people.read',
  parent: 'e/{environment}/organizations/{id}/audit-log',
  main: 'made',
  calls: ({ params }) => ({
    made: call<Export>('audit_logs.get_export', { auditLogExportId: params.export }),
    proof: call<{ url: string }>('audit_logs.get_export_proof', { auditLogExportId: params.export }),
  }),
  heading: ({ made }) =>
    made.state === 'shown'
      ? { title: 'Export of the audit log', lead: html`${state(made.value.state)}${code(made.value.id)}` }
      : undefined,
  view: ({ made, proof }) =>
    frame(
      'Files',
      html`${facts([
          [
            'CSV',
            made.state === 'shown' && typeof made.value.url === 'string'
              ? html`<a href="${made.value.url}">Download</a>`
              : 'Not ready: reload the page in a moment.',
          ],
          ['Proof', proof.state === 'shown' && html`<a href="${proof.value.url}">Download</a>`],
        ])}
        <p class="hint pad">
          The addresses are valid for ten minutes. “npm run verify-export -- FILE --key KEY” checks the file with its
          proof, without a connection.
        </p>`,
    ),
});
