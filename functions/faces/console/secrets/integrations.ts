import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type Calls, type Parts, type Sent } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { checkField, choiceField, given, givenLines, linesField, secretField, textField } from '../view/fields.ts';
import { listPage } from '../view/list-page.ts';
import { frame } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { state, tags, when, yesNo } from '../view/values.ts';

interface Integration {
  slug: string;
  integration_type: string;
  ownership: string;
  enabled: boolean;
  state: string;
  scopes: string[] | null;
  auth_methods: string[];
  custom_provider: object | null;
  updated_at: string;
}

/** The page of an integration. Each provider can have two integrations: one for users, and one for organizations. */
const integrationAddress = (visit: Visit, { slug, ownership }: Pick<Integration, 'slug' | 'ownership'>): string =>
  addressIn(visit, 'pipes', slug, ...(ownership === 'organization' ? ['organization'] : []));

const METHODS = { oauth: 'OAuth', api_key: 'API keys', client_credentials: 'Client credentials' } as const;

/** The definition of a provider that the catalogue does not have; undefined without a name. */
const readCustomProvider = ({ custom_name: name, authorization_url: authorization, token_url: token }: Sent) =>
  given(name) === undefined ? undefined : { name, authorization_url: given(authorization), token_url: given(token) };

const createIntegration: Act = {
  name: 'create-integration',
  label: 'Add an integration',
  operation: 'data_integrations.create',
  call: (sent) => {
    const { provider, ownership, description, credentials = '', client_id: clientId, client_secret: secret } = sent;
    return call(
      'data_integrations.create',
      {},
      {},
      {
        provider: provider?.trim(),
        ownership,
        description: given(description),
        auth_methods: Object.keys(METHODS).filter((method) => sent[method] === 'on'),
        scopes: givenLines(sent.scopes),
        credentials:
          credentials === ''
            ? undefined
            : { type: credentials, client_id: given(clientId), client_secret: given(secret) },
        custom_provider: readCustomProvider(sent),
      },
    );
  },
  done: 'The integration is added. Accounts can be connected once it is enabled.',
  next: (visit, body) => integrationAddress(visit, body as Integration),
};

const renderCreation = (visit: Visit) =>
  renderAct(visit, createIntegration, {
    fields: {},
    effect: 'Adds a disabled integration of a provider, to which users or organizations connect their accounts.',
    more: (kept) =>
      html`${textField(kept, { name: 'provider', label: 'Slug of the provider, of the catalogue or your own', isRequired: true, most: 63, hint: 'github' })}
      ${choiceField(kept, { name: 'ownership', label: 'Whose accounts', options: { user: 'Users', organization: 'Organizations' } })}
      ${Object.entries(METHODS).map(([name, label]) => checkField(kept ?? { oauth: 'on' }, { name, label }))}
      ${textField(kept, { name: 'description', label: 'Description', most: 1_000 })}
      ${linesField(kept, { name: 'scopes', label: 'Scopes, one a line; those of the provider if empty' })}
      ${choiceField(kept, { name: 'credentials', label: 'OAuth client', options: { '': 'None', custom: 'The one below', organization: 'Each organization has its own' } })}
      ${textField(kept, { name: 'client_id', label: 'Client id', most: 1_024 })}
      ${secretField({ name: 'client_secret', label: 'Client secret' })}
      ${textField(kept, { name: 'custom_name', label: 'Name of your own provider, if it is not of the catalogue' })}
      ${textField(kept, { name: 'authorization_url', label: 'Its authorization URL', most: 2_048 })}
      ${textField(kept, { name: 'token_url', label: 'Its token URL', most: 2_048 })}`,
  });

const integrationsPage = listPage<Integration>({
  path: 'e/{environment}/pipes',
  title: 'Connected accounts',
  permission: 'config.read',
  menu: { group: 'Secrets' },
  operation: 'data_integrations.list',
  acts: [createIntegration],
  above: renderCreation,
  columns: (visit) => [
    {
      title: 'Integration',
      cell: (each) => html`<a href="${integrationAddress(visit, each)}">${each.slug}</a>`,
    },
    { title: 'For', cell: (each) => (each.ownership === 'user' ? 'Users' : 'Organizations') },
    { title: 'Enabled', cell: (each) => yesNo(each.enabled) },
    { title: 'State', cell: (each) => state(each.state) },
    { title: 'Methods', cell: (each) => tags(each.auth_methods) },
    { title: 'Updated', look: 'when', cell: (each) => when(each.updated_at) },
  ],
  none: 'No integrations yet. The form above or POST /data-integrations makes the first one.',
});

