import { beforeEach, describe, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { addFault, advance, call, clearFaults, idle, now } from '../../support/service.ts';
import { addMembership, addUser } from '../../support/users.ts';
import { SLUG } from './connection.ts';
import {
  type Account,
  definition,
  importAccount,
  integrate,
  organizationId,
  owners,
  makePath,
  post,
  prepare,
  updateAccount,
  userId,
} from './owners.ts';
import { thirdParty } from './third-party.ts';

beforeEach(prepare);

describe('a connection by API key', () => {
  const key = (more: object = {}) =>
    call<Account>('PUT', `/data-integrations/${SLUG}/api-key`, { user_id: userId, secret: 'a-key-of-theirs', ...more });

  test('requires its id when it is authorized again, and accepts no tokens', async () => {
    await integrate('user', { auth_methods: ['api_key'], credentials: undefined });
    expect(await key({ connection_intent: 'reauthorize' })).toMatchObject({ status: 400 });
    const { body } = await key();
    expect(await key({ connection_intent: 'reauthorize', connected_account_id: body.id })).toMatchObject({
      body: { id: body.id },
    });
    expect(await updateAccount('user', { access_token: 'a' })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'auth_method_mismatch' }] },
    });
    expect(await updateAccount('user', { state: 'needs_reauthorization' })).toMatchObject({ status: 200 });
    expect((await post('user', 'credentials')).body).toEqual({ active: false, error: 'needs_reauthorization' });
    expect(await updateAccount('user', { state: 'connected' })).toMatchObject({ status: 200 });
    expect((await post('user', 'credentials')).body).toMatchObject({ active: true });
    await updateAccount('user', { state: 'needs_reauthorization' });
    expect((await key()).body.state).toBe('connected');
  });

  test('is not changed by an update of the integration if its owner has several', async () => {
    for (const owner of owners) {
      await integrate(owner, {
        auth_methods: ['api_key'],
        credentials: undefined,
        ...(owner === 'user' ? {} : { custom_provider: undefined }),
      });
      const made = [];
      for (let at = 0; at < 3; at += 1)
        made.push(await post(owner, 'api-key', { secret: 'a-key-of-theirs', connection_intent: 'add' }));
      await call('DELETE', `${makePath(owner)}?connected_account_id=${made[0]?.body.id}`);
      const api_key = {
        secret: 'another-key',
        user_id: userId,
        ...(owner === 'user' ? {} : { organization_id: organizationId }),
      };
      const path = `/data-integrations/${SLUG}${owner === 'user' ? '' : '/organization'}`;
      expect(await call('PUT', path, { api_key })).toMatchObject({
        status: 409,
        body: { code: 'account_selection_required' },
      });
    }
  });
});

describe('a connection by client credentials', () => {
  test('stores config values, and requires those that its provider needs', async () => {
    await call('POST', '/data-integrations', {
      provider: 'databricks',
      enabled: true,
      auth_methods: ['client_credentials'],
    });
    const put = (more: object) =>
      call<Account>('PUT', '/data-integrations/databricks/client-credentials', {
        user_id: userId,
        client_id: 'client',
        client_secret: 'a-secret-of-theirs',
        ...more,
      });
    expect(await put({})).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'config.workspace', code: 'required' }] },
    });
    expect(await put({ config: { workspace: 'evil.example/' } })).toMatchObject({ status: 400 });
    const { body } = await put({ config: { workspace: 'acme' } });
    expect(body).toMatchObject({
      config: { workspace: 'acme' },
      account_identifier: 'acme',
      client_secret_last_4: 'eirs',
    });
    expect((await put({ client_id: 'other' })).body).toMatchObject({
      id: body.id,
      client_id: 'other',
      config: { workspace: 'acme' },
    });
    const named = { connected_account_id: 'data_installation_01K0G000000000000000000000' };
    expect((await put(named)).status).toBe(404);
  });

  test('can be added next to others, and selected by its id', async () => {
    await integrate('user', { auth_methods: ['client_credentials'], credentials: undefined });
    const client = { client_id: 'client', client_secret: 'a-secret-of-theirs' };
    for (const role of ['compatibility', 'standard']) {
      const added = await post('user', 'client-credentials', { ...client, connection_intent: 'add' });
      expect(added).toMatchObject({ status: 201, body: { connection_role: role } });
    }
    const path = `/data-integrations/${SLUG}/client-credentials`;
    const ambiguous = { user_id: userId, ...client, supports_multiple_connections: true };
    expect(await call('PUT', path, ambiguous)).toMatchObject({
      status: 409,
      body: { code: 'account_selection_required' },
    });
  });
});

