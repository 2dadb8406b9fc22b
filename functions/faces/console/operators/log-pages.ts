import { OPERATORS_ORGANIZATION_ID } from '../../../kernel/authentication/environment-id.ts';
import { html } from '../../../kernel/pages/html.ts';
import type { DeclaredCall } from '../page/declare.ts';
import { call } from '../page/declare.ts';
import { addressIn, environmentAddress, type Visit, withQuery } from '../page/visit.ts';
import { type Filter, listPage } from '../view/list-page.ts';
import type { Column, List } from '../view/parts.ts';
import { code, small, state, when } from '../view/values.ts';

/** An entry of the operators' log, in the format in which the API returns the events of an audit log. */
export interface LogLine {
  id: string;
  action: string;
  actor: { id: string; name?: string; metadata?: Record<string, unknown> };
  targets: { id: string; type: string }[];
  context: { location: string };
  metadata: Record<string, unknown>;
  occurred_at: string;
}

const LOOKS = { done: 'good', proposed: 'wait', rejected: 'bad', failed: 'bad' } as const;

/** A member of a line that is text. */
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const findEnvironment = ({ targets }: LogLine): string | undefined =>
  targets.find(({ type }) => type === 'environment')?.id;

/** The log with one more filter. */
const filtered = (visit: Visit, filter: Record<string, string>): string =>
  withQuery(addressIn(visit, 'log'), { ...Object.fromEntries(visit.query), after: '', before: '', ...filter });

function renderEnvironment(visit: Visit, line: LogLine) {
  const id = findEnvironment(line);
  if (id === undefined) return undefined;
  const known = visit.operator.environments.find((each) => each.id === id);
  return html`<a href="${filtered(visit, { target: id })}">${known?.name ?? id}</a>${
      known && small(html`<a href="${environmentAddress(id)}">Open</a>`)
    }`;
}

/** The columns of the lines of the log. */
export const logColumns = (visit: Visit): readonly Column<LogLine>[] => [
  { title: 'Time', look: 'when', cell: (each) => when(each.occurred_at) },
  {
    title: 'Operator',
    cell: (each) =>
      html`<a href="${filtered(visit, { actor_id: each.actor.id })}">${each.actor.name ?? each.actor.id}</a>${small(
          [text(each.actor.metadata?.roles), each.context.location].filter(Boolean).join(' · '),
        )}`,
  },
  {
    title: 'Operation',
    cell: (each) => html`<a href="${filtered(visit, { action: each.action })}">${each.action}</a>`,
  },
  { title: 'Environment', cell: (each) => renderEnvironment(visit, each) },
  {
    title: 'Outcome',
    cell: (each) => {
      const outcome = text(each.metadata.outcome) ?? '';
      return state(outcome, LOOKS[outcome as keyof typeof LOOKS]);
    },
  },
  {
    title: 'Reason',
    cell: (each) => html`${text(each.metadata.reason)}${small(text(each.metadata.proposal))}`,
  },
  {
    title: 'Records',
    cell: (each) =>
      html`${each.targets
        .filter(({ type }) => type !== 'environment')
        .map(({ id, type }) => html`<div>${type} ${code(id)}</div>`)}`,
  },
];

/** The call that reads lines of the log. */
export const logCall = (query: Record<string, string | number>): DeclaredCall<List<LogLine>> =>
  call('audit_logs.list_events', {}, { organization_id: OPERATORS_ORGANIZATION_ID, order: 'desc', ...query });

const FILTERS: readonly Filter[] = [
  { name: 'actor_id', label: 'Operator id', placeholder: 'user_…' },
  { name: 'action', label: 'Operation', placeholder: 'users.delete' },
  { name: 'target', label: 'Environment or record id', placeholder: 'environment_…' },
  { name: 'range_start', label: 'From (UTC)', placeholder: '2026-03-03T00:00:00Z' },
  { name: 'range_end', label: 'To (UTC)', placeholder: '2026-03-04T00:00:00Z' },
];

/** The log of what operators did, for owners. */
export const logPage = listPage<LogLine>({
  path: 'e/{environment}/log',
  title: 'Log of operators',
  permission: 'operators',
  menu: { group: 'Stage' },
  isOfStage: true,
  operation: 'audit_logs.list_events',
  query: { organization_id: OPERATORS_ORGANIZATION_ID },
  filters: FILTERS,
  above: (visit) =>
    html`<p class="hint">
      Every act, reveal, export and rejected call of the last 30 days. The
      <a href="${addressIn(visit, 'organizations', OPERATORS_ORGANIZATION_ID, 'audit-log')}">audit log</a> of the
      operators exports older ones, with a proof.
    </p>`,
  columns: logColumns,
  none: 'No operator has done anything in the last 30 days.',
});
