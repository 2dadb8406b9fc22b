import { html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import { type Act, call, type Part } from '../page/declare.ts';
import { addressIn, type Visit } from '../page/visit.ts';
import { given, linesField, textField } from '../view/fields.ts';
import { listPage } from '../view/list-page.ts';
import { frame, type List, panel, tableOr } from '../view/parts.ts';
import { recordPage } from '../view/record-page.ts';
import { code, record, small, state, when } from '../view/values.ts';
import { certificatesPage, renderCertificatesLink } from './certificates.ts';

/** The longest metadata document in a form, in characters: one that waits for a proof of identity has at most 64 KB. */
const LONGEST_METADATA = 60_000;

interface Connection {
  id: string;
  name: string;
  connection_type: string;
  state: string;
  organization_id?: string | null;
  domains?: { domain: string }[];
  created_at: string;
}

const createConnection: Act = {
  name: 'create-connection',
  label: 'Add a connection',
  operation: 'sso_connections.create_draft',
  call: ({ organization, name, type }) =>
    call(
      'sso_connections.create_draft',
      {},
      {},
      { organization_id: organization?.trim(), name: given(name), connection_type: given(type) },
    ),
  done: 'The draft is added. Enter what the identity provider shows, then set its state to active.',
  next: (visit, body) => addressIn(visit, 'connections', (body as Connection).id),
};

const connectionsPage = listPage<Connection>({
  path: 'e/{environment}/connections',
  title: 'Connections',
  permission: 'config.read',
  menu: { group: 'Sign-in', shortcut: 'c' },
  operation: 'connections.list',
  exported: 'connections',
  acts: [createConnection],
  above: (visit) =>
    renderAct(visit, createConnection, {
      fields: {},
      effect: 'Adds a draft, by which no user can sign in until it is complete and active.',
      more: (kept) =>
        html`${textField(kept, { name: 'organization', label: 'Organization id', isRequired: true, hint: 'org_…' })}
        ${textField(kept, { name: 'name', label: 'Name; that of the organization if empty' })}
        ${textField(kept, { name: 'type', label: 'Type, which can be chosen later', most: 64, hint: 'OktaSAML, GenericSAML, EntraIdOIDC, GenericOIDC …' })}`,
    }),
  filters: [
    { name: 'search', label: 'Name', isWide: true },
    { name: 'organization_id', label: 'Organization id', placeholder: 'org_…' },
    { name: 'domain', label: 'Domain' },
  ],
  idPrefix: 'conn',
  columns: (visit) => [
    {
      title: 'Connection',
      // A provider of sign-in is listed as a connection of no organization.
      cell: (each) =>
        (each.organization_id ?? '') === ''
          ? html`<a href="${addressIn(visit, 'providers', each.connection_type)}">${each.name}</a>`
          : record(visit, each.id, each.name),
    },
    { title: 'Type', cell: (each) => each.connection_type },
    { title: 'State', cell: (each) => state(each.state) },
    { title: 'Organization', cell: (each) => record(visit, each.organization_id) },
    { title: 'Created', look: 'when', cell: (each) => when(each.created_at) },
  ],
  none: 'No connections yet. POST /x/connections makes the first one, or an administrator of a customer in the portal.',
});

interface Attempt {
  id: string;
  kind: string;
  outcome: string;
  error: { code: string; message: string } | null;
  profile: { email: string } | null;
  user_id: string | null;
  ip_address: string | null;
  created_at: string;
}

const renderAttempts = (visit: Visit, { data }: List<Attempt>) =>
  tableOr(
    'Attempts',
    [
      {
        title: 'Attempt',
        cell: (each) =>
          html`<a href="${addressIn(visit, 'connections', visit.params.id ?? '', 'attempts', each.id)}"
            >${each.kind.replaceAll('_', ' ')}</a
          >`,
      },
      {
        title: 'Outcome',
        cell: (each) => html`${state(each.outcome)}${small(each.error?.message)}`,
      },
      {
        title: 'Who',
        cell: (each) =>
          each.user_id === null ? each.profile?.email : record(visit, each.user_id, each.profile?.email),
      },
      { title: 'Address', cell: (each) => each.ip_address },
      { title: 'Time', look: 'when', cell: (each) => when(each.created_at) },
    ],
    data,
    'No sign-in through this connection yet.',
  );

interface Whole {
  connection_type: string;
  state: string;
  saml_options: object | null;
  oidc_options: object | null;
}

/** The groups of options that a connection does not have, by its protocol; its type is in the other form. */
const omitOptions = (connection: unknown): string[] => {
  const { saml_options: saml, oidc_options: oidc } = connection as Whole;
  return ['connection_type', ...(saml === null ? ['saml_options'] : []), ...(oidc === null ? ['oidc_options'] : [])];
};

/** The type is a member of the form of drafts only: the others keep theirs. */
const omitType = (connection: unknown): string[] =>
  ['draft', 'requires_type'].includes((connection as Whole).state) ? [] : ['connection_type'];

const putMetadata: Act = {
  name: 'put-metadata',
  label: 'Use a metadata file',
  operation: 'sso_connections.put_metadata',
  call: ({ metadata }, { params: { id } }) => call('sso_connections.put_metadata', { id }, {}, { metadata }),
  done: 'Entity id, sign-in URL and certificates are those of the metadata.',
};

/** Begins a sign-in that signs no user in. Its address is opened by the operator, in this browser or another one. */
const testSignIn: Act = {
  name: 'test-sign-in',
  label: 'Test the sign-in',
  operation: 'sso_test_sign_ins.create',
  call: (_, { params: { id } }) => call('sso_test_sign_ins.create', { id }, {}, {}),
  done: 'The test is prepared.',
  show: (body) => {
    const { url, expires_at: end } = body as { url: string; expires_at: string };
    return frame(
      'Address of the test',
      html`<div class="pad">
        <p>
          Open it in a browser, also in that of the customer: it leads to the identity provider, and then to a page with
          each check.
        </p>
        <p>${code(url)}</p>
        <p class="hint">Valid until ${when(end)}. The attempt is then in the list of the connection.</p>
      </div>`,
    );
  },
};

const removeConnection: Act = {
  name: 'delete-connection',
  label: 'Delete the connection',
  operation: 'connections.delete',
  call: (_, { params: { id } }) => call('connections.delete', { id }),
  done: 'The connection is being deleted: no user can sign in through it.',
  next: (visit) => addressIn(visit, 'connections'),
};

const connectionPage = recordPage({
  path: 'e/{environment}/connections/{id}',
  title: 'Connection',
  permission: 'config.read',
  parent: 'e/{environment}/connections',
  operation: 'sso_connections.get',
  change: [
    { operation: 'connections.update', label: 'Change the identity provider', omits: omitOptions },
    { operation: 'sso_connections.update', label: 'Change state and settings', omits: omitType },
  ],
  acts: [putMetadata, testSignIn],
  removal: {
    act: removeConnection,
    effect: (name) =>
      `No user can sign in through “${name}” from then on. Its profiles are removed; the users stay. It cannot be undone.`,
  },
  calls: ({ params: { id } }) => ({
    attempts: call<List<Attempt>>('sso_attempts.list', { id }, { limit: 25, order: 'desc' }),
  }),
  more: ({ record: own, attempts }, visit) =>
    html`${panel(
      'Attempts to sign in',
      attempts as Part<List<Attempt>>,
      (list) =>
        html`${renderAttempts(visit, list)}
          <div class="pad">
            ${renderAct(visit, testSignIn, { fields: {}, effect: 'Makes an address that shows what a sign-in would do. It signs no user in and creates none, also for a draft.' })}
          </div>`,
    )}
    ${own?.state === 'shown' && (own.value as Whole).saml_options !== null && renderMetadata(visit)}`,
});

function renderMetadata(visit: Visit) {
  const form = renderAct(visit, putMetadata, {
    fields: {},
    effect:
      'Replaces the entity id, the sign-in URL and the certificates of the identity provider, and removes a metadata URL.',
    more: (kept) =>
      linesField(kept, { name: 'metadata', label: 'SAML metadata as XML', isRequired: true, most: LONGEST_METADATA }),
  });
  return frame('Identity provider', html`<div class="pad">${form}</div>`, renderCertificatesLink(visit));
}

const attemptPage = recordPage({
  path: 'e/{environment}/connections/{id}/attempts/{attempt_id}',
  title: 'Attempt',
  permission: 'config.read',
  parent: 'e/{environment}/connections/{id}',
  operation: 'sso_attempts.get',
});

/** Connections for single sign-on with their attempts. */
export const connectionPages = [connectionsPage, connectionPage, certificatesPage, attemptPage];