describe('a user who acts for an organization', () => {
  const strangers: [string, () => Promise<string>][] = [
    ['no member', async () => addUser('stranger@example.com')],
    [
      'an inactive member',
      async () => {
        const id = await addUser('former@example.com');
        await addMembership(id, organizationId, 'inactive');
        return id;
      },
    ],
  ];

  test.each(strangers)('is rejected if %s, by every operation', async (_title, make) => {
    const user_id = await make();
    const members = { user_id, organization_id: organizationId, connection_owner: 'organization' };
    const oauth = { ownership: 'organization', enabled: true };
    await integrate('user', oauth);
    for (const method of ['api_key', 'client_credentials']) {
      await call('POST', '/data-integrations', {
        provider: method,
        ...oauth,
        auth_methods: [method],
        custom_provider: definition,
      });
    }
    const client = { client_id: 'client', client_secret: 'a-secret-of-theirs' };
    const path = `/organizations/${organizationId}/connected_accounts/${SLUG}`;
    const api_key = { user_id, organization_id: organizationId, secret: 'a-key-of-theirs' };
    const responses = await Promise.all([
      call('POST', `/data-integrations/${SLUG}/authorize`, members),
      call('POST', `/data-integrations/${SLUG}/credentials`, members),
      call('POST', `/data-integrations/${SLUG}/token`, members),
      call('PUT', '/data-integrations/api_key/api-key', { ...members, secret: 'a-key-of-theirs' }),
      call('POST', '/data-integrations/api_key/api-key', {
        ...members,
        secret: 'a-key-of-theirs',
        connection_intent: 'add',
      }),
      call('PUT', '/data-integrations/api_key/organization', { api_key }),
      call('PUT', '/data-integrations/client_credentials/client-credentials', { ...members, ...client }),
      call('POST', '/data-integrations/client_credentials/client-credentials', {
        ...members,
        ...client,
        connection_intent: 'add',
      }),
      call('POST', path, { user_id, access_token: 'a' }),
      call('PUT', path, { user_id, access_token: 'a' }),
    ]);
    expect(responses.map(({ status, body }) => `${status} ${String(body.code)}`)).toEqual(
      responses.map(() => '403 not_an_active_member'),
    );
  });

  test('gets an error that does not name the organization', async () => {
    await integrate('organization');
    const body = { user_id: userId, connection_owner: 'organization' };
    expect(await call('POST', `/data-integrations/${SLUG}/credentials`, body)).toMatchObject({ status: 422 });
    expect(await call('POST', `/data-integrations/${SLUG}/token`, body)).toMatchObject({ status: 400 });
  });
});

test.each([
  ['PUT', 'api-key', { secret: 'a-key-of-theirs' }],
  ['POST', 'api-key', { secret: 'a-key-of-theirs', connection_intent: 'add' }],
  ['PUT', 'client-credentials', { client_id: 'x', client_secret: 'y' }],
  ['POST', 'client-credentials', { client_id: 'x', client_secret: 'y', connection_intent: 'add' }],
])('%s %s is rejected by an integration of another method', async (method, path, body) => {
  await integrate('user');
  const response = await call(method, `/data-integrations/${SLUG}/${path}`, { user_id: userId, ...body });
  expect(response).toMatchObject({ status: 422, body: { code: 'auth_method_mismatch' } });
  await integrate('organization', { custom_provider: undefined });
  for (const root of ['', '/organization']) {
    const api_key = { secret: 'abcde', user_id: userId, organization_id: organizationId };
    const tenant = await call('PUT', `/data-integrations/${SLUG}${root}`, { api_key });
    expect(tenant).toMatchObject({ status: 422, body: { code: 'auth_method_mismatch' } });
  }
});

