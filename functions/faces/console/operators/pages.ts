import { OPERATORS_ORGANIZATION_ID } from '../../../kernel/authentication/environment-id.ts';
import { html } from '../../../kernel/pages/html.ts';
import { nameUserAgent } from '../../../kernel/user-agent-name.ts';
import { call, type Calls, consolePage, type Part } from '../page/declare.ts';
import { addressIn, withQuery } from '../page/visit.ts';
import type { Membership, Session } from '../people/types.ts';
import { listPage } from '../view/list-page.ts';
import { type List, panel, tableOr } from '../view/parts.ts';
import { code, personName, small, state, when } from '../view/values.ts';
import { type LogLine, logCall, logColumns, logPage } from './log-pages.ts';

/** A role of an operator, for all environments or on one. */
interface Assignment {
  id: string;
  role: { slug: string };
  resource: { external_id: string; resource_type_slug: string };
  source?: { type: string };
}

const HOW = html`<p class="hint">
  <code>npm run operators -- invite | grant | revoke | link | break-glass</code> changes operators, by the rights to
  write the table of the stage. They are not changed here, so no operator gives themselves a role.
</p>`;

const operatorsPage = listPage<Membership>({
  path: 'e/{environment}/operators',
  title: 'Operators',
  permission: 'operators',
  menu: { group: 'Stage' },
  isOfStage: true,
  operation: 'organization_memberships.list',
  query: { organization_id: OPERATORS_ORGANIZATION_ID, statuses: 'active,inactive,pending' },
  above: () => HOW,
  columns: (visit) => [
    {
      title: 'Operator',
      cell: (each) =>
        html`<a href="${addressIn(visit, 'operators', each.id)}"
            >${each.user === undefined ? each.user_id : personName(each.user)}</a
          >${small(each.user?.email)}`,
    },
    { title: 'State', cell: (each) => state(each.status) },
    { title: 'By a directory', cell: (each) => (each.directory_managed === true ? 'Yes' : undefined) },
    { title: 'Last sign-in', look: 'when', cell: (each) => when(each.user?.last_sign_in_at) },
    { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No operators. “npm run operators -- invite EMAIL --role ROLE” makes a link for the first one.',
});

/** One operator: roles in each environment, sessions, factors, and what they did last. */
const operatorPage = consolePage({
  path: 'e/{environment}/operators/{id}',
  title: 'Operator',
  permission: 'operators',
  isOfStage: true,
  parent: 'e/{environment}/operators',
  main: 'member',
  calls: ({ params: { id } }) => ({
    member: call<Membership>('organization_memberships.get', { id }),
    roles: call<List<Assignment>>(
      'authorization.organization_memberships.role_assignments.list',
      { organization_membership_id: id },
      { limit: 100 },
    ),
  }),
  then: ({ member }): Calls => {
    if (member.state !== 'shown') return {};
    const { user_id: id } = member.value;
    return {
      sessions: call<List<Session>>('sessions.list', { id }, { limit: 20, order: 'desc' }),
      log: logCall({ actor_id: id, limit: 20 }),
    };
  },
  heading: ({ member }) => {
    if (member.state !== 'shown') return undefined;
    const { user, user_id: id, status } = member.value;
    return {
      title: user === undefined ? id : personName(user),
      lead: html`<span>${user?.email}</span>${state(status)}${code(id)}`,
    };
  },
  view: (parts, visit) => {
    const { member, roles } = parts;
    const { sessions, log } = parts as unknown as { sessions: Part<List<Session>>; log: Part<List<LogLine>> };
    const userId = member.state === 'shown' ? member.value.user_id : '';
    const findName = (id: string): string => visit.operator.environments.find((each) => each.id === id)?.name ?? id;
    return html`${HOW}
      <div class="columns">
        <div>
          ${panel('Sessions', sessions, ({ data }) =>
            tableOr(
              'Sessions',
              [
                {
                  title: 'Device',
                  cell: (each) => html`${nameUserAgent(each.user_agent) ?? 'Unknown device'}${small(each.ip_address)}`,
                },
                { title: 'State', cell: (each) => state(each.status) },
                { title: 'Began', look: 'when', cell: (each) => when(each.created_at) },
                { title: 'Ends', look: 'when', cell: (each) => when(each.ended_at ?? each.expires_at) },
              ],
              data,
              'No sessions by a sign-in. A session by a link is in the log only.',
            ),
          )}
          ${panel(
            'Last acts',
            log,
            ({ data }) => tableOr('Last acts', logColumns(visit), data, 'Nothing in the last 30 days.'),
            {
              more: html`<a href="${withQuery(addressIn(visit, 'log'), { actor_id: userId })}">All acts</a>`,
            },
          )}
        </div>
        <div>
          ${panel('Roles', roles, ({ data }) =>
            tableOr(
              'Roles',
              [
                { title: 'Role', cell: (each) => each.role.slug },
                {
                  title: 'In',
                  cell: ({ resource }) =>
                    resource.resource_type_slug === 'organization'
                      ? 'All environments'
                      : findName(resource.external_id),
                },
                { title: 'By', cell: (each) => (each.source?.type === 'group' ? 'A group' : 'Assignment') },
              ],
              data,
              'No role: this operator sees nothing.',
            ),
          )}
          <p class="hint">
            <a href="${addressIn(visit, 'users', userId)}">Factors, passkeys and identities</a> of this operator.
          </p>
        </div>
      </div>`;
  },
});

/** Operators and their log, for the owners of the stage. */
export const operatorPages = [operatorsPage, operatorPage, logPage];
