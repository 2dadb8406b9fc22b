import { call } from './service.ts';

/** Text for the members of the records, such as a payload. */
export type NextText = (most?: number) => string;

/** The ids of the records. */
export interface Records {
  userId: string;
  organizationId: string;
  membershipId: string;
}

async function made<T = { id: string }>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> {
  const { status, body: response } = await call<T>(method, path, body);
  if (status >= 300) throw new Error(`${method} ${path} responded with ${status}: ${JSON.stringify(response)}`);
  return response;
}

/** Fills the environment with one record of each kind that the console shows, with given texts in their members. */
export async function fillEnvironment(text: NextText): Promise<Records> {
  const { id: organizationId } = await made('POST', '/organizations', {
    name: text(),
    external_id: text(64),
    metadata: { note: text(), [`key-${'x'.repeat(3)}`]: text() },
    domain_data: [{ domain: 'acme.example', state: 'verified' }],
  });
  const { id: userId } = await made('POST', '/user_management/users', {
    email: 'ada@acme.example',
    first_name: text(),
    last_name: text(),
    external_id: text(64),
    password: 'a lantern in the gatehouse',
    metadata: { note: text() },
  });
  const { id: membershipId } = await made('POST', '/user_management/organization_memberships', {
    user_id: userId,
    organization_id: organizationId,
  });
  await made('POST', `/user_management/users/${userId}/auth_factors`, {
    type: 'totp',
    totp_issuer: 'Acme',
    totp_user: 'ada@acme.example',
  });
  await made('POST', '/user_management/invitations', { email: 'new@acme.example' });
  await made('POST', '/authorization/permissions', { slug: 'read', name: text(48), description: text() });
  await made('POST', '/authorization/roles', { slug: 'reader', name: text(48), description: text() });
  await made('POST', '/x/feature-flags', { slug: 'beta', name: text(), description: text(), tags: [text(32)] });
  await made('POST', `/organizations/${organizationId}/groups`, { name: text(), description: text() });
  await made('POST', `/authorization/organizations/${organizationId}/roles`, { slug: 'org-own', name: text(48) });
  await made('POST', '/vault/v1/kv', { name: text(), value: 'canary-of-the-vault', key_context: { team: text() } });
  await made('POST', '/webhook_endpoints', { endpoint_url: 'https://hooks.example/in', events: ['user.created'] });
  await made('POST', '/x/connections', {
    organization_id: organizationId,
    name: text(),
    connection_type: 'GenericSAML',
  });
  await made('POST', '/x/directories', { organization_id: organizationId, name: text(), type: 'okta scim v2.0' });
  await made('PUT', '/x/pages/settings', { brand_name: text(80) });
  return { userId, organizationId, membershipId };
}

/** Adds records of further kinds, whose texts are no person's: agents, applications, actions, audit logs, Radar. */
export async function fillFurther(text: NextText = () => 'Plain'): Promise<{ attemptId: string }> {
  await made('POST', '/agents/blueprints', { name: text(100), description: text(), permissions: [] });
  await made('POST', '/connect/applications', {
    name: text(100),
    description: text(),
    application_type: 'oauth',
    redirect_uris: [{ uri: 'https://app.example/callback', default: true }],
    is_first_party: true,
  });
  await made('POST', '/data-integrations', {
    provider: 'acme-crm',
    description: text(),
    auth_methods: ['api_key'],
    custom_provider: { name: text() },
  });
  await made('POST', '/x/actions/endpoints', { type: 'user_registration', endpoint_url: 'https://hooks.example/act' });
  await made('POST', '/audit_logs/actions/user.signed_in/schemas', { targets: [{ type: 'team' }] });
  const { attempt_id: attemptId } = await made<{ attempt_id: string }>('POST', '/radar/attempts', {
    ip_address: '203.0.113.7',
    user_agent: text(),
    email: 'ada@acme.example',
    auth_method: 'Password',
    action: 'sign-in',
  });
  await made('POST', '/user_management/redirect_uris', { uri: 'https://app.example/other' });
  return { attemptId };
}

const SECRET_NAMES = new Set([
  'password_reset_token',
  'secret',
  'token',
  'value',
  'code',
  'client_secret',
  'bearer_token',
  'access_token',
  'refresh_token',
]);

/** The texts of members of a response that are secrets. */
function listSecrets(body: unknown): string[] {
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]: [string, unknown]) =>
    SECRET_NAMES.has(name) && typeof value === 'string' && value !== '' ? [value] : listSecrets(value),
  );
}

/**
 * Makes a secret of each kind that the service stores or responds with once.
 * @returns the secrets by the call that made them
 */
export async function makeSecrets({
  userId,
  organizationId,
}: Pick<Records, 'userId' | 'organizationId'>): Promise<Map<string, string[]>> {
  const secrets = new Map<string, string[]>([['password', ['a lantern in the gatehouse']]]);
  const make = async (method: 'POST' | 'PUT', path: string, body: object, sent: readonly string[] = []) => {
    const response = await made<{ id: string }>(method, path, body);
    const found = [...listSecrets(response), ...sent];
    if (found.length === 0) throw new Error(`${method} ${path} has no secret: ${JSON.stringify(response)}`);
    secrets.set(`${method} ${path}`, found);
    return response;
  };
  const user = `/user_management/users/${userId}`;
  await make('POST', `${user}/api_keys`, { name: 'CI', organization_id: organizationId });
  await make('POST', `/organizations/${organizationId}/api_keys`, { name: 'CI' });
  await make('POST', `${user}/auth_factors`, { type: 'totp', totp_issuer: 'Acme', totp_user: 'ada' });
  await make('POST', '/user_management/invitations', { email: 'secret@acme.example' });
  await make('POST', '/user_management/magic_auth', { email: 'ada@acme.example' });
  await make('POST', '/user_management/password_reset', { email: 'ada@acme.example' });
  await make('POST', '/x/actions/endpoints', { type: 'authentication', endpoint_url: 'https://hooks.example/login' });
  await make('POST', '/webhook_endpoints', { endpoint_url: 'https://hooks.example/two', events: ['user.updated'] });
  await make('POST', '/vault/v1/kv', { name: 'canary', value: 'canary-in-the-vault', key_context: { team: 'a' } }, [
    'canary-in-the-vault',
  ]);
  await make(
    'PUT',
    '/x/social/providers/GoogleOAuth',
    { client_id: 'client-at-google', client_secret: 'canary-of-the-provider' },
    ['canary-of-the-provider'],
  );
  await make(
    'PUT',
    `/x/organizations/${organizationId}/audit_log_stream`,
    { type: 'Splunk', url: 'https://splunk.example.com/services/collector', token: 'canary-of-the-stream' },
    ['canary-of-the-stream'],
  );
  const { data } = await made<{ data: { id: string }[] }>('GET', '/directories');
  const [directory] = data;
  if (directory !== undefined) await make('POST', `/x/directories/${directory.id}/tokens`, {});
  const { id: applicationId } = await made('POST', '/connect/applications', {
    name: 'Machine',
    application_type: 'm2m',
    organization_id: organizationId,
    scopes: [],
  });
  await make('POST', `/connect/applications/${applicationId}/client_secrets`, {});
  return secrets;
}