describe('a token', () => {
  test('request gets different errors for an unavailable provider and for a rejection', async () => {
    const party = await thirdParty();
    await integrate('user', { custom_provider: { ...definition, token_url: party.tokenUrl } });
    const expires_at = new Date((await now()) + 60_000).toISOString();
    await importAccount('user', { access_token: 'a', refresh_token: 'r', expires_at });
    await advance(120);
    party.failWith(500);
    for (const path of ['token', 'credentials']) {
      expect(await post('user', path)).toMatchObject({ status: 503, body: { code: 'provider_unavailable' } });
    }
    party.failWith(418);
    for (const path of ['token', 'credentials']) {
      expect(await post('user', path)).toMatchObject({ status: 400, body: { code: 'provider_refused' } });
    }
  });
});

test('a disabled provider is not offered for new authorizations, but existing connections work', async () => {
  await integrate('user', { enabled: false });
  const path = `/user_management/users/${userId}/data_providers`;
  await idle();
  expect((await call<{ data: object[] }>('GET', path)).body.data).toEqual([]);
  expect(await post('user', 'authorize')).toMatchObject({ status: 403, body: { code: 'data_integration_disabled' } });
  await importAccount('user', { access_token: 'a' });
  expect((await call<{ data: object[] }>('GET', path)).body.data).toHaveLength(1);
  expect((await post('user', 'credentials')).body).toMatchObject({ active: true });
});

test('an authorization requires an existing user and organization', async () => {
  await integrate('user');
  const { body } = await importAccount('user', { access_token: 'a' });
  const named = (more: object) => post('user', 'authorize', more);
  expect((await named({ connected_account_id: body.id, connection_intent: 'reauthorize' })).status).toBe(200);
  expect((await named({ connected_account_id: 'data_installation_x' })).status).toBe(404);
  expect((await named({ connection_intent: 'reauthorize' })).status).toBe(400);
  expect((await named({ connected_account_id: body.id, connection_intent: 'add' })).status).toBe(400);
  expect((await named({ config: { nothing: 'x' } })).status).toBe(400);
});

test('secrets are only in responses of the credentials operations, not in events or errors', async () => {
  const hooks = await receiver();
  await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: ['pipes.connected_account.connected'] });
  await integrate('user');
  const canaries = { access_token: 'canary-access', refresh_token: 'canary-refresh' };
  const responses = [
    await importAccount('user', canaries),
    await importAccount('user', canaries),
    await updateAccount('user', canaries),
    await updateAccount('user', { ...canaries, state: 'nonsense' }),
    await call('GET', makePath('user')),
    await call('GET', `/user_management/users/${userId}/data_providers`),
    await call('GET', `/data-integrations/${SLUG}`),
  ];
  await idle();
  const events = await call<{ data: unknown[] }>('GET', '/events?events=pipes.connected_account.connected');
  expect(events.body.data).toHaveLength(1);
  expect(JSON.stringify([responses, events, hooks.requests])).not.toMatch(/canary|third-party-secret/);
  expect(hooks.requests).toHaveLength(1);
});

test('an unavailable key service results in 503 without a partial change', async () => {
  await integrate('user');
  await addFault({ target: 'keys', kind: 'unavailable' });
  await advance(61);
  const response = await importAccount('user', { access_token: 'a' });
  expect(response.status).toBe(503);
  await clearFaults();
  expect((await call('GET', makePath('user'))).status).toBe(404);
});
