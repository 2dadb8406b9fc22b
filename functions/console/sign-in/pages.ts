import { html } from '../../kernel/pages/html.ts';
import { exportAct, renderExport } from '../exports/act.ts';
import { call, type Part } from '../page/declare.ts';
import { addressIn } from '../page/visit.ts';
import { listPage } from '../view/list-page.ts';
import { type List, members, panel, tableOr } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { code, record, small, state, tags, when } from '../view/values.ts';
import { connectionPages } from './connections.ts';

interface Provider {
  provider: string;
  name: string;
  enabled: boolean;
  client_id: string | null;
  scopes: string[];
  updated_at: string;
}

const providersPage = listPage<Provider>({
  path: 'e/{environment}/providers',
  title: 'Providers',
  permission: 'config.read',
  menu: { group: 'Sign-in', shortcut: 'p' },
  operation: 'social_providers.list',
  isWhole: true,
  columns: (visit) => [
    {
      title: 'Provider',
      cell: (each) => html`<a href="${addressIn(visit, 'providers', each.provider)}">${each.name}</a>`,
    },
    { title: 'State', cell: (each) => state(each.enabled ? 'enabled' : 'disabled') },
    { title: 'Client id', cell: (each) => each.client_id && html`<code>${each.client_id}</code>` },
    { title: 'Scopes', cell: (each) => tags(each.scopes) },
    { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
  ],
  none: 'No providers yet. PUT /x/social/providers/{provider} sets up the first one.',
});

const providerPage = recordPage({
  path: 'e/{environment}/providers/{provider}',
  title: 'Provider',
  permission: 'config.read',
  parent: 'e/{environment}/providers',
  operation: 'social_providers.get',
  change: 'social_providers.configure',
});

interface Directory {
  id: string;
  name: string;
  type: string;
  state: string;
  organization_id: string | null;
  created_at: string;
}

const directoriesPage = listPage<Directory>({
  path: 'e/{environment}/directories',
  title: 'Directories',
  permission: 'config.read',
  menu: { group: 'Sign-in', shortcut: 'd' },
  operation: 'directories.list',
  filters: [
    { name: 'search', label: 'Name', isWide: true },
    { name: 'organization_id', label: 'Organization id', placeholder: 'org_…' },
  ],
  idPrefix: 'directory',
  columns: (visit) => [
    { title: 'Directory', cell: (each) => record(visit, each.id, each.name) },
    { title: 'Type', cell: (each) => each.type },
    { title: 'State', cell: (each) => state(each.state) },
    { title: 'Organization', cell: (each) => record(visit, each.organization_id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No directories yet. POST /x/directories makes the first one, or an administrator of a customer in the portal.',
});

interface DirectoryUser {
  id: string;
  email: string | null;
  first_name: string | null;
  last_name: string | null;
  state: string;
  job_title?: string | null;
  updated_at: string;
}

interface Snapshot {
  id: string;
  state: string;
  dry_run: boolean;
  difference: Record<string, number> | null;
  created_at: string;
}

const exportUsers = exportAct('directory_users', 'Export all users of the directory');

const directoryPage = recordPage({
  path: 'e/{environment}/directories/{id}',
  title: 'Directory',
  permission: 'config.read',
  parent: 'e/{environment}/directories',
  operation: 'directories.get_details',
  acts: [exportUsers],
  change: 'directories.update',
  calls: ({ params: { id } }) => ({
    users: call('directory_users.list', {}, { directory: id, limit: 25 }),
    groups: call('directory_groups.list', {}, { directory: id, limit: 25 }),
    snapshots: call('directory_snapshots.list', { id }, { limit: 5, order: 'desc' }),
  }),
  more: ({ users, groups, snapshots }, visit) =>
    html`${panel('Users of the directory', users as Part<List<DirectoryUser>>, ({ data }) =>
      tableOr(
        'Users',
        [
          {
            title: 'User',
            cell: (each) =>
              html`${[each.first_name, each.last_name].filter(Boolean).join(' ') || (each.email ?? each.id)}${small(each.email)}`,
          },
          { title: 'State', cell: (each) => state(each.state) },
          { title: 'Title', cell: (each) => each.job_title },
          { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
        ],
        data,
        'The provider has sent no users yet.',
      ),
    )}
    ${users?.state === 'shown' && renderExport(visit, exportUsers, { directory: visit.params.id ?? '' })}
    ${panel('Groups of the directory', groups as Part<List<{ id: string; name: string }>>, ({ data }) =>
      tableOr(
        'Groups',
        [
          { title: 'Group', cell: (each) => each.name },
          { title: 'Id', cell: (each) => code(each.id) },
        ],
        data,
        'The provider has sent no groups yet.',
      ),
    )}
    ${panel('Snapshots', snapshots as Part<List<Snapshot>>, ({ data }) =>
      tableOr(
        'Snapshots',
        [
          { title: 'Snapshot', cell: (each) => code(each.id) },
          { title: 'State', cell: (each) => html`${state(each.state)}${each.dry_run && html`<small>dry run</small>`}` },
          { title: 'Difference', cell: (each) => each.difference && members(each.difference) },
          { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
        ],
        data,
        'No snapshots.',
      ),
    )}`,
});

interface Application {
  id: string;
  name: string;
  client_id: string;
  application_type: string;
  scopes: string[];
  organization_id?: string;
  created_at: string;
}

const applicationsPage = listPage<Application>({
  path: 'e/{environment}/applications',
  title: 'Applications',
  permission: 'config.read',
  menu: { group: 'Sign-in' },
  operation: 'connect_applications.list',
  filters: [{ name: 'organization_id', label: 'Organization id', placeholder: 'org_…' }],
  columns: (visit) => [
    { title: 'Application', cell: (each) => record(visit, each.id, each.name) },
    { title: 'Type', cell: (each) => each.application_type },
    { title: 'Client id', cell: (each) => code(each.client_id) },
    { title: 'Scopes', cell: (each) => tags(each.scopes) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No OAuth applications yet. POST /connect/applications makes the first one.',
});

const applicationPage = recordPage({
  path: 'e/{environment}/applications/{id}',
  title: 'Application',
  permission: 'config.read',
  parent: 'e/{environment}/applications',
  operation: 'connect_applications.get',
  change: 'connect_applications.update',
});

/** Providers, connections, directories and OAuth applications. */
export const signInPages = [
  providersPage,
  providerPage,
  ...connectionPages,
  directoriesPage,
  directoryPage,
  applicationsPage,
  applicationPage,
];
