import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, messages, reset } from '../../support/service.ts';
import { addSession, readSessions } from '../../support/users.ts';
import { mailedCode, sent, tally, rejectionText, wrong } from './codes.ts';
import { readEvents, newUser, type User, USERS } from './users.ts';
import { retryCall } from '../../support/retries.ts';

beforeEach(() => reset());

const send = ({ id }: User) => sent(`${USERS}/${id}/email_verification/send`);
const confirm = ({ id }: User, code: string) =>
  retryCall(() => call<{ user: User }>('POST', `${USERS}/${id}/email_verification/confirm`, { code }));

describe('email verification', () => {
  test('mails a code that verifies the address, once', async () => {
    const user = await newUser();
    await send(user);
    const code = await mailedCode(user.email);
    const response = await confirm(user, ` ${code.slice(0, 3)} ${code.slice(3)} `);
    expect(response).toMatchObject({ status: 200, body: { user: { id: user.id, email_verified: true } } });
    expect(rejectionText(await confirm(user, code))).toBe('400 email_verification_code_previously_used');
    expect(rejectionText(await confirm(user, wrong(code)))).toBe('400 email_previously_verified');
    expect(rejectionText(await call('POST', `${USERS}/${user.id}/email_verification/send`))).toBe(
      '400 email_already_verified',
    );
    expect((await readEvents('user.updated')).map(({ data }) => data)).toMatchObject([{ email_verified: true }]);
  });

  test('can be read with its code, which is in no event and in no subject of a mail', async () => {
    const user = await newUser();
    await send(user);
    const [event] = await readEvents('email_verification.created');
    const { status, body } = await call('GET', `/user_management/email_verification/${String(event?.data.id)}`);
    const code = await mailedCode(user.email);
    expect(status).toBe(200);
    expect(body).toEqual({ ...event?.data, code });
    expect(event?.data).not.toHaveProperty('code');
    const [mail] = await messages(user.email);
    expect(mail?.subject).not.toContain(code);
    await advance(600 + 86_400 + 1);
    expect((await call('GET', `/user_management/email_verification/${String(event?.data.id)}`)).status).toBe(404);
  });

  test('expires after ten minutes', async () => {
    const user = await newUser();
    await send(user);
    const code = await mailedCode(user.email);
    await advance(601);
    expect(rejectionText(await confirm(user, code))).toBe('400 email_verification_code_expired');
    expect(rejectionText(await confirm(user, wrong(code)))).toBe('400 email_verification_code_incorrect');
  });

  test('invalidates the previous code', async () => {
    const user = await newUser();
    await send(user);
    const first = await mailedCode(user.email);
    await send(user);
    const second = await mailedCode(user.email);
    if (first !== second)
      expect(rejectionText(await confirm(user, first))).toBe('400 email_verification_code_incorrect');
    expect((await confirm(user, second)).status).toBe(200);
  });

  test('rejects an unknown code, a code of another user, and a code for a former address', async () => {
    const [ada, bob] = [await newUser(), await newUser()];
    expect(rejectionText(await confirm(ada, '123456'))).toBe('400 email_verification_code_incorrect');
    await send(bob);
    const code = await mailedCode(bob.email);
    expect(rejectionText(await confirm(ada, code))).toBe('400 email_verification_code_incorrect');
    const moved = await call<User>('PUT', `${USERS}/${bob.id}`, { email: 'bob@elsewhere.example' });
    expect(moved.status).toBe(200);
    expect(rejectionText(await confirm(bob, code))).toBe('400 email_verification_code_incorrect');
    expect(rejectionText(await confirm({ ...ada, id: 'user_01J00000000000000000000000' }, code))).toBe('404 not_found');
  });

  test('accepts five of a hundred parallel guesses, and then not even the correct code', async () => {
    const user = await newUser();
    await send(user);
    const code = await mailedCode(user.email);
    const guesses = Array.from({ length: 100 }, (_, at) =>
      wrong(
        String(Number(code) + at)
          .padStart(6, '0')
          .slice(-6),
      ),
    );
    const responses = await Promise.all(guesses.filter((guess) => guess !== code).map((guess) => confirm(user, guess)));
    expect(tally(responses)).toMatchObject({ '400 email_verification_code_incorrect': 5 });
    expect(rejectionText(await confirm(user, code))).toBe('400 email_verification_code_expired');
    await send(user);
    expect((await confirm(user, await mailedCode(user.email))).status).toBe(200);
  });

  test('accepts a code once in fifty parallel confirmations', async () => {
    const user = await newUser();
    await send(user);
    const code = await mailedCode(user.email);
    const responses = await Promise.all(Array.from({ length: 50 }, () => confirm(user, code)));
    expect(tally(responses)['200 ']).toBe(1);
    expect(await readEvents('user.updated')).toHaveLength(1);
  });

  test('keeps the password and the sessions if the back end confirms the code', async () => {
    const user = await newUser({ password: 'tangled violins at dawn' });
    const session = await addSession(user.id);
    await send(user);
    expect((await confirm(user, await mailedCode(user.email))).status).toBe(200);
    expect(await readSessions(user.id)).toEqual([session]);
  });

  test('sends at most three codes a minute and thirty a day to one address', async () => {
    await reset({ calm: true });
    const user = await newUser();
    const path = `${USERS}/${user.id}/email_verification/send`;
    for (let minute = 1; minute <= 10; minute += 1) {
      for (let one = 1; one <= 3; one += 1) expect((await call('POST', path)).status).toBe(200);
      const limited = await call('POST', path);
      if (minute < 10)
        expect([rejectionText(limited), limited.headers['retry-after']]).toEqual([
          '429 rate_limit_exceeded',
          expect.stringMatching(/^\d+$/),
        ]);
      await advance(61);
    }
    const spent = await call('POST', path);
    expect(rejectionText(spent)).toBe('429 daily_quota_exceeded');
    expect(Number(spent.headers['retry-after'])).toBeGreaterThan(80_000);
    await advance(86_400);
    expect((await call('POST', path)).status).toBe(200);
  }, 120_000);
});
