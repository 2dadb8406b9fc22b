import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, idle, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { CUSTOM, create, created, definition, newOrganization } from './integration.ts';

beforeEach(() => reset());

describe('a custom provider', () => {
  test('is shared by the integrations of both owner kinds, and removed with the last of them', async () => {
    const body = { provider: 'third-party', enabled: true, credentials: CUSTOM };
    const user = await created({ ...body, custom_provider: definition });
    expect(user).toMatchObject({
      integration_type: 'custom',
      custom_provider: {
        ...definition,
        refresh_token_url: null,
        pkce_enabled: true,
        request_scope_separator: ' ',
        scopes_required: false,
        client_secret_required: true,
        additional_authorization_parameters: {},
        token_body_content_type: 'application/x-www-form-urlencoded',
        authenticate_via: 'request_body',
      },
    });
    expect(await create({ ...body, ownership: 'organization', custom_provider: definition })).toMatchObject({
      status: 409,
    });
    await created({ ...body, ownership: 'organization' });
    await call('PUT', '/data-integrations/third-party/organization', { custom_provider: { name: 'Renamed' } });
    expect((await call('GET', '/data-integrations/third-party')).body).toMatchObject({
      custom_provider: { name: 'Renamed' },
    });
    await call('DELETE', '/data-integrations/third-party');
    await created({ ...body });
    await call('DELETE', '/data-integrations/third-party');
    await call('DELETE', '/data-integrations/third-party/organization');
    expect(await create(body)).toMatchObject({ status: 404, body: { code: 'provider_not_found' } });
  });

  test('cannot lose members that its integration needs', async () => {
    await created({ provider: 'third-party', credentials: CUSTOM, custom_provider: definition });
    const response = await call('PUT', '/data-integrations/third-party', { custom_provider: { token_url: null } });
    expect(response.status).toBe(422);
  });

  test('that only takes API keys needs no address', async () => {
    expect(
      await created({ provider: 'own', auth_methods: ['api_key'], custom_provider: { name: 'Own' } }),
    ).toMatchObject({
      state: 'valid',
      custom_provider: { authorization_url: null, token_url: null },
    });
  });
});

describe('the configuration of an integration for one organization', () => {
  test('applies to the connections of that organization, and shows no secret', async () => {
    await created({ provider: 'github', enabled: true, credentials: { type: 'organization' } });
    const organization_id = await newOrganization();
    const user_id = await addUser();
    const authorize = () =>
      call<{ url: string; errors: { code: string }[] }>('POST', '/data-integrations/github/authorize', {
        user_id,
        organization_id,
      });
    expect(await authorize()).toMatchObject({
      status: 400,
      body: { errors: [{ code: 'client_credentials_not_configured' }] },
    });
    const path = `/organizations/${organization_id}/data_integration_configurations`;
    await idle();
    expect((await call<{ data: object[] }>('GET', path)).body.data).toMatchObject([
      {
        slug: 'github',
        name: 'GitHub',
        enabled: true,
        credentials: { credentials_type: 'organization', has_credentials: false },
      },
    ]);
    const own = { client_id: 'their-client', client_secret: 'their-own-secret', scopes: ['repo'] };
    expect((await call('PUT', `${path}/github`, own)).body).toMatchObject({
      object: 'data_integration_configuration',
      organization_id,
      scopes: ['repo'],
      credentials: { has_credentials: true, client_id: 'their-client', client_secret_last_four: 'cret' },
    });
    const { searchParams } = new URL((await authorize()).body.url);
    expect(Object.fromEntries(searchParams)).toMatchObject({ client_id: 'their-client', scope: 'repo' });
    expect(JSON.stringify((await call('GET', path)).body)).not.toContain('their-own-secret');
    await call('PUT', `${path}/github`, { enabled: false, scopes: null });
    expect(await authorize()).toMatchObject({ status: 403, body: { code: 'data_integration_disabled' } });
    expect((await call<{ data: object[] }>('GET', path)).body.data).toMatchObject([{ enabled: false, scopes: null }]);
  });

  test.each([
    ['a client for an integration with the environment’s', { client_id: 'x' }, 422],
    ['a field that the provider does not declare', { config: { nothing: 'x' } }, 422],
  ])('may not be %s', async (_title, body, status) => {
    await created({ provider: 'github', credentials: CUSTOM });
    const id = await newOrganization();
    expect((await call('PUT', `/organizations/${id}/data_integration_configurations/github`, body)).status).toBe(
      status,
    );
  });

  test('requires an existing organization and integration', async () => {
    const id = await newOrganization();
    expect((await call('PUT', `/organizations/${id}/data_integration_configurations/github`, {})).status).toBe(404);
    const other = '/organizations/org_01K0G000000000000000000000/data_integration_configurations';
    expect((await call('GET', other)).status).toBe(404);
  });
});
