import { html } from '../../../kernel/pages/html.ts';
import { bulkPages } from '../bulk/pages.ts';
import { type Membership, roleSlugs } from '../people/types.ts';
import { listPage } from '../view/list-page.ts';
import { code, record, state, tags, when } from '../view/values.ts';
import { organizationTabs } from './heading.ts';
import { deactivate, reactivate } from './organizations.ts';

/** All memberships of an organization, the newest first. */
const membersPage = listPage<Membership>({
  path: 'e/{environment}/organizations/{id}/members',
  title: 'Members',
  permission: 'people.read',
  parent: 'e/{environment}/organizations/{id}',
  operation: 'organization_memberships.list',
  query: ({ params: { id = '' }, query }) => ({
    organization_id: id,
    ...((query.get('statuses') ?? '') === '' && { statuses: 'active,inactive,pending' }),
  }),
  filters: [{ name: 'statuses', label: 'Status', options: ['active', 'inactive', 'pending'] }],
  idPrefix: 'om',
  acts: [deactivate, reactivate],
  exported: 'organization_memberships',
  exportFilter: ({ params: { id = '' } }) => ({ organization_id: id, statuses: 'active,inactive,pending' }),
  select: (each) => ({ id: each.id, name: nameMember(each) }),
  above: organizationTabs,
  columns: (visit) => [
    {
      title: 'Member',
      cell: (each) => html`${record(visit, each.user_id, nameMember(each))}<small>${code(each.id)}</small>`,
    },
    { title: 'Status', cell: (each) => state(each.status) },
    { title: 'Roles', cell: (each) => tags(roleSlugs(each)) },
    { title: 'Since', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No members yet.',
});

function nameMember({ user_id: id, user }: Membership): string {
  return user?.email ?? id;
}

/** The members of an organization, and acts on many of them. */
export const memberPages = [membersPage, ...bulkPages({ ...membersPage, permission: 'people.read' })];
