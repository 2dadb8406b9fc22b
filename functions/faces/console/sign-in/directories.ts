import { type Html, html } from '../../../kernel/pages/html.ts';
import { exportAct, renderExport } from '../exports/act.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { given, textField } from '../view/fields.ts';
import { listPage } from '../view/list-page.ts';
import { showOnce } from '../view/once.ts';
import { type List, members, panel, tableOr } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import type { Removal } from '../view/removal.ts';
import { code, record, small, state, when } from '../view/values.ts';

interface Directory {
  id: string;
  name: string;
  type: string;
  state: string;
  organization_id: string | null;
  created_at: string;
}

const createDirectory: Act = {
  name: 'create-directory',
  label: 'Add a directory',
  operation: 'directories.create',
  call: ({ organization = '', name, type }) =>
    call('directories.create', {}, {}, { organization_id: organization.trim(), name, type: given(type) }),
  done: 'The directory is added. Create a token, and give it and the SCIM URL to the provider.',
  next: (visit, body) => addressIn(visit, 'directories', (body as Directory).id),
};

const directoriesPage = listPage<Directory>({
  path: 'e/{environment}/directories',
  title: 'Directories',
  permission: 'config.read',
  menu: { group: 'Sign-in', shortcut: 'd' },
  operation: 'directories.list',
  acts: [createDirectory],
  above: (visit) =>
    renderAct(visit, createDirectory, {
      fields: {},
      effect: 'Adds a directory, whose provider creates, changes and removes users of the organization.',
      more: (kept) =>
        html`${textField(kept, { name: 'organization', label: 'Organization id', isRequired: true, hint: 'org_…' })}
        ${textField(kept, { name: 'name', label: 'Name', isRequired: true })}
        ${textField(kept, { name: 'type', label: 'Type', most: 64, hint: 'generic scim v2.0' })}`,
    }),
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
  none: 'No directories yet. The form above or POST /x/directories makes the first one, or an administrator of a customer in the portal.',
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

interface Token {
  id: string;
  token_suffix: string;
  expires_at: string | null;
  created_at: string;
}

const createToken: Act = {
  name: 'create-token',
  label: 'Create a token',
  operation: 'directory_tokens.create',
  call: (_, { params: { id } }) => call('directory_tokens.create', { id }, {}, {}),
  done: 'The token is created.',
  show: (body) => showOnce('The new token', (body as { value: string }).value),
};

const deleteToken: Act = {
  name: 'delete-token',
  label: 'Delete',
  operation: 'directory_tokens.delete',
  call: ({ id: tokenId }, { params: { id } }) => call('directory_tokens.delete', { id, tokenId }),
  done: 'The token is deleted.',
};

const renderTokens = (visit: Visit, data: readonly Token[]): Html =>
  html`${tableOr(
      'Tokens',
      [
        { title: 'Token', cell: (each) => html`<code>…${each.token_suffix}</code>` },
        { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
        { title: 'Expires', look: 'when', cell: (each) => when(each.expires_at) ?? 'Never' },
        {
          title: 'Change',
          cell: ({ id, token_suffix: suffix }) =>
            renderAct(visit, deleteToken, {
              fields: { id },
              effect: `The calls of the provider with the token …${suffix} are rejected within five seconds.`,
              of: suffix,
              look: 'danger',
              typed: suffix,
            }),
        },
      ],
      data,
      'No tokens: the provider cannot call the directory.',
    )}
    <div class="pad">
      ${renderAct(visit, createToken, { fields: {}, effect: 'Creates a token for the provider, which is shown once. A directory has at most five, so that one can be replaced without a gap.' })}
    </div>`;

const removal: Removal = {
  act: {
    name: 'delete-directory',
    label: 'Delete the directory',
    operation: 'directories.delete',
    call: (_, { params: { id } }) => call('directories.delete', { id }),
    done: 'The directory is being deleted: its provider can no longer call it.',
    next: (visit) => addressIn(visit, 'directories'),
  },
  effect: (name) =>
    `Deletes “${name}” with its users and groups. Users of the environment and their memberships stay. It cannot be undone.`,
};

const exportUsers = exportAct('directory_users', 'Export all users of the directory');

const directoryPage = recordPage({
  path: 'e/{environment}/directories/{id}',
  title: 'Directory',
  permission: 'config.read',
  parent: 'e/{environment}/directories',
  operation: 'directories.get_details',
  acts: [exportUsers, createToken, deleteToken],
  removal,
  change: 'directories.update',
  calls: ({ params: { id } }) => ({
    users: call('directory_users.list', {}, { directory: id, limit: 25 }),
    groups: call('directory_groups.list', {}, { directory: id, limit: 25 }),
    snapshots: call('directory_snapshots.list', { id }, { limit: 5, order: 'desc' }),
  }),
  more: ({ record: own, users, groups, snapshots }, visit) =>
    html`${own !== undefined && panel('Tokens', own as Part<{ tokens: Token[] }>, ({ tokens }) => renderTokens(visit, tokens))}
    ${panel('Users of the directory', users as Part<List<DirectoryUser>>, ({ data }) =>
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

/** Directories with their users, groups, snapshots and tokens. */
export const directoryPages = [directoriesPage, directoryPage];
