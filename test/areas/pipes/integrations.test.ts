import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, clearFaults, idle, reset, sdk } from '../../support/service.ts';
import { receiver } from '../../support/receiver.ts';
import { addMembership, addUser, readRows } from '../../support/users.ts';
import { EVENTS } from './connection.ts';
import { CUSTOM, create, created, definition, type Integration, newOrganization } from './integration.ts';

beforeEach(() => reset());

describe('an integration', () => {
  test('is created, read, listed, updated and deleted through the official SDK', async () => {
    const { pipes } = sdk();
    const one = await pipes.createDataIntegration({
      provider: 'github',
      description: 'Our app',
      enabled: true,
      scopes: ['repo'],
      credentials: { type: 'custom', clientId: 'client', clientSecret: 'a-client-secret' },
    });
    expect(one).toMatchObject({
      slug: 'github',
      integrationType: 'github',
      ownership: 'user',
      state: 'valid',
      authMethods: ['oauth'],
      credentials: { type: 'custom', clientId: 'client', redactedClientSecret: 'cret' },
      installation: null,
      customProvider: null,
    });
    expect(await pipes.getDataIntegration({ slug: 'github' })).toEqual(one);
    const updated = await pipes.updateDataIntegration({
      slug: 'github',
      description: null,
      enabled: false,
      scopes: null,
    });
    expect(updated).toMatchObject({ id: one.id, description: null, enabled: false, scopes: null });
    await idle();
    expect((await pipes.listDataIntegrations()).data).toEqual([updated]);
    await pipes.deleteDataIntegration({ slug: 'github' });
    await expect(pipes.getDataIntegration({ slug: 'github' })).rejects.toMatchObject({ status: 404 });
  });

  test('can exist once for each kind of owner, independently', async () => {
    const { pipes } = sdk();
    const credentials = { type: 'custom' as const, clientId: 'client', clientSecret: 'a-client-secret' };
    const user = await pipes.createDataIntegration({ provider: 'slack', credentials });
    const organization = await pipes.createDataIntegration({
      provider: 'slack',
      ownership: 'organization',
      credentials,
    });
    expect(user.redirectUri).not.toBe(organization.redirectUri);
    const again = await create({ provider: 'slack', ownership: 'organization', credentials: CUSTOM });
    expect(again).toMatchObject({ status: 409, body: { code: 'data_integration_already_exists' } });
    await idle();
    expect((await pipes.listDataIntegrations()).data.map(({ id }) => id).sort()).toEqual(
      [user.id, organization.id].sort(),
    );
    expect((await pipes.listDataIntegrations({ ownership: 'organization' })).data).toEqual([organization]);
    expect(await pipes.getOrganizationDataIntegration({ slug: 'slack' })).toEqual(organization);
    await pipes.updateOrganizationDataIntegration({ slug: 'slack', enabled: true });
    expect((await pipes.getDataIntegration({ slug: 'slack' })).enabled).toBe(false);
    await pipes.deleteOrganizationDataIntegration({ slug: 'slack' });
    await expect(pipes.getOrganizationDataIntegration({ slug: 'slack' })).rejects.toMatchObject({ status: 404 });
    expect(await pipes.getDataIntegration({ slug: 'slack' })).toEqual(user);
  });

  test('for organizations is rejected if the environment has not enabled them', async () => {
    await call('PUT', '/x/pipes/settings', { authorization_start: 'redirect', organization_integrations: false });
    const unavailable = { status: 404, body: { code: 'organization_integrations_unavailable' } };
    expect(await call('GET', '/data-integrations?ownership=organization')).toMatchObject(unavailable);
    expect(await create({ provider: 'slack', ownership: 'organization', credentials: CUSTOM })).toMatchObject(
      unavailable,
    );
    expect((await call('GET', '/data-integrations')).status).toBe(200);
  });

  test.each([
    ['an unknown provider', { provider: 'nobody' }, 404, 'provider_not_found'],
    ['OAuth without credentials', { provider: 'github' }, 422, 'credentials'],
    [
      'OAuth without a client secret',
      { provider: 'github', credentials: { type: 'custom', client_id: 'x' } },
      422,
      'credentials.client_secret',
    ],
    [
      'a client with organizations’ own',
      { provider: 'github', credentials: { ...CUSTOM, type: 'organization' } },
      422,
      'credentials.client_id',
    ],
    [
      'credentials for API keys',
      { provider: 'github', auth_methods: ['api_key'], credentials: CUSTOM },
      422,
      'credentials',
    ],
    ['a method that the provider does not have', { provider: 'openai', credentials: CUSTOM }, 422, 'auth_methods'],
    ['no method', { provider: 'github', auth_methods: [] }, 422, 'auth_methods'],
    [
      'a field that the provider does not declare',
      { provider: 'github', credentials: CUSTOM, config: { account: 'x' } },
      422,
      'config.account',
    ],
    [
      'a value out of pattern',
      { provider: 'snowflake', credentials: CUSTOM, config: { account: 'evil.example/' } },
      422,
      'config.account',
    ],
    [
      'a built-in slug for an own provider',
      { provider: 'github', credentials: CUSTOM, custom_provider: definition },
      422,
      'provider',
    ],
    [
      'OAuth without its endpoints',
      { provider: 'own', credentials: CUSTOM, custom_provider: { name: 'Own' } },
      422,
      'custom_provider',
    ],
    [
      'no scopes where there must be some',
      { provider: 'own', credentials: CUSTOM, custom_provider: { ...definition, scopes_required: true } },
      422,
      'scopes',
    ],
    [
      'an API key beside OAuth',
      { provider: 'github', credentials: CUSTOM, api_key: { secret: 'abcde', user_id: 'user_x' } },
      422,
      'api_key',
    ],
    [
      'a reserved parameter',
      {
        provider: 'own',
        credentials: CUSTOM,
        custom_provider: { ...definition, additional_authorization_parameters: { redirect_uri: 'x' } },
      },
      422,
      'custom_provider.additional_authorization_parameters',
    ],
  ])('is rejected with %s', async (_title, body, status, named) => {
    const response = await create(body);
    expect(response.status).toBe(status);
    expect([response.body.code, ...(response.body.errors ?? []).map(({ field }) => field)]).toContain(named);
  });

  test('stores the config values that its provider declares, and shows none that is secret', async () => {
    const snowflake = await created({
      provider: 'snowflake',
      credentials: CUSTOM,
      config: { account: 'myorg-myaccount' },
    });
    expect(snowflake).toMatchObject({ config: { account: 'myorg-myaccount' } });
    const config = { developer_token: 'a-developer-token-0123' };
    const ads = await created({ provider: 'google-ads', credentials: CUSTOM, config });
    expect(ads).toMatchObject({ config: {} });
    for (const path of ['/data-integrations', '/data-integrations/google-ads']) {
      expect(JSON.stringify((await call('GET', path)).body)).not.toContain('a-developer-token');
    }
  });

  test('can create a first connection, which only that response contains', async () => {
    const user_id = await addUser();
    const api_key = { secret: 'sk-1234567890', user_id };
    const one = await created({ provider: 'openai', auth_methods: ['api_key'], api_key });
    expect(one).toMatchObject({
      credentials: null,
      installation: { user_id, organization_id: null, connection_role: 'compatibility', api_key_last_4: '7890' },
    });
    expect((await call('GET', '/data-integrations/openai')).body.installation).toBeNull();
    await idle();
    expect((await call<{ data: object[] }>('GET', '/data-integrations')).body.data).toMatchObject([
      { installation: null },
    ]);
    const rotated = await call('PUT', '/data-integrations/openai', {
      api_key: { ...api_key, secret: 'sk-0987654321' },
    });
    expect(rotated).toMatchObject({ status: 200, body: { installation: null } });
    const vended = await call('POST', '/data-integrations/openai/credentials', { user_id });
    expect(vended.body).toMatchObject({ active: true, credential: { auth_method: 'api_key', value: 'sk-0987654321' } });
    const account = await call('GET', `/user_management/users/${user_id}/connected_accounts/openai`);
    expect(account.body).toMatchObject({ id: one.installation?.id, api_key_last_4: '4321' });
  });

  test('creates no connection for an unknown user or organization', async () => {
    const api_key = { secret: 'sk-1234567890', user_id: 'user_01K0G000000000000000000000' };
    const body = { provider: 'openai', auth_methods: ['api_key'] };
    expect(await create({ ...body, api_key })).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const organization_id = 'org_01K0G000000000000000000000';
    const user_id = await addUser();
    expect(await create({ ...body, api_key: { ...api_key, user_id, organization_id } })).toMatchObject({ status: 404 });
    expect((await call('GET', '/data-integrations/openai')).status).toBe(404);
  });

  test('can create a first connection of an organization', async () => {
    const [user_id, organization_id] = [await addUser(), await newOrganization()];
    const body = { provider: 'openai', ownership: 'organization', auth_methods: ['api_key'] };
    const api_key = { secret: 'sk-1234567890', user_id, organization_id };
    expect(await create({ ...body, api_key })).toMatchObject({ status: 403, body: { code: 'not_an_active_member' } });
    expect(await create({ ...body, api_key: { ...api_key, organization_id: undefined } })).toMatchObject({
      status: 422,
    });
    await addMembership(user_id, organization_id);
    expect(await created({ ...body, api_key })).toMatchObject({ installation: { user_id: null, organization_id } });
  });

  test('replaces the client secret, and keeps it if an update does not name it', async () => {
    await created({ provider: 'github', credentials: CUSTOM });
    const put = async (body: object) =>
      (await call<Integration>('PUT', '/data-integrations/github', body)).body.credentials;
    expect(await put({ description: 'x' })).toMatchObject({ redacted_client_secret: 'cret' });
    expect(await put({ credentials: { type: 'custom', client_secret: 'another-one' } })).toEqual({
      type: 'custom',
      client_id: 'client',
      redacted_client_secret: '-one',
    });
    expect(await put({ credentials: { type: 'organization' } })).toEqual({
      type: 'organization',
      client_id: null,
      redacted_client_secret: null,
    });
  });

  test.each([
    ['credentials and an API key', { credentials: CUSTOM, api_key: { secret: 'abcde', user_id: 'user_x' } }, 422],
    ['a custom provider of a built-in one', { custom_provider: { name: 'x' } }, 422],
    ['an API key of an OAuth integration', { api_key: { secret: 'abcde', user_id: 'user_x' } }, 422],
  ])('rejects an update with %s', async (_title, body, status) => {
    await created({ provider: 'github', credentials: CUSTOM });
    expect((await call('PUT', '/data-integrations/github', body)).status).toBe(status);
  });

  test('is deleted with its connections, and a new integration with the same slug has none of them', async () => {
    const hooks = await receiver();
    await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: EVENTS });
    const make = () => created({ provider: 'openai', auth_methods: ['api_key'] });
    await make();
    const users = await Promise.all(Array.from({ length: 23 }, (_, at) => addUser(`${at}@example.com`)));
    const key = (user_id: string) =>
      call('PUT', '/data-integrations/openai/api-key', { user_id, secret: 'sk-1234567890' });
    for (const user_id of users) expect((await key(user_id)).status).toBe(200);
    await idle();
    expect((await call('DELETE', '/data-integrations/openai')).status).toBe(204);
    await make();
    for (const user_id of users) {
      const vended = await call('POST', '/data-integrations/openai/credentials', { user_id });
      expect(vended.body).toEqual({ active: false, error: 'not_installed' });
    }
    expect((await key(users[22] ?? '')).status).toBe(200);
    await advance(61);
    await idle();
    const gone = hooks.requests.filter(({ body }) => body.includes('"pipes.connected_account.disconnected"'));
    expect(gone.length).toBeGreaterThanOrEqual(22);
    const { status } = await call('GET', `/user_management/users/${users[22]}/connected_accounts/openai`);
    expect(status).toBe(200);
  });

  test('is deleted with a connection that the index shows late: ten minutes later it has no rows', async () => {
    await clearFaults();
    await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 3_000 });
    const { id } = await created({ provider: 'openai', auth_methods: ['api_key'] });
    const user_id = await addUser('late@example.com');
    const path = '/data-integrations/openai';
    expect((await call('PUT', `${path}/api-key`, { user_id, secret: 'sk-1234567890' })).status).toBe(200);
    expect((await call('DELETE', path)).status).toBe(204);
    await idle();
    await advance(601);
    await idle();
    expect((await readRows(id)).filter((kind) => kind === 'installation')).toEqual([]);
  });
});
