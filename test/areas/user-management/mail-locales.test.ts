import { beforeEach, expect, test } from '@jest/globals';

import { call, messages, reset } from '../../support/service.ts';
import { newUser, USERS } from './users.ts';

beforeEach(async () => {
  await reset();
});

test.each([
  ['a sign-in code', '/user_management/magic_auth', 'email', /Anmelde|Code/],
  ['a password reset', '/user_management/password_reset', 'email', /Passwort/],
  ['a change of address', undefined, 'new_email', /E-Mail/],
])(
  '%s is mailed in the language that the request names, which overrides the user’s own',
  async (_, path, member, german) => {
    const { id, email } = await newUser({ email: 'ada@example.com' });
    await call('PUT', `${USERS}/${id}`, { locale: 'fr' });
    const to = member === 'email' ? email : 'new@example.com';
    const ask = (locale?: string) =>
      call('POST', path ?? `${USERS}/${id}/email_change/send`, { [member]: to, ...(locale && { locale }) });
    expect((await ask()).status).toBeLessThan(300);
    expect((await ask('de')).status).toBeLessThan(300);
    const [asked, own] = (await messages(to)).map(({ subject }) => subject);
    expect(asked).toMatch(german);
    expect(asked).not.toBe(own);
    expect(await ask('xx')).toMatchObject({ status: 422, body: { errors: [{ field: 'locale' }] } });
  },
);