/** The owner of a connected account in a form. */
const readOwner = ({ user = '', organization }: Sent) => ({
  user_id: user.trim(),
  organization_id: given(organization),
});

const storeKey: Act = {
  name: 'store-api-key',
  label: 'Store an API key',
  operation: 'data_integrations.upsert_api_key',
  call: (sent, { params: { slug } }) =>
    call('data_integrations.upsert_api_key', { slug }, {}, { ...readOwner(sent), secret: sent.secret }),
  done: 'The API key is stored. No page shows it again.',
};

const storeClient: Act = {
  name: 'store-client',
  label: 'Store client credentials',
  operation: 'data_integrations.upsert_client_credentials',
  call: (sent, { params: { slug } }) =>
    call(
      'data_integrations.upsert_client_credentials',
      { slug },
      {},
      {
        ...readOwner(sent),
        client_id: sent.client,
        client_secret: sent.secret,
      },
    ),
  done: 'The client credentials are stored. No page shows the secret again.',
};

const ownerFields = (kept: Sent | undefined) =>
  html`${textField(kept, { name: 'user', label: 'User id', isRequired: true, hint: 'user_…' })}
  ${textField(kept, { name: 'organization', label: 'Organization id, for an account within one', hint: 'org_…' })}`;

const STORE = 'Connects the account of the user, or replaces what it has. The secret is stored encrypted.';

/** The forms that store the credentials of a user's account, by the methods of the integration. */
function renderStores(visit: Visit, { auth_methods: methods }: Integration) {
  const key =
    methods.includes('api_key') &&
    renderAct(visit, storeKey, {
      fields: {},
      effect: STORE,
      more: (kept) => html`${ownerFields(kept)} ${secretField({ name: 'secret', label: 'API key' })}`,
    });
  const client =
    methods.includes('client_credentials') &&
    renderAct(visit, storeClient, {
      fields: {},
      effect: STORE,
      more: (kept) =>
        html`${ownerFields(kept)}
        ${textField(kept, { name: 'client', label: 'Client id', isRequired: true, most: 1_024 })}
        ${secretField({ name: 'secret', label: 'Client secret' })}`,
    });
  return (key || client) && frame('Accounts', html`<div class="pad actions">${key} ${client}</div>`);
}

/** The members that an integration of the catalogue, or without OAuth, does not have. */
const omitUnused = (integration: unknown): string[] => {
  const { custom_provider: custom, auth_methods: methods } = integration as Integration;
  return [...(custom === null ? ['custom_provider'] : []), ...(methods.includes('oauth') ? [] : ['credentials'])];
};

/** Declares the page of the integrations of users or of organizations. */
const integrationPage = (path: string, suffix: '' | '_of_organizations', owners: string) =>
  recordPage({
    path,
    title: 'Integration',
    permission: 'config.read',
    parent: 'e/{environment}/pipes',
    operation: `data_integrations.get${suffix}`,
    change: [{ operation: `data_integrations.update${suffix}`, omits: omitUnused }],
    ...(suffix === '' && {
      acts: [storeKey, storeClient],
      more: ({ record: own }: Parts<Calls>, visit: Visit) =>
        html`${own?.state === 'shown' && renderStores(visit, own.value as Integration)}`,
    }),
    removal: {
      act: {
        name: 'delete-integration',
        label: 'Delete the integration',
        operation: `data_integrations.delete${suffix}`,
        call: (_, { params: { slug } }) => call(`data_integrations.delete${suffix}`, { slug }),
        done: 'The integration is deleted. What it stored is removed within moments.',
        next: (visit) => addressIn(visit, 'pipes'),
      },
      effect: (slug) =>
        `Deletes the integration ${slug} with the connected accounts of all ${owners}. Nothing is revoked at the provider.`,
    },
  });

/** Integrations of providers, to which users and organizations connect their accounts. */
export const integrationPages = [
  integrationsPage,
  integrationPage('e/{environment}/pipes/{slug}', '', 'users'),
  integrationPage('e/{environment}/pipes/{slug}/organization', '_of_organizations', 'organizations'),
];
