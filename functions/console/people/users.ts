import { html } from '../../kernel/pages/html.ts';
import { listPage } from '../view/list-page.ts';
import { avatar, code, personName, record, state, when } from '../view/values.ts';
import type { User } from './types.ts';

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
    { title: 'Email', cell: (user) => state(user.email_verified ? 'verified' : 'unverified') },
    { title: 'Id', cell: (user) => code(user.id) },
    { title: 'Last sign-in', look: 'when', cell: (user) => when(user.last_sign_in_at) },
    { title: 'Created', look: 'when', cell: (user) => when(user.created_at) },
  ],
  none: 'No users yet. The first sign-up makes one, and so does POST /user_management/users.',
});
