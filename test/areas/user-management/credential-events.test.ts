import { beforeEach, describe, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { call, messages, reset, sdk } from '../../support/service.ts';
import { addSession } from '../../support/users.ts';
import { mailedCode, sent } from './codes.ts';
import { newUser, USERS } from './users.ts';

beforeEach(() => reset());

const EVENTS = [
  'email_verification.created',
  'magic_auth.created',
  'password_reset.created',
  'password_reset.succeeded',
  'session.revoked',
  'user.created',
  'user.updated',
];

describe('events of credentials', () => {
  test('are delivered to webhook endpoints, without a code, a token or a password', async () => {
    const hooks = await receiver();
    const endpoint = await call('POST', '/webhook_endpoints', { endpoint_url: hooks.url, events: EVENTS });
    expect(endpoint.status).toBe(201);
    const user = await newUser({ password: 'tangled violins at dawn' });
    await addSession(user.id);
    await sent(`${USERS}/${user.id}/email_verification/send`);
    const code = await mailedCode(user.email);
    const magic = await sent('/user_management/magic_auth', { email: user.email });
    const reset_ = await sent('/user_management/password_reset', { email: user.email });
    const token = reset_.password_reset_token ?? '';
    const confirmed = await call('POST', '/user_management/password_reset/confirm', {
      token,
      new_password: 'tangled violins at dusk',
    });
    expect(confirmed.status).toBe(200);
    await messages();
    const arrived = await hooks.until(EVENTS.length);
    const bodies = arrived.map(({ body }) => body);
    const names = bodies.map((body) => (JSON.parse(body) as { event: string }).event);
    expect([...new Set(names)].sort()).toEqual(expect.arrayContaining(EVENTS));
    for (const secret of [`"${code}"`, `"${String(magic.code)}"`, token, 'violins']) {
      expect(bodies.filter((body) => body.includes(secret))).toEqual([]);
    }
  });

  test('are emitted for calls of the official SDK', async () => {
    const { userManagement } = sdk();
    const user = await userManagement.createUser({ email: 'ada@example.com', password: 'tangled violins at dawn' });
    await userManagement.sendVerificationEmail({ userId: user.id });
    const verified = await userManagement.verifyEmail({ userId: user.id, code: await mailedCode(user.email) });
    expect(verified.user.emailVerified).toBe(true);
    const magic = await userManagement.createMagicAuth({ email: user.email });
    expect((await userManagement.getMagicAuth(magic.id)).code).toBe(magic.code);
    const made = await userManagement.createPasswordReset({ email: user.email });
    expect((await userManagement.getPasswordReset(made.id)).passwordResetToken).toBe(made.passwordResetToken);
    const { user: after } = await userManagement.resetPassword({
      token: made.passwordResetToken,
      newPassword: 'tangled violins at dusk',
    });
    expect(after.id).toBe(user.id);
  });

  test('send mails in the language of the user', async () => {
    const user = await newUser();
    await call('PUT', `${USERS}/${user.id}`, { locale: 'de' });
    await sent(`${USERS}/${user.id}/email_verification/send`);
    const [mail] = await messages(user.email);
    expect(mail?.subject).toMatch(/Bestätigen/);
    expect(mail?.text).toMatch(/10 Minuten/);
  });
});
