import { beforeEach, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { call, reset } from '../../support/service.ts';
import { organization, rejected, samlConnection } from './support.ts';

beforeEach(() => reset({ calm: true }));

test('URLs with a key that no connection has return 404', async () => {
  for (const [method, path] of [
    ['GET', '/sso/saml/metadata/unknown-key'],
    ['POST', '/sso/saml/acs/unknown-key'],
    ['GET', '/sso/oidc/callback/unknown-key'],
  ] as const) {
    expect(await rejected(method, path, method === 'POST' ? {} : undefined)).toEqual([404, 'not_found']);
  }
});

test('an update is rejected for the external_id of another connection and for unreadable metadata', async () => {
  const organizationId = await organization();
  await samlConnection(organizationId, { external_id: 'taken' });
  const { id } = await samlConnection(organizationId);
  const path = `/connections/${id}`;
  expect(await rejected('PATCH', path, { external_id: 'taken' })).toEqual([400, 'external_id_already_in_use']);
  const server = await receiver('');
  server.respondWith({ body: '<not-metadata/>' });
  const saml_options = { idp_metadata_url: server.url };
  expect(await rejected('PATCH', path, { saml_options })).toEqual([422, 'idp_metadata_fetch_failed']);
  expect((await call('GET', path)).body).toMatchObject({ state: 'active' });
});

test('a draft cannot have an unsupported type, and a connection keeps its type', async () => {
  const organization_id = await organization();
  const unsupported = { organization_id, connection_type: 'AdpOidc' };
  expect(await rejected('POST', '/x/connections', unsupported)).toEqual([400, 'connection_type_not_supported']);
  const missing = { organization_id: 'org_unknown' };
  expect(await rejected('POST', '/x/connections', missing)).toEqual([404, 'not_found']);
  const draft = await call<{ id: string }>('POST', '/x/connections', { organization_id });
  const x = `/x/connections/${draft.body.id}`;
  expect(await rejected('PATCH', x, { connection_type: 'AdpOidc' })).toEqual([400, 'connection_type_not_supported']);
  const { id } = await samlConnection(organization_id);
  expect(await rejected('PATCH', `/x/connections/${id}`, { connection_type: 'OktaSAML' })).toEqual([
    422,
    'connection_type_not_updatable',
  ]);
});

test('an OpenID provider without a valid discovery document or a required method changes no connection', async () => {
  const server = await receiver('');
  const { origin } = new URL(server.url);
  const document = {
    issuer: origin,
    authorization_endpoint: `${origin}/a`,
    token_endpoint: `${origin}/t`,
    jwks_uri: `${origin}/j`,
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  };
  server.respondWith({ body: JSON.stringify(document) });
  const discovery_endpoint = `${origin}/.well-known/openid-configuration`;
  const made = await call<{ id: string }>('POST', '/connections', {
    organization_id: await organization(),
    oidc_options: { discovery_endpoint, client_id: 'us', client_secret: 'secret' },
  });
  expect(made.status).toBe(201);
  const path = `/connections/${made.body.id}`;
  const jwt = { oidc_options: { token_authentication_method: 'private_key_jwt' } };
  expect(await rejected('PATCH', path, jwt)).toEqual([400, 'token_authentication_method_not_supported']);
  server.respondWith({ status: 404 });
  const pinned = { oidc_options: { id_token_signature_algorithm: 'RS256' } };
  expect(await rejected('PATCH', path, pinned)).toEqual([422, 'connection_could_not_be_verified']);
  expect(await call('PUT', `/x${path}/metadata`, { metadata: '<EntityDescriptor/>' })).toMatchObject({
    status: 400,
    body: {
      code: 'connection_type_conflicts_with_options',
      message: expect.stringContaining('Only SAML connections have metadata.') as unknown,
    },
  });
});

test('while a connection is being deleted, changes of it and uses of its external_id return 409', async () => {
  const organization_id = await organization();
  const attempts: ((id: string) => Promise<unknown>)[] = [
    (id) => rejected('PATCH', `/connections/${id}`, { name: 'x' }),
    (id) => rejected('PATCH', `/x/connections/${id}`, { settings: {} }),
    (id) => rejected('POST', `/x/connections/${id}/test_sign_ins`, {}),
    (id) => rejected('PUT', `/x/connections/${id}/metadata`, { metadata: '<EntityDescriptor/>' }),
    () => rejected('POST', '/connections', { organization_id, external_id: 'one', connection_type: 'OktaSAML' }),
  ];
  for (const attempt of attempts) {
    const seen: unknown[] = [];
    // The worker may be faster than one of the calls.
    for (let at = 0; at < 20 && !JSON.stringify(seen).includes('409'); at += 1) {
      const made = await call<{ id: string }>('POST', '/x/connections', {
        organization_id,
        connection_type: 'OktaSAML',
      });
      await call('PATCH', `/connections/${made.body.id}`, { external_id: 'one' });
      await call('DELETE', `/connections/${made.body.id}`);
      seen.push(await attempt(made.body.id));
    }
    expect(seen).toContainEqual([409, 'connection_deletion_in_progress']);
  }
});

test('an identity provider whose discovery document names another issuer is rejected', async () => {
  const server = await receiver('');
  const { origin } = new URL(server.url);
  const organization_id = await organization();
  const discovery_endpoint = `${origin}/.well-known/openid-configuration`;
  const oidc_options = { discovery_endpoint, client_id: 'a', client_secret: 'b' };
  const attempt = () => rejected('POST', '/connections', { organization_id, oidc_options });
  const document = (more: Record<string, unknown>) =>
    server.respondWith({
      body: JSON.stringify({
        issuer: origin,
        authorization_endpoint: `${origin}/a`,
        token_endpoint: `${origin}/t`,
        jwks_uri: `${origin}/j`,
        ...more,
      }),
    });
  for (const more of [{ issuer: 'https://evil.example' }, { jwks_uri: 'https://10.0.0.1/' }, { token_endpoint: 1 }]) {
    document(more);
    expect(await attempt()).toEqual([422, 'connection_could_not_be_verified']);
  }
  document({ token_endpoint_auth_methods_supported: ['private_key_jwt'] });
  expect(await attempt()).toEqual([400, 'token_authentication_method_not_supported']);
});
