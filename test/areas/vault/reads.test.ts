import { beforeEach, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';

beforeEach(() => reset());

test('an environment begins with a shared key for all organizations, without mapped and destroyed keys', async () => {
  expect((await call('GET', '/x/vault/settings')).body).toMatchObject({ organization_keys: 'shared' });
  for (const path of ['/x/vault/customer_keys', '/x/vault/key_destructions']) {
    const list = { data: [], list_metadata: { before: null, after: null } };
    expect(await call('GET', path)).toMatchObject({ status: 200, body: list });
  }
});

test('reading the settings returns those that were written', async () => {
  await call('PUT', '/x/vault/settings', { organization_keys: 'dedicated' });
  expect((await call('GET', '/x/vault/settings')).body).toMatchObject({ organization_keys: 'dedicated' });
});
