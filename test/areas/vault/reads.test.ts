import { beforeEach, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';

beforeEach(() => reset());

test('an environment begins with shared keys of organizations, and has no mapped keys and no destroyed ones', async () => {
  expect((await call('GET', '/x/vault/settings')).body).toMatchObject({ organization_keys: 'shared' });
  for (const path of ['/x/vault/customer_keys', '/x/vault/key_destructions']) {
    const list = { data: [], list_metadata: { before: null, after: null } };
    expect(await call('GET', path)).toMatchObject({ status: 200, body: list });
  }
});

test('the settings that were put are those that are got', async () => {
  await call('PUT', '/x/vault/settings', { organization_keys: 'dedicated' });
  expect((await call('GET', '/x/vault/settings')).body).toMatchObject({ organization_keys: 'dedicated' });
});
