import { html } from '../../../kernel/pages/html.ts';
import { nameUserAgent } from '../../../kernel/user-agent-name.ts';
import { bulkPages } from '../bulk/pages.ts';
import { type Act, call } from '../page/declare.ts';
import { listPage } from '../view/list-page.ts';
import type { List } from '../view/parts.ts';
import { avatar, code, personName, record, state, when } from '../view/values.ts';
import type { Session, User } from './types.ts';

/** Revokes the sessions of the chosen users. */
const revokeSessions: Act = {
  name: 'revoke-sessions',
  label: 'Revoke sessions',
  operation: 'sessions.revoke',
  call: ({ session_id: id = '' }) => call('sessions.revoke', {}, {}, { session_id: id }),
  done: 'The sessions are revoked.',
  bulk: {
    record: 'session',
    plural: 'sessions',
    effect: 'Signs the users out of each session. Access tokens that it has issued expire within minutes.',
    field: 'session_id',
    isDanger: true,
    isRepeatable: true,
    expand: {
      record: 'user',
      call: (id) => call('sessions.list', { id }, { limit: 100, order: 'desc' }),
      list: (body) =>
        (body as List<Session>).data
          .filter(({ status }) => status === 'active')
          .map(({ id, user_agent: agent }) => ({ id, label: nameUserAgent(agent) ?? 'unknown browser' })),
    },
  },
};

/** The users of the environment, the newest first. */
export const usersPage = listPage<User>({
  path: 'e/{environment}/users',
  title: 'Users',
  permission: 'people.read',
  menu: { group: 'People', shortcut: 'u' },
  operation: 'users.list',
  filters: [
    { name: 'email', label: 'Email address', type: 'email', isWide: true, placeholder: 'ada@example.com' },
    { name: 'organization_id', label: 'Organization id', placeholder: 'org_…' },
  ],
  idPrefix: 'user',
  columns: (visit) => [
    {
      title: 'User',
      cell: (user) =>
        html`<span class="who"
          >${avatar(personName(user))}<span
            >${record(visit, user.id, personName(user))}${personName(user) !== user.email && html`<small>${user.email}</small>`}</span
          ></span
        >`,
    },
    { title: 'Email address', cell: (user) => state(user.email_verified ? 'verified' : 'unverified') },
    { title: 'Id', cell: (user) => code(user.id) },
    { title: 'Last sign-in', look: 'when', cell: (user) => when(user.last_sign_in_at) },
    { title: 'Created', look: 'when', cell: (user) => when(user.created_at) },
  ],
  acts: [revokeSessions],
  exported: 'users',
  select: ({ id, email }) => ({ id, name: email }),
  none: 'No users yet. The first sign-up makes one, and so does POST /user_management/users.',
});

/** The pages of acts on many users. */
export const userBulkPages = bulkPages({ ...usersPage, permission: 'people.read' });
