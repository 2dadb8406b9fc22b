import { randomUUID } from 'node:crypto';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { findParams, operations } from '../../contract/described.ts';
import type { Api } from '../../contract/samples/sample.ts';
import { testPair } from '../../support/certificates.ts';
import { addTypes } from '../../support/resource-types.ts';

/** The parts of a call that its operation does not fix. */
export interface Parts {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

/** Creates the records of a call. @param key the API key that the example sends in its body */
type Make = (api: Api, key: string) => Promise<Partial<Parts>>;

const PASSWORD = 'plain tulips over kelp';
const newEmail = (): string => `${randomUUID()}@example.com`;

async function make({ create }: Api, path: string, body: object): Promise<string> {
  return String((await create(path, body)).id);
}

/** Sends a call that creates nothing with an id of its own, and must succeed. */
async function send<T>({ send: call }: Api, method: string, path: string, body?: object): Promise<T> {
  const { status, text, json } = await call(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
  if (status >= 300) throw new Error(`${method} ${path} responded with ${status}: ${text}`);
  return json as T;
}

const newOrganization = (api: Api): Promise<string> => make(api, '/organizations', { name: 'Acme' });
const newUser = (api: Api): Promise<string> => make(api, '/user_management/users', { email: newEmail() });

async function newMember(api: Api): Promise<{ user_id: string; organization_id: string; membership: string }> {
  const members = { user_id: await newUser(api), organization_id: await newOrganization(api) };
  return { ...members, membership: await make(api, '/user_management/organization_memberships', members) };
}

/** The part of the model of an environment that an example adds to. */
interface Model {
  permissions: { slug: string }[];
  roles: { slug: string }[];
}

/** A project of a member's organization, and a role that can be assigned on it. */
async function newProject(api: Api) {
  await addTypes({ project: ['organization'] }, async (method, path, body) => {
    const { status, json } = await api.send(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
    return { status, body: json };
  });
  const { organization_id, membership } = await newMember(api);
  const body = {
    organization_id,
    resource_type_slug: 'project',
    external_id: `project-${randomUUID()}`,
    name: 'Apollo',
  };
  const resource_id = await make(api, '/authorization/resources', body);
  const role_slug = `editor-${randomUUID().slice(0, 8)}`;
  await api.create('/authorization/roles', { slug: role_slug, name: 'Editor', resource_type_slug: 'project' });
  return { organization_id, membership, resource_id, role_slug };
}

/** A document that a member may edit, and the check of that. */
async function newDocument(api: Api): Promise<{ membership: string; check: Record<string, string> }> {
  await addTypes({ document: ['organization'] }, async (method, path, body) => {
    const { status, json } = await api.send(method, path, body === undefined ? {} : { body: JSON.stringify(body) });
    return { status, body: json };
  });
  const model = await send<Model>(api, 'GET', '/x/authorization/model');
  const [permission_slug, role_slug] = ['document:edit', 'document-editor'];
  if (!model.permissions.some(({ slug }) => slug === permission_slug)) {
    const permission = { slug: permission_slug, name: 'Edit documents', resource_type_slug: 'document' };
    const role = { slug: role_slug, name: 'Editor', resource_type_slug: 'document', permissions: [permission_slug] };
    const added = { permissions: [...model.permissions, permission], roles: [...model.roles, role] };
    await send(api, 'PUT', '/x/authorization/model', { ...model, ...added });
  }
  const { organization_id, membership } = await newMember(api);
  const resource = { resource_external_id: 'budget', resource_type_slug: 'document' };
  const { resource_external_id: external_id, resource_type_slug } = resource;
  await api.create('/authorization/resources', { organization_id, resource_type_slug, external_id, name: 'Budget' });
  await api.create(`/authorization/organization_memberships/${membership}/role_assignments`, {
    role_slug,
    ...resource,
  });
  return { membership, check: { permission_slug, ...resource } };
}

/** An OAuth application with a secret. */
async function newApplication(api: Api): Promise<{ client_id: string; client_secret: string }> {
  const redirect_uris = [{ uri: 'https://web.example.org/callback' }];
  const body = { name: 'Web', application_type: 'oauth', is_first_party: true, redirect_uris };
  const { id, client_id } = await api.create('/connect/applications', body);
  const { secret } = await api.create(`/connect/applications/${String(id)}/client_secrets`, {});
  return { client_id: String(client_id), client_secret: String(secret) };
}

const newAttempt = (): Record<string, string> => ({
  ip_address: '203.0.113.7',
  user_agent: 'Mozilla/5.0',
  email: newEmail(),
  auth_method: 'Password',
  action: 'sign-in',
});

const readServer = ({ environmentId }: Api): { clientId: string } => ({ clientId: makeClientId(environmentId) });

/** An integration of an own provider, whose accounts belong to organizations. */
async function newIntegration(api: Api): Promise<string> {
  const provider = `tracker-${randomUUID().slice(0, 8)}`;
  await api.create('/data-integrations', {
    provider,
    ownership: 'organization',
    enabled: true,
    auth_methods: ['oauth'],
    credentials: { type: 'custom', client_id: 'id', client_secret: 'a-secret' },
    custom_provider: {
      name: 'Tracker',
      authorization_url: 'https://tracker.example/authorize',
      token_url: 'https://tracker.example/token',
    },
  });
  return provider;
}

async function newAccount(api: Api) {
  const { user_id, organization_id } = await newMember(api);
  const slug = await newIntegration(api);
  return { params: { organization_id, slug }, body: { user_id, access_token: 'a-token' } };
}

interface Registered {
  identity: { assertion: string } | null;
  claim?: { token: string; attempt?: { verification_uri: string } };
}

/** Registers an agent of another party. */
async function register(api: Api, body: object): Promise<Registered> {
  const registrations = { anonymous: true, service_auth: true, claim_uri: 'https://app.example.com/claim' };
  await send(api, 'PUT', '/x/agents/settings', { registrations });
  return send(api, 'POST', `/x/agents/environments/${readServer(api).clientId}/identity`, body);
}

const newTarget = async (api: Api) => ({ target: 'user', target_id: await newUser(api) });

/** Stops the agents of a user. */
async function stopped(api: Api): Promise<Record<string, string>> {
  const target = await newTarget(api);
  await send(api, 'POST', '/x/agents/stop', { ...target, reason: 'Exports at night' });
  return target;
}

const newDirectory = async (api: Api): Promise<string> =>
  make(api, '/x/directories', { organization_id: await newOrganization(api), name: 'Acme people' });

/** The metadata of an identity provider, as its administrator downloads it. */
const makeMetadata = (certificate: string): string =>
  '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://idp.acme.example/metadata">' +
  '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">' +
  '<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>' +
  `<X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor>` +
  '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.acme.example/sso"/>' +
  '</IDPSSODescriptor></EntityDescriptor>';

/** An endpoint with a next secret, which the operation of an id promotes. */
async function rotated(api: Api, id: string): Promise<Record<string, string>> {
  const promoting = operations.find(({ operation }) => operation.id === id);
  const params = (promoting && (await findParams(promoting, api))) ?? {};
  const path = promoting?.operation.path.replace('{id}', params.id ?? '').replace(/promote_secret$/, 'rotate_secret');
  await send(api, 'POST', path ?? '', {});
  return params;
}

/** Examples of operations whose sample in the contract tests is rejected, because nothing more is needed there. */
export const OWN: Readonly<Record<string, Make>> = {
  'authentication.authenticate': async (api, key) => {
    const email = newEmail();
    await api.create('/user_management/users', { email, password: PASSWORD, email_verified: true });
    const client_id = makeClientId(api.environmentId);
    return { body: { grant_type: 'password', client_id, client_secret: key, email, password: PASSWORD } };
  },
  'authorization.check': async (api) => {
    const { membership, check } = await newDocument(api);
    return { params: { organization_membership_id: membership }, body: check };
  },
  'x_authorization.check_many': async (api) => {
    const { membership, check } = await newDocument(api);
    return { body: { organization_membership_id: membership, checks: [check] } };
  },
  'x_authorization.explain': async (api) => {
    const { membership, check } = await newDocument(api);
    return { body: { organization_membership_id: membership, ...check } };
  },
  'authzen.evaluations': async (api) => {
    const { user_id, organization_id } = await newMember(api);
    const resource = { type: 'organization', id: organization_id };
    const names = ['widgets:sso:manage', 'widgets:users-table:manage'];
    return {
      body: {
        subject: { type: 'user', id: user_id },
        evaluations: names.map((name) => ({ action: { name }, resource })),
      },
    };
  },
  'authorization.organization_memberships.resources': async (api) => {
    const { organization_id, membership } = await newProject(api);
    return {
      params: { organization_membership_id: membership },
      query: {
        permission_slug: 'widgets:sso:manage',
        parent_resource_type_slug: 'organization',
        parent_resource_external_id: organization_id,
      },
    };
  },
  'authorization.organization_memberships.role_assignments.create': async (api) => {
    const { membership, resource_id, role_slug } = await newProject(api);
    return { params: { organization_membership_id: membership }, body: { role_slug, resource_id } };
  },
  'authorization.organization_memberships.role_assignments.remove': async (api) => {
    const { membership, resource_id, role_slug } = await newProject(api);
    const body = { role_slug, resource_id };
    await api.create(`/authorization/organization_memberships/${membership}/role_assignments`, body);
    return { params: { organization_membership_id: membership }, body };
  },
  'users.list': async (api) => {
    for (let made = 0; made < 3; made += 1) await newUser(api);
    return { query: { limit: '2' } };
  },
  'invitations.create': async (api) => ({
    body: {
      email: newEmail(),
      organization_id: await newOrganization(api),
      role_slug: 'member',
      expires_in_days: 14,
    },
  }),
  'organization_memberships.list': async (api) => {
    const { user_id, organization_id } = await newMember(api);
    return { query: { user_id, organization_id } };
  },
  'organization_memberships.update': async (api) => {
    const { membership } = await newMember(api);
    return { params: { id: membership }, body: { role_slug: 'member' } };
  },
  'directory_users.list': async (api) => ({ query: { directory: await newDirectory(api) } }),
  'directory_groups.list': async (api) => ({ query: { directory: await newDirectory(api) } }),
  'passkeys.list': async (api) => ({ query: { user_id: await newUser(api) } }),
  'agent_blueprints.validate_token': async (api) => {
    const agent_blueprint_id = await make(api, '/agents/blueprints', { name: `Agent ${randomUUID()}` });
    const body = { type: 'autonomous', organization_id: await newOrganization(api) };
    const path = `/agents/blueprints/${agent_blueprint_id}/tokens`;
    const { access_token } = await send<{ access_token: string }>(api, 'POST', path, body);
    return { params: { agent_blueprint_id }, body: { agent_access_token: access_token } };
  },
  // The stop of an environment would end the sessions of the other examples.
  'agent_stops.create': async (api) => ({ body: { ...(await newTarget(api)), reason: 'Exports at night' } }),
  'agent_stops.get': async (api) => ({ query: await stopped(api) }),
  'agent_stops.lift': async (api) => ({ body: await stopped(api) }),
  'agent_claims.link_attempt': async (api) => {
    const email = newEmail();
    const { claim } = await register(api, { type: 'service_auth', login_hint: email });
    const attempt = new URL(claim?.attempt?.verification_uri ?? '').searchParams.get('claim_attempt_token');
    const user = { email, external_id: `customer-${randomUUID()}` };
    return { body: { type: 'link_external_user', claim_attempt_token: attempt, user } };
  },
  'agent_identity.claim': async (api) => {
    const { claim } = await register(api, { type: 'anonymous' });
    return { params: readServer(api), body: { claim_token: claim?.token, login_hint: newEmail() } };
  },
  'agent_identity.token': async (api) => {
    const { identity } = await register(api, { type: 'anonymous' });
    const body = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: identity?.assertion };
    return { params: readServer(api), body };
  },
  'saml_sp_signing_cert.create': async (api) => {
    const body = { organization_id: await newOrganization(api), name: 'Acme', connection_type: 'GenericSAML' };
    return { params: { connectionId: await make(api, '/x/connections', body) }, body: {} };
  },
  'sso_connections.put_metadata': async (api) => {
    const body = { organization_id: await newOrganization(api), name: 'Acme', connection_type: 'GenericSAML' };
    const certificate = testPair('sample').cert.replaceAll(/-----[^-]+-----|\s/g, '');
    return { params: { id: await make(api, '/x/connections', body) }, body: { metadata: makeMetadata(certificate) } };
  },
  'oauth2.device_authorization': async (api) => ({
    params: readServer(api),
    body: { ...(await newApplication(api)) },
  }),
  'oauth2.par': async (api) => {
    const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' };
    const body = { ...(await newApplication(api)), response_type: 'code', ...challenge };
    return { params: readServer(api), body: { ...body, redirect_uri: 'https://web.example.org/callback' } };
  },
  'oauth2.openid_metadata': async (api) => ({ params: readServer(api) }),
  'connected_accounts.import_of_organization': newAccount,
  'connected_accounts.update_of_organization': async (api) => {
    const { params, body } = await newAccount(api);
    await api.create(`/organizations/${params.organization_id}/connected_accounts/${params.slug}`, body);
    return { params, body: { ...body, access_token: 'another-token' } };
  },
  'radar.create_attempt': async () => ({ body: newAttempt() }),
  'radar.update_attempt': async (api) => {
    const { attempt_id } = await send<{ attempt_id: string }>(api, 'POST', '/radar/attempts', newAttempt());
    return { params: { id: attempt_id }, body: { attempt_status: 'success' } };
  },
  'radar.add_list_entry': async () => ({
    params: { type: 'ip_address', action: 'block' },
    body: { entry: '198.51.100.0/24' },
  }),
  'hosted_oauth_resources.create': async () => ({ body: { uri: `https://${randomUUID()}.example.com/mcp` } }),
  'jwt_template.get': async (api) => {
    await send(api, 'PUT', '/user_management/jwt_template', { content: '{"plan": "free"}' });
    return {};
  },
  'user_api_keys.create': async (api) => {
    const { user_id, organization_id } = await newMember(api);
    return { params: { userId: user_id }, body: { name: 'Export', organization_id } };
  },
  'action_endpoints.promote_secret': async (api) => ({ params: await rotated(api, 'action_endpoints.promote_secret') }),
  'webhook_endpoints.promote_secret': async (api) => ({
    params: await rotated(api, 'webhook_endpoints.promote_secret'),
  }),
};
