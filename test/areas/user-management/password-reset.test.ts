import { beforeEach, describe, expect, test } from '@jest/globals';

import { mintKey } from '../../../functions/kernel/authentication/secret-key.ts';
import { readUlid } from '../../../functions/kernel/id-format.ts';
import { advance, call, messages, reset } from '../../support/service.ts';
import { addSession, environment, readRows, readSessions } from '../../support/users.ts';
import { type Code, isPassword, mailedCode, sent, tally, rejectionText } from './codes.ts';
import { readEvents, newUser, type User, USERS } from './users.ts';
import { retryCall } from '../../support/retries.ts';

beforeEach(() => reset());

const RESET = '/user_management/password_reset';
const GOOD = 'tangled violins at dawn';
const ask = ({ email }: User) => sent(RESET, { email });
const confirm = (token: string | undefined, new_password = GOOD) =>
  retryCall(() =>
    call<{ user: User; errors: { code: string; field: string }[] }>('POST', `${RESET}/confirm`, {
      token,
      new_password,
    }),
  );

describe('password reset', () => {
  test('mails a link that sets a new password, verifies the address and revokes every session', async () => {
    const user = await newUser({ password: 'former violins at dusk', email: 'Ada@example.com' });
    await addSession(user.id);
    const made = await ask({ ...user, email: 'ADA@example.com' });
    expect(made).toMatchObject({ object: 'password_reset', user_id: user.id, email: 'ada@example.com' });
    const [mail] = await messages('ada@example.com');
    expect(mail?.links).toEqual([made.password_reset_url]);
    expect(made.password_reset_url).toMatch(/\/hosted\/reset-password\?token=reset_/);
    expect(mail?.subject).not.toContain(made.password_reset_token);
    expect((await call('GET', `${RESET}/${String(made.id)}`)).body).toEqual(made);
    const response = await confirm(made.password_reset_token);
    expect(response).toMatchObject({ status: 200, body: { user: { id: user.id, email_verified: true } } });
    expect([await isPassword(user, GOOD), await isPassword(user, 'former violins at dusk')]).toEqual([true, false]);
    expect(await readSessions(user.id)).toEqual([]);
    expect((await messages('ada@example.com'))[0]?.subject).toContain('password');
  });

  test('emits events that contain neither token nor link', async () => {
    const user = await newUser();
    const { password_reset_token, password_reset_url: _url, ...rest } = await ask(user);
    await confirm(password_reset_token);
    const events = await readEvents('password_reset.created', 'password_reset.succeeded');
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      ['password_reset.created', rest],
      ['password_reset.succeeded', rest],
    ]);
  });

  test('of an invalid address is rejected and does not count towards the limit', async () => {
    for (let at = 0; at < 5; at += 1) {
      expect(rejectionText(await call('POST', RESET, { email: 'nobody' }))).toBe('422 invalid_request_parameters');
    }
    expect(rejectionText(await call('POST', RESET, { email: 'nobody@example.com' }))).toBe('404 not_found');
  });

  test('accepts a token only once in fifty parallel confirmations', async () => {
    const user = await newUser();
    const { password_reset_token: token } = await ask(user);
    const responses = await Promise.all(Array.from({ length: 30 }, (_, at) => confirm(token, `${GOOD} ${at}`)));
    expect(tally(responses)).toEqual({ '200 ': 1, '400 password_reset_error': 29 });
    const winner = responses.findIndex(({ status }) => status === 200);
    expect(await isPassword(user, `${GOOD} ${winner}`)).toBe(true);
  });

  test('invalidates a token after an hour, after its use, and by changes of the account', async () => {
    const user = await newUser();
    const [first, second] = [await ask(user), await ask(user)];
    expect((await confirm(first.password_reset_token)).status).toBe(200);
    expect((await confirm(first.password_reset_token)).body.errors).toMatchObject([
      { code: 'password_reset_token_used' },
    ]);
    const overtaken = await confirm(second.password_reset_token);
    expect(rejectionText(overtaken)).toBe('400 password_reset_error');
    expect(overtaken.body.errors).toMatchObject([{ code: 'password_reset_token_superseded' }]);
    const third = await ask(user);
    await advance(3_601);
    expect((await confirm(third.password_reset_token)).body.errors).toMatchObject([
      { code: 'password_reset_token_expired' },
    ]);
    await advance(86_400);
    expect((await call('GET', `${RESET}/${String(third.id)}`)).status).toBe(404);
    const fourth = await ask(user);
    await call('PUT', `${USERS}/${user.id}`, { email: 'other@example.com' });
    expect((await confirm(fourth.password_reset_token)).body.errors).toMatchObject([
      { code: 'password_reset_token_superseded' },
    ]);
  });

  test('keeps the token valid if the password is too weak, and reports why', async () => {
    const user = await newUser({ email: 'lovelace@example.com' });
    const { password_reset_token: token } = await ask(user);
    const weak = await confirm(token, 'lovelace');
    expect(rejectionText(weak)).toBe('400 password_reset_error');
    expect(weak.body.errors).toMatchObject([
      { field: 'new_password', code: 'password_too_short' },
      { field: 'new_password', code: 'password_contains_email' },
    ]);
    expect(JSON.stringify(weak.body)).not.toContain('lovelace');
    expect((await confirm(token)).status).toBe(200);
  });

  test('rejects a changed, truncated or unknown token, and an unknown address', async () => {
    const user = await newUser();
    const { id, password_reset_token: token = '' } = await ask(user);
    // A reader of events knows the ids in a token, but not the secret between them and the checksum.
    const { value: guessed } = mintKey(`reset_${readUlid(await environment())}`, readUlid(String(id)));
    expect(guessed).toHaveLength(token.length);
    const forged = [
      guessed,
      token.slice(0, -1),
      `${token}x`,
      token.toLowerCase(),
      'reset_',
      '',
      `reset_${'0'.repeat(101)}`,
    ];
    for (const text of forged) expect([text, rejectionText(await confirm(text))]).toEqual([text, '404 not_found']);
    expect(rejectionText(await call('POST', RESET, { email: 'nobody@example.com' }))).toBe('404 not_found');
    expect((await confirm(token)).status).toBe(200);
  });

  test('removes credentials that were added before the address was verified', async () => {
    const user = await newUser({ password: 'former violins at dusk' });
    const factor = await call('POST', `${USERS}/${user.id}/auth_factors`, { type: 'totp' });
    expect(factor.status).toBe(201);
    expect((await confirm((await ask(user)).password_reset_token)).status).toBe(200);
    const left = await call<{ data: unknown[] }>('GET', `${USERS}/${user.id}/auth_factors`);
    expect(left.body.data).toEqual([]);
    expect(await isPassword(user, 'former violins at dusk')).toBe(false);
  });

  test('invalidates a pending change of the address', async () => {
    const user = await newUser({ password: 'former violins at dusk' });
    await sent(`${USERS}/${user.id}/email_change/send`, { new_email: 'thief@example.com' });
    const code = await mailedCode('thief@example.com');
    await confirm((await ask(user)).password_reset_token);
    const stolen = await call('POST', `${USERS}/${user.id}/email_change/confirm`, { code });
    expect(rejectionText(stolen)).toBe('409 no_pending_email_change');
  });

  test('is rejected if passwords or resets are disabled', async () => {
    const user = await newUser();
    const { password_reset_token: token } = await ask(user);
    const settings = (path: string, body: object) => call('PUT', path, body);
    await settings('/x/user-management/passwords/settings', { reset: false });
    expect(rejectionText(await call('POST', RESET, { email: user.email }))).toBe('403 password_reset_not_allowed');
    await settings('/x/authentication/settings', { methods: { password: false } });
    expect(rejectionText(await call('POST', RESET, { email: user.email }))).toBe('403 email_password_auth_disabled');
    expect(rejectionText(await confirm(token))).toBe('403 email_password_auth_disabled');
  });

  test('links to the environment’s own page if configured', async () => {
    await call('PUT', '/x/user-management/passwords/settings', {
      reset_url: 'https://app.example.com/reset?from=mail',
    });
    const made: Code = await ask(await newUser());
    expect(made.password_reset_url).toBe(
      `https://app.example.com/reset?from=mail&token=${String(made.password_reset_token)}`,
    );
  });

  test('sends at most thirty mails a day to one address', async () => {
    await reset({ calm: true });
    const user = await newUser();
    for (let minute = 1; minute <= 10; minute += 1) {
      for (let one = 1; one <= 3; one += 1) await ask(user);
      await advance(61);
    }
    expect(rejectionText(await call('POST', RESET, { email: user.email }))).toBe('429 daily_quota_exceeded');
  }, 120_000);

  test('stores no token in plain text, and is erased with its user', async () => {
    const user = await newUser({ password: GOOD });
    const { password_reset_token: token = '' } = await ask(user);
    expect(await readRows(token)).toEqual([]);
    expect(await readRows(GOOD)).toEqual([]);
    expect(await readRows(user.id)).toEqual(expect.arrayContaining(['password', 'password-reset']));
  });
});
