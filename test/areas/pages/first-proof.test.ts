import { beforeEach, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { call, reset } from '../../support/service.ts';
import { authorizeUrl, exchange, mailedCode, makeUser, PASSWORD, register } from './application.ts';

const EMAIL = 'ada@example.com';

beforeEach(async () => {
  await reset();
  await register();
});

test('the first user to verify an address is signed in, and earlier sessions are revoked', async () => {
  const id = await makeUser(EMAIL, { email_verified: false });
  await call('PUT', '/x/authentication/settings', { require_email_verification: false });
  const [before, owner] = [browser(), browser()];
  const asked = await before.submit(await before.open(await authorizeUrl()), { email: EMAIL });
  const first = await exchange((await before.submit(asked, { password: PASSWORD })).url);
  expect(first.user.id).toBe(id);

  const password = await owner.submit(await owner.open(await authorizeUrl()), { email: EMAIL });
  const code = await owner.submit(password, { do: 'code' });
  const done = await owner.submit(code, { code: await mailedCode(EMAIL) });
  expect((await exchange(done.url)).user).toMatchObject({ id, email_verified: true });
  expect((await before.open(await authorizeUrl())).url).toContain('/hosted/sign-in');
});
