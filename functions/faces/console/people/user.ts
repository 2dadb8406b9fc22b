import { html } from '../../../kernel/pages/html.ts';
import { exportAct, renderExport } from '../exports/act.ts';
import { nameUserAgent } from '../../../kernel/user-agent-name.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, consolePage } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { renderCount, facts, type List, members, panel, tableOr } from '../view/parts.ts';
import { code, record, state, tags, when, yesNo } from '../view/values.ts';
import { cancelReset, type FactorReset, renderResets } from './factor-resets.ts';
import { deleteOwnedKey, renderKeys } from './owned-keys.ts';
import { type Factor, type Membership, type OwnedKey, roleSlugs, type Session, type User } from './types.ts';
import { sendVerification, userHeading, userTabs } from './user-heading.ts';

interface Identity {
  idp_id: string;
  provider: string;
}

interface Passkey {
  id: string;
  name: string | null;
  last_used_at: string | null;
  created_at: string;
}

const revokeSession: Act = {
  name: 'revoke-session',
  label: 'Revoke',
  operation: 'sessions.revoke',
  call: ({ session_id: id = '' }) => call('sessions.revoke', {}, {}, { session_id: id }),
  done: 'The session is revoked. Access tokens that it has issued expire within minutes, and every browser asks for the second factor again.',
};

const exportSessions = exportAct('sessions', 'Export all sessions');

/** One user: account, memberships, sessions and credentials. */
export const userPage = consolePage({
  path: 'e/{environment}/users/{id}',
  title: 'User',
  permission: 'people.read',
  parent: 'e/{environment}/users',
  main: 'user',
  acts: [revokeSession, sendVerification, cancelReset, exportSessions, deleteOwnedKey],
  calls: ({ params: { id } }) => ({
    user: call<User>('users.get', { id }),
    memberships: call<List<Membership>>('organization_memberships.list', {}, { user_id: id, limit: 20 }),
    sessions: call<List<Session>>('sessions.list', { id }, { limit: 10, order: 'desc' }),
    factors: call<List<Factor>>('user_auth_factors.list', { userlandUserId: id }),
    passkeys: call<List<Passkey>>('passkeys.list', {}, { user_id: id }),
    identities: call<Identity[]>('users.list_identities', { id }),
    keys: call<List<OwnedKey>>('user_api_keys.list', { userId: id }),
    resets: call<List<FactorReset>>('factor_resets.list', { userId: id }),
  }),
  heading: ({ user }) => userHeading(user),
  view: ({ user, memberships, sessions, factors, passkeys, identities, keys, resets }, visit) =>
    html`${userTabs(visit)}
      <div class="columns">
        <div>
          ${panel('Organizations', memberships, ({ data }) => renderMemberships(visit, data), { more: renderCount(memberships) })}
          ${panel('Sessions', sessions, ({ data }) => renderSessions(visit, data), { more: renderCount(sessions) })}
          ${renderExport(visit, exportSessions, { user_id: visit.params.id ?? '' })}
          ${panel('Authenticators and phones', factors, ({ data }) => renderFactors(visit, data))}
          ${renderResets(visit, resets)}
          ${panel('Passkeys', passkeys, ({ data }) =>
            tableOr(
              'Passkeys',
              [
                { title: 'Name', cell: (each) => each.name ?? 'Passkey' },
                { title: 'Id', cell: (each) => code(each.id) },
                { title: 'Last used', look: 'when', cell: (each) => when(each.last_used_at) },
                {
                  title: 'Change',
                  cell: (each) =>
                    html`<a
                      class="button"
                      href="${addressIn(visit, 'users', visit.params.id ?? '', 'passkeys', each.id)}"
                      >Remove …</a
                    >`,
                },
              ],
              data,
              'No passkeys.',
            ),
          )}
          ${panel('API keys', keys, ({ data }) => renderKeys(visit, data))}
        </div>
        <div>
          ${panel(
            'Account',
            user,
            (value) =>
              html`${facts([
                ['Email', value.email],
                ['Email verified', yesNo(value.email_verified)],
                ['First name', value.first_name],
                ['Last name', value.last_name],
                ['External id', value.external_id],
                ['Locale', value.locale],
                ['Last sign-in', when(value.last_sign_in_at)],
                ['Created', when(value.created_at)],
                ['Updated', when(value.updated_at)],
              ])}
              ${
                !value.email_verified &&
                html`<div class="pad actions">
                  ${renderAct(visit, sendVerification, { fields: {}, effect: `Sends a verification code to ${value.email}.` })}
                </div>`
              }`,
          )}
          ${panel('Identities', identities, (list) =>
            tableOr(
              'Identities',
              [
                { title: 'Provider', cell: (each) => each.provider },
                { title: 'Id there', cell: (each) => html`<code>${each.idp_id}</code>` },
              ],
              list,
              'No account of another provider is linked.',
            ),
          )}
          ${panel('Metadata', user, (value) => html`<div class="pad">${members(value.metadata ?? {})}</div>`)}
        </div>
      </div>`,
});

const renderMemberships = (visit: Visit, data: readonly Membership[]) =>
  tableOr(
    'Organizations',
    [
      { title: 'Organization', cell: (each) => record(visit, each.organization_id, each.organization_name) },
      { title: 'Roles', cell: (each) => tags(roleSlugs(each)) },
      { title: 'State', cell: (each) => state(each.status) },
      { title: 'By directory', cell: (each) => yesNo(each.directory_managed) },
      { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
    ],
    data,
    'This user belongs to no organization.',
  );

const renderSessions = (visit: Visit, data: readonly Session[]) =>
  tableOr(
    'Sessions',
    [
      {
        title: 'Device',
        cell: (each) =>
          html`${nameUserAgent(each.user_agent) ?? 'Unknown device'}<small
              >${each.ip_address ?? 'Unknown address'} ·
              ${each.auth_method.replaceAll('_', ' ')}${
                typeof each.impersonator?.email === 'string' && html` · impersonated by ${each.impersonator.email}`
              }</small
            >`,
      },
      { title: 'State', cell: (each) => state(each.status) },
      { title: 'Began', look: 'when', cell: (each) => when(each.created_at) },
      { title: 'Ends', look: 'when', cell: (each) => when(each.ended_at ?? each.expires_at) },
      {
        title: 'Change',
        cell: (each) =>
          each.status === 'active' &&
          renderAct(visit, revokeSession, {
            fields: { session_id: each.id },
            effect:
              'Signs the user out of this session. Other sessions stay, and every browser asks for the second factor again.',
            of: each.id,
          }),
      },
    ],
    data,
    'No sessions.',
  );

const renderFactors = (visit: Visit, data: readonly Factor[]) =>
  tableOr(
    'Authenticators and phones',
    [
      { title: 'Kind', cell: (each) => (each.type === 'totp' ? 'Authenticator app' : each.type.toUpperCase()) },
      { title: 'Of', cell: (each) => each.sms?.phone_number ?? each.totp?.user },
      { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
      {
        title: 'Change',
        cell: (each) =>
          html`<a class="button" href="${addressIn(visit, 'users', visit.params.id ?? '', 'factors', each.id)}"
            >Reset …</a
          >`,
      },
    ],
    data,
    'No second factor.',
  );
