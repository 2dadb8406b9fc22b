import { call } from './service.ts';

/** Text for the members of the records, such as a payload. */
export type NextText = (most?: number) => string;

/** The ids of the records. */
export interface Records {
  userId: string;
  organizationId: string;
  membershipId: string;
}

async function made<T = { id: string }>(method: 'POST' | 'PUT', path: string, body: object): Promise<T> {
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
