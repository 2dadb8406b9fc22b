import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import { frame, type List, panel, tableOr } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { code, dump, record, small, state, when } from '../view/values.ts';
import { createAction, endpointActs, renderActionCreation, testAction } from './endpoints.ts';

interface AuditAction {
  name: string;
  schema: { version: number; targets: { type: string }[] };
  created_at: string;
  updated_at: string;
}

const auditActionsPage = listPage<AuditAction>({
  path: 'e/{environment}/audit-logs',
  title: 'Audit logs',
  permission: 'config.read',
  menu: { group: 'Activity', shortcut: 'l' },
  operation: 'audit_logs.list_actions',
  columns: (visit) => [
    { title: 'Action', cell: (each) => html`<a href="${addressIn(visit, 'audit-logs', each.name)}">${each.name}</a>` },
    { title: 'Version of the schema', look: 'n', cell: (each) => each.schema.version },
    { title: 'Targets', cell: (each) => each.schema.targets.map(({ type }) => type).join(', ') },
    { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
  ],
  none: 'No actions yet. POST /audit_logs/actions/{action}/schemas makes the first one. Each organization’s log is on its page.',
});

const auditActionPage = consolePage({
  path: 'e/{environment}/audit-logs/{action}',
  title: 'Action',
  permission: 'config.read',
  parent: 'e/{environment}/audit-logs',
  main: 'schemas',
  calls: ({ params: { action } }) => ({
    schemas: call<List<{ version: number; created_at: string }>>(
      'audit_logs.list_schemas',
      { actionName: action },
      { limit: 20, order: 'desc' },
    ),
  }),
  heading: (_, { params }) => ({ title: params.action ?? '' }),
  view: ({ schemas }) =>
    html`${schemas.state === 'shown' && schemas.value.data.map((schema) => panel(`Version ${schema.version}`, { state: 'shown', value: schema }, (value) => dump(value, `Schema, version ${schema.version}`)))}`,
});

interface ActionEndpoint {
  id: string;
  type: string;
  endpoint_url: string;
  status: string;
  on_failure: string;
  timeout_ms: number;
}

const actionsPage = listPage<ActionEndpoint>({
  path: 'e/{environment}/actions',
  title: 'Actions',
  permission: 'config.read',
  menu: { group: 'Activity' },
  operation: 'action_endpoints.list',
  acts: [createAction],
  above: renderActionCreation,
  columns: (visit) => [
    {
      title: 'Endpoint',
      cell: (each) => html`<a href="${addressIn(visit, 'actions', each.id)}">${each.endpoint_url}</a>`,
    },
    { title: 'Before', cell: (each) => each.type.replaceAll('_', ' ') },
    { title: 'State', cell: (each) => state(each.status) },
    { title: 'On failure', cell: (each) => each.on_failure },
    { title: 'Time limit', look: 'n', cell: (each) => `${each.timeout_ms} ms` },
  ],
  none: 'No action endpoints yet. The form above or POST /x/actions/endpoints makes the first one.',
});

interface Execution {
  id: string;
  type: string;
  verdict: string | null;
  failure: string | null;
  error_message: string | null;
  http_status: number | null;
  duration_ms: number;
  user_id: string | null;
  email: string | null;
  created_at: string;
}

const { acts: secretActs, render: renderSecretActs, removal } = endpointActs('action_endpoints');

const actionPage = recordPage({
  path: 'e/{environment}/actions/{id}',
  title: 'Action endpoint',
  permission: 'config.read',
  parent: 'e/{environment}/actions',
  operation: 'action_endpoints.get',
  change: 'action_endpoints.update',
  acts: [testAction, ...secretActs],
  removal,
  calls: ({ params: { id } }) => ({ executions: call('action_executions.list', { id }, { limit: 50, order: 'desc' }) }),
  more: ({ record: endpoint, executions }, visit) =>
    html`${panel('Executions', executions as Part<List<Execution>>, ({ data }) =>
      tableOr(
        'Executions',
        [
          {
            title: 'Verdict',
            cell: (each) => html`${state(each.verdict ?? each.failure ?? 'failed')}${small(each.error_message)}`,
          },
          {
            title: 'Who',
            cell: (each) => (each.user_id === null ? each.email : record(visit, each.user_id, each.email)),
          },
          { title: 'Status', look: 'n', cell: (each) => each.http_status },
          { title: 'Took', look: 'n', cell: (each) => `${each.duration_ms} ms` },
          { title: 'Time', look: 'when', cell: (each) => when(each.created_at) },
        ],
        data,
        'The endpoint was not called yet.',
      ),
    )}
    ${endpoint !== undefined && renderSecretActs(visit, endpoint)} ${renderTest(visit)}`,
});

/** The form that asks the endpoint about a sample. */
function renderTest(visit: Visit) {
  const form = renderAct(visit, testAction, {
    fields: {},
    effect: 'Sends a signed request about ada@example.com, and shows what would have been decided. Nothing is stored.',
  });
  return form && frame('Test', html`<div class="pad">${form}</div>`);
}

interface Suppression {
  id: string;
  email: string;
  reason: string;
  detail: string | null;
  expires_at: string | null;
  created_at: string;
}

const liftSuppression: Act = {
  name: 'lift-suppression',
  label: 'Send again',
  operation: 'email_suppressions.delete',
  call: ({ id }) => call('email_suppressions.delete', { id }),
  done: 'Mails are sent to the address again.',
};

const suppressionsPage = listPage<Suppression>({
  path: 'e/{environment}/suppressions',
  title: 'Unreachable addresses',
  permission: 'people.read',
  menu: { group: 'People' },
  operation: 'email_suppressions.list',
  acts: [liftSuppression],
  filters: [{ name: 'email', label: 'Email address', type: 'email', isWide: true }],
  columns: (visit) => [
    { title: 'Email', cell: (each) => html`${each.email}<small>${code(each.id)}</small>` },
    { title: 'Reason', cell: (each) => state(each.reason, 'bad') },
    { title: 'Detail', cell: (each) => each.detail },
    { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
    { title: 'Until', look: 'when', cell: (each) => when(each.expires_at) },
    {
      title: 'Change',
      cell: ({ id, email }) =>
        renderAct(visit, liftSuppression, {
          fields: { id },
          effect: `Mails are sent to ${email} again. Do this when its owner says that the mailbox works: it is possible three times in 30 days.`,
          of: email,
        }),
    },
  ],
  none: 'No address has bounced or complained.',
});

/** Audit logs, actions and addresses that mail does not reach. */
export const morePages = [auditActionsPage, auditActionPage, actionsPage, actionPage, suppressionsPage];
