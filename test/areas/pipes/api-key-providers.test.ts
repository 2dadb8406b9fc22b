import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';
import { addUser } from '../../support/users.ts';
import { CUSTOM, create } from './integration.ts';

beforeEach(() => reset());

const keys = { provider: 'own-keys', enabled: true, auth_methods: ['api_key'] };
/** Empty values, which clients send that cannot omit a text, and invalid URLs. */
const addresses = { authorization_url: '', token_url: '', refresh_token_url: 'nowhere' };
const none = { authorization_url: null, token_url: null, refresh_token_url: null };

describe('a custom provider whose integration takes API keys only', () => {
  test('stores no addresses, even if the request contains some', async () => {
    const made = await create({ ...keys, custom_provider: { name: 'Own', ...addresses } });
    expect(made).toMatchObject({ status: 201, body: { state: 'valid', custom_provider: { name: 'Own', ...none } } });
    const changed = await call('PUT', '/data-integrations/own-keys', {
      custom_provider: { name: 'Mine', ...addresses },
    });
    expect(changed).toMatchObject({ status: 200, body: { custom_provider: { name: 'Mine', ...none } } });
  });

  test('responds with the API key and empty lists of scopes', async () => {
    await create({ ...keys, custom_provider: { name: 'Own' } });
    const user_id = await addUser();
    await call('PUT', '/data-integrations/own-keys/api-key', { user_id, secret: 'the-secret-key' });
    const { body } = await call('POST', '/data-integrations/own-keys/credentials', { user_id });
    expect(body).toMatchObject({
      active: true,
      credential: { auth_method: 'api_key', value: 'the-secret-key', scopes: [], missing_scopes: [] },
    });
  });
});

test.each(['authorization_url', 'token_url', 'refresh_token_url'])(
  'a custom provider with OAuth is rejected for an empty %s',
  async (member) => {
    const urls = { authorization_url: 'https://own.example/authorize', token_url: 'https://own.example/token' };
    const { status, body } = await create({
      provider: 'own',
      credentials: CUSTOM,
      custom_provider: { name: 'Own', ...urls, [member]: '' },
    });
    expect([status, body.errors?.map(({ field }) => field)]).toEqual([422, [`custom_provider.${member}`]]);
  },
);
