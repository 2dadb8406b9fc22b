import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { changeAct, changePanel } from '../page/change.ts';
import { type Act, call, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { choiceField, given, givenLines, linesField, textField } from '../view/fields.ts';
import { listPage } from '../view/list-page.ts';
import { showOnce } from '../view/once.ts';
import { panel, tableOr } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { code, record, tags, when } from '../view/values.ts';

interface Application {
  id: string;
  name: string;
  client_id: string;
  application_type: string;
  scopes: string[];
  organization_id?: string;
  created_at: string;
}

const createApplication: Act = {
  name: 'create-application',
  label: 'Add an application',
  operation: 'connect_applications.create',
  call: ({ name, type, description, scopes, uris, organization }) =>
    call(
      'connect_applications.create',
      {},
      {},
      {
        name,
        application_type: type === 'm2m' ? 'm2m' : 'oauth',
        description: given(description),
        scopes: givenLines(scopes),
        organization_id: given(organization),
        ...(type !== 'm2m' && {
          is_first_party: type !== 'third_party',
          redirect_uris: givenLines(uris)?.map((uri) => ({ uri })),
        }),
      },
    ),
  done: 'The application is added. Create a client secret, or give it public keys.',
  next: (visit, body) => addressIn(visit, 'applications', (body as Application).id),
};

const TYPES = { first_party: 'Your own', third_party: 'A third party’s', m2m: 'Machine to machine' } as const;

const renderCreation = (visit: Visit) =>
  renderAct(visit, createApplication, {
    fields: {},
    effect: 'Adds an OAuth application, which has no client secret yet.',
    more: (kept) =>
      html`${textField(kept, { name: 'name', label: 'Name', isRequired: true })}
      ${choiceField(kept, { name: 'type', label: 'Kind', options: TYPES })}
      ${textField(kept, { name: 'description', label: 'Description', most: 1_000 })}
      ${linesField(kept, { name: 'scopes', label: 'Scopes, one a line; the standard ones if empty' })}
      ${linesField(kept, { name: 'uris', label: 'Redirect URIs, one a line, the default first', most: 20_000 })}
      ${textField(kept, { name: 'organization', label: 'Organization id, except for your own', hint: 'org_…' })}`,
  });

const applicationsPage = listPage<Application>({
  path: 'e/{environment}/applications',
  title: 'Applications',
  permission: 'config.read',
  menu: { group: 'Sign-in' },
  operation: 'connect_applications.list',
  acts: [createApplication],
  above: renderCreation,
  filters: [{ name: 'organization_id', label: 'Organization id', placeholder: 'org_…' }],
  columns: (visit) => [
    { title: 'Application', cell: (each) => record(visit, each.id, each.name) },
    { title: 'Type', cell: (each) => each.application_type },
    { title: 'Client id', cell: (each) => code(each.client_id) },
    { title: 'Scopes', cell: (each) => tags(each.scopes) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No OAuth applications yet. The form above or POST /connect/applications makes the first one.',
});

interface Secret {
  id: string;
  secret_hint: string;
  last_used_at: string | null;
  created_at: string;
}

const createSecret: Act = {
  name: 'create-secret',
  label: 'Create a client secret',
  operation: 'client_secrets.create',
  call: (_, { params: { id } }) => call('client_secrets.create', { id }, {}, {}),
  done: 'The client secret is created.',
  show: (body) => showOnce('The new client secret', (body as { secret: string }).secret),
};

const deleteSecret: Act = {
  name: 'delete-secret',
  label: 'Delete',
  operation: 'client_secrets.delete',
  call: ({ id }) => call('client_secrets.delete', { id }),
  done: 'The client secret is deleted.',
};

const renderSecrets = (visit: Visit, data: readonly Secret[]): Html =>
  html`${tableOr(
      'Client secrets',
      [
        { title: 'Secret', cell: (each) => html`<code>…${each.secret_hint}</code>` },
        { title: 'Last used', look: 'when', cell: (each) => when(each.last_used_at) ?? 'Never' },
        { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
        {
          title: 'Change',
          cell: ({ id, secret_hint: hint }) =>
            renderAct(visit, deleteSecret, {
              fields: { id },
              effect: `Calls of the application with the secret …${hint} are rejected at once.`,
              of: hint,
              look: 'danger',
              typed: hint,
            }),
        },
      ],
      data,
      'No client secrets.',
    )}
    <div class="pad">
      ${renderAct(visit, createSecret, { fields: {}, effect: 'Creates a client secret, which is shown once. The others stay valid.' })}
    </div>`;

const changeKeys = changeAct({ operation: 'connect_applications.set_keys', label: 'Change the public keys' });

const applicationPage = recordPage({
  path: 'e/{environment}/applications/{id}',
  title: 'Application',
  permission: 'config.read',
  parent: 'e/{environment}/applications',
  operation: 'connect_applications.get',
  change: 'connect_applications.update',
  acts: [createSecret, deleteSecret, changeKeys],
  removal: {
    act: {
      name: 'delete-application',
      label: 'Delete the application',
      operation: 'connect_applications.delete',
      call: (_, { params: { id } }) => call('connect_applications.delete', { id }),
      done: 'The application is deleted.',
      next: (visit) => addressIn(visit, 'applications'),
    },
    effect: (name) => `The secrets and tokens of “${name}” are invalid from then on. It cannot be undone.`,
  },
  calls: ({ params: { id } }) => ({
    secrets: call('client_secrets.list', { id }),
    keys: call('connect_applications.get_keys', { id }),
  }),
  more: ({ secrets, keys }, visit) =>
    html`${secrets !== undefined && panel('Client secrets', secrets as Part<Secret[]>, (data) => renderSecrets(visit, data))}
    ${keys !== undefined && changePanel(visit, 'Public keys', keys, changeKeys)}`,
});

/** OAuth applications with their secrets and keys. */
export const applicationPages = [applicationsPage, applicationPage];
