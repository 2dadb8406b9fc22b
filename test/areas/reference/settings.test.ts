import { beforeEach, expect, test } from '@jest/globals';

import { call, reset } from '../../support/service.ts';

beforeEach(() => reset());

test('replacing the settings of one area does not change those of the others', async () => {
  await call('PUT', '/x/sessions/settings', { inactivity_seconds: 301 });
  expect((await call('PUT', '/x/authentication/settings', {})).status).toBe(200);
  expect((await call('PUT', '/x/pipes/settings', {})).status).toBe(200);
  expect((await call('GET', '/x/sessions/settings')).body).toMatchObject({ inactivity_seconds: 301 });
});
