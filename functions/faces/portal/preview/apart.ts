/** Every page of the portal with sample values, which a deployed function loads as a file of its own with the first preview (`lib/stack/apart.ts`). */
import { auditLogPage } from '../audit-log/operations.ts';
import { certificatePage, certificatesPage } from '../certificate/operations.ts';
import { directoryPage } from '../directory/directory-operations.ts';
import { directoriesPage } from '../directory/operations.ts';
import { domainsPage } from '../domain/operations.ts';
import { INTENTS } from '../../../tenancy/modules/portal-access/public.ts';
import { logStreamPage } from '../log-stream/operations.ts';
import { finishPage, overviewPage } from '../overview/operations.ts';
import { ownKeyPage } from '../own-key/operations.ts';
import type { PortalPage } from '../page/page-operations.ts';
import { renderPage } from '../page/render.ts';
import type { Api } from '../session/api.ts';
import type { Visit } from '../session/visit.ts';
import { connectionPage } from '../sso/connection-operations.ts';
import { connectionsPage } from '../sso/operations.ts';
import { translateFor } from '../words/index.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import { AT, EMAIL, type Sample } from '../../../kernel/pages/sample.ts';

const URL_BASE = 'https://auth.acme.example/sso/saml';
const connection = {
  id: 'conn_sample',
  name: 'Okta',
  connection_type: 'OktaSAML',
  state: 'draft',
  updated_at: AT,
  saml_options: {
    idp_metadata_url: null,
    idp_entity_id: 'https://okta.example/acme',
    idp_sso_url: 'https://okta.example/acme/sso',
    idp_signing_certs: [{ id: 'cert_sample', not_before: AT, not_after: '2029-01-15T12:00:00.000Z' }],
    acs_url: `${URL_BASE}/acs/sample`,
    sp_entity_id: `${URL_BASE}/metadata/sample`,
    sp_metadata_url: `${URL_BASE}/metadata/sample`,
    sp_signing_cert: null,
  },
  oidc_options: null,
  attribute_maps: { standard_attributes: {} },
  settings: { group_roles: [{ group: 'Engineering', role_slug: 'member' }] },
};
const directory = {
  id: 'directory_sample',
  name: 'Okta',
  type: 'okta scim v2.0',
  state: 'linked',
  scim_url: 'https://auth.acme.example/scim/v2.0/sample',
  metadata: { users: { active: 42, inactive: 1 }, groups: 5 },
  custom_attributes: { department_name: 'department' },
  group_roles: [{ group: 'Engineering', role_slug: 'member' }],
  tokens: [{ id: 'token_sample', token_suffix: '4f7k', created_at: AT }],
};
const attempt = {
  id: 'attempt_sample',
  kind: 'test',
  outcome: 'succeeded',
  error: null,
  checks: [{ check: 'signature', outcome: 'passed', detail: null }],
  claims: { email: EMAIL },
  profile: { idp_id: 'ada', email: EMAIL, first_name: 'Ada', last_name: 'Lovelace', groups: ['Engineering'] },
  consequence: { kind: 'create_user', reason: null, roles: ['member'] },
  created_at: AT,
  updated_at: AT,
};
const domains = [
  { id: 'org_domain_1', domain: 'acme.example', state: 'verified' },
  {
    id: 'org_domain_2',
    domain: 'acme.test',
    state: 'pending',
    verification_prefix: '_gatehouse',
    verification_token: 'x7k2',
  },
];
const stream = {
  type: 'GenericHttps',
  state: 'active',
  destination: 'https://logs.acme.example',
  last_synced_at: AT,
  last_error: null,
};
const key = { id: 'key_sample', key_arn: 'arn:aws:kms:eu-west-1:111122223333:key/sample', updated_at: AT };

/** The responses of the API in the samples: the first whose path matches. */
const RESPONSES: readonly (readonly [RegExp, unknown])[] = [
  [/^\/authorization\/organizations\/.*\/roles/, { data: [{ slug: 'member', name: 'Member' }] }],
  [/^\/x\/organizations\/.*\/audit_log_stream/, stream],
  [/^\/organizations\//, { name: 'Acme', domains }],
  [/^\/connections\?/, { data: [connection] }],
  [/^\/connections\/.*\/saml_sp_encryption_certs/, { data: [] }],
  [/^\/x\/connections\/.*\/attempts/, { data: [attempt] }],
  [/^\/x\/connections\//, connection],
  [/^\/directories\?/, { data: [directory] }],
  [/^\/directory_groups\?/, { data: [{ name: 'Engineering' }] }],
  [/^\/directory_users\?/, { data: [{ email: EMAIL, first_name: 'Ada', last_name: 'Lovelace', state: 'active' }] }],
  [/^\/x\/directories\//, directory],
  [
    /^\/x\/audit_logs\/exports/,
    {
      data: [{ id: 'audit_log_export_sample', state: 'ready', range_start: '2025-12-01T00:00:00.000Z', range_end: AT }],
    },
  ],
  [/^\/x\/vault\/customer_keys/, { data: [key] }],
];

/** Responds to the calls of the portal's pages. @throws Error for a call that no sample has */
const sampleApi: Api = async <T>(method: string, path: string): Promise<T> => {
  const found = RESPONSES.find(([pattern]) => method === 'GET' && pattern.test(path));
  if (found === undefined) throw new Error(`The samples of the portal do not respond to ${method} ${path}`);
  return found[1] as T;
};

async function makeVisit(
  surroundings: Surroundings,
  environmentId: string,
  params: Record<string, string>,
): Promise<Visit> {
  return {
    environmentId,
    session: {
      hash: '',
      endsAt: 0,
      holderId: 'org_sample',
      organizationId: 'org_sample',
      intents: [...INTENTS],
      actorId: 'sample',
      actorName: null,
    },
    cookie: 'sample',
    surroundings,
    locale: surroundings.language.locale,
    translate: await translateFor(surroundings),
    api: sampleApi,
    params: { connection_id: connection.id, directory_id: directory.id, ...params },
    query: new URLSearchParams(),
    path: () => '#',
  };
}

const sample = (own: PortalPage, title: string, step?: string): Sample => ({
  name: ['portal', own.name, step].filter(Boolean).join('-'),
  title,
  render: async (surroundings, environmentId) => {
    const visit = await makeVisit(surroundings, environmentId, step === undefined ? {} : { step });
    return renderPage(visit, await own.show(visit));
  },
});

/** Every page of the portal, of an organization with one of each thing. */
export const PORTAL_PAGES: readonly Sample[] = [
  sample(overviewPage, 'Tasks'),
  sample(domainsPage, 'Domains'),
  sample(connectionsPage, 'Single sign-on'),
  sample(connectionPage, 'Connection: configuration', 'configure'),
  sample(connectionPage, 'Connection: attributes', 'attributes'),
  sample(connectionPage, 'Connection: roles', 'roles'),
  sample(connectionPage, 'Connection: keys', 'keys'),
  sample(connectionPage, 'Connection: test', 'test'),
  sample(directoriesPage, 'Directories'),
  sample(directoryPage, 'Directory: connection', 'connect'),
  sample(directoryPage, 'Directory: attributes', 'attributes'),
  sample(directoryPage, 'Directory: roles', 'roles'),
  sample(certificatesPage, 'Certificates'),
  sample(certificatePage, 'Certificates of a connection'),
  sample(auditLogPage, 'Audit logs'),
  sample(logStreamPage, 'Log stream'),
  sample(ownKeyPage, 'Own key'),
  sample(finishPage, 'End of the setup'),
];
