import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage, type Part } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { type List, panel, tableOr } from '../view/parts.ts';
import { duration, state, when } from '../view/values.ts';
import { type Explanation, type Names, renderExplanation } from './explanation.ts';
import { nameKey, nameLimit } from './limit-names.ts';
import type { Membership, User } from './types.ts';
import { sendVerification, userHeading, userTabs } from './user-heading.ts';

interface Limit {
  name: string;
  counted_by: string;
  limit: number;
  window_seconds: number;
  used: number;
  is_exceeded: boolean;
  resets_at: string | null;
}

interface Message {
  id: string;
  channel: string;
  template: string;
  state: string;
  failure: string | null;
  bounce?: unknown;
  created_at: string;
}

const liftLimits: Act = {
  name: 'lift-limits',
  label: 'Lift limits',
  operation: 'users.lift_limits',
  call: (_, { params }) => call('users.lift_limits', { id: params.id }),
  done: 'The limits of this user are lifted; attempts count from zero.',
};

/** Why a user can or cannot sign in: the checks in their order, limits, and the messages that were sent. */
export const userSignInPage = consolePage({
  path: 'e/{environment}/users/{id}/sign-in',
  title: 'Sign-in problems',
  permission: 'people.read',
  parent: 'e/{environment}/users',
  main: 'user',
  acts: [liftLimits, sendVerification],
  calls: ({ params: { id } }) => ({
    user: call<User>('users.get', { id }),
    explanation: call<Explanation>('users.sign_in_explanation', { id }),
    limits: call<List<Limit>>('users.limits', { id }),
    memberships: call<List<Membership>>('organization_memberships.list', {}, { user_id: id, limit: 20 }),
  }),
  then: ({ user }) => {
    const email = user.state === 'shown' ? user.value.email : '';
    return {
      messages: call<List<Message>>('messages.list', {}, { to: email, limit: 20 }),
      suppressions: call<List<{ reason: string; detail: string | null; created_at: string }>>(
        'email_suppressions.list',
        {},
        { email },
      ),
    };
  },
  heading: ({ user }) => userHeading(user),
  view: ({ explanation, limits, memberships, messages, suppressions }, visit) =>
    html`${userTabs(visit)}
      <div class="columns">
        <div>
          ${panel('Why can this person not sign in?', explanation, (value) =>
            renderExplanation(visit, value, nameOrganizations(memberships)),
          )}
        </div>
        <div>
          <div id="limits">${panel('Limits', limits, (list) => renderLimits(visit, list))}</div>
          ${panel('Messages to this address', messages, ({ data }) =>
            tableOr(
              'Messages',
              [
                {
                  title: 'Message',
                  cell: (each) => html`${each.template.replaceAll('-', ' ')}<small>${each.channel}</small>`,
                },
                {
                  title: 'State',
                  cell: (each) =>
                    html`${state(each.state, each.state === 'sent' ? 'good' : undefined)}${
                      each.failure !== null && html`<small>${each.failure}</small>`
                    }`,
                },
                { title: 'Time', look: 'when', cell: (each) => when(each.created_at) },
              ],
              data,
              'Nothing was sent to this address within the retention of messages.',
            ),
          )}
          ${panel('Does mail reach this address?', suppressions, ({ data }) =>
            tableOr(
              'Reports about the address',
              [
                { title: 'Reason', cell: (each) => state(each.reason, 'bad') },
                { title: 'Detail', cell: (each) => each.detail },
                { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
              ],
              data,
              'Yes, as far as is known: no mail to it bounced, and none was reported as spam.',
            ),
          )}
        </div>
      </div>`,
});

const nameOrganizations = (memberships: Part<List<Membership>>): Names =>
  new Map(
    (memberships.state === 'shown' ? memberships.value.data : []).flatMap(
      ({ organization_id: id, organization_name: name }) => (name === undefined ? [] : [[id, name] as const]),
    ),
  );

const limitsTable = (limits: readonly Limit[], none: string): Html =>
  tableOr(
    'Limits',
    [
      {
        title: 'Limit',
        cell: (each) => html`${nameLimit(each.name)}<small>${nameKey(each.counted_by)}</small>`,
      },
      {
        title: 'Used',
        cell: (each) =>
          html`${state(`${each.used} of ${each.limit}`, each.is_exceeded ? 'bad' : 'plain')}<small
              >within ${duration(each.window_seconds)}</small
            >`,
      },
      { title: 'Counted until', look: 'when', cell: (each) => when(each.resets_at) },
    ],
    limits,
    none,
  );

/** The limits that count an attempt; the others are folded, since most users have used none. */
function renderLimits(visit: Visit, { data }: List<Limit>): Html {
  const [used, unused] = [data.filter((each) => each.used > 0), data.filter((each) => each.used === 0)];
  return html`${limitsTable(used, 'No limit counts an attempt of this user now.')}
  ${
    used.length > 0 &&
    html`<div class="pad actions">
      ${renderAct(visit, liftLimits, {
        fields: {},
        effect: 'Counts attempts of this user from zero. Make sure that the attempts were their own.',
      })}
    </div>`
  }
  ${
    unused.length > 0 &&
    html`<details class="pad">
      <summary class="hint">${unused.length} limits are unused</summary>
      ${limitsTable(unused, '')}
    </details>`
  }`;
}
