import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Browser, Page } from '../../support/browser.ts';
import { advance, call, messages } from '../../support/service.ts';
import { authorizeUrl, exchange, mailedCode, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';
const OTHER = 'eve@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const signUpIs = (sign_up: boolean) => call('PUT', '/x/authentication/settings', { sign_up });

/**
 * Reports whether an address has an account, by trying to create one, which claims the address in the same transaction.
 */
async function hasAccount(email: string): Promise<boolean> {
  const { status } = await call('POST', '/user_management/users', { email });
  return status !== 201;
}

/** Invites an address. @returns the invitation's token */
async function invite(email: string): Promise<{ id: string; token: string }> {
  const { status, body } = await call<{ id: string; token: string }>('POST', '/user_management/invitations', { email });
  expect(status).toBe(201);
  return body;
}

const opened = async (invitation_token: string): Promise<Page> => person.open(await authorizeUrl({ invitation_token }));

const signUp = async (page: Page, email: string): Promise<Page> =>
  person.submit(await person.open(page.url.replace('/hosted/sign-in', '/hosted/sign-up')), {
    email,
    password: PASSWORD,
  });

describe('if sign-up is disabled, an invitation', () => {
  beforeEach(() => signUpIs(false));

  test('creates an account only for its own address', async () => {
    const { token } = await invite(EMAIL);
    const page = await opened(token);
    const rejected = await signUp(page, OTHER);
    expect([rejected.status, rejected.text.includes('This invitation is for another email address')]).toEqual([
      422,
      true,
    ]);
    expect(await messages(OTHER)).toEqual([]);
    expect(await hasAccount(OTHER)).toBe(false);
    const asked = await signUp(page, EMAIL);
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect((await exchange(done.url)).user).toMatchObject({ email: EMAIL, email_verified: true });
  });

  test('sends no code to another address, and shows the same page', async () => {
    const { token } = await invite(EMAIL);
    const asked = await person.submit(await person.submit(await opened(token), { email: OTHER }), { do: 'code' });
    expect(asked.text).toContain(`If ${OTHER} can sign in`);
    expect(await messages(OTHER)).toEqual([]);
  });

  test.each([
    ['was withdrawn', (id: string) => call('POST', `/user_management/invitations/${id}/revoke`, {})],
    ['has expired', () => advance(31 * 86_400)],
  ])('that %s creates no account', async (_title, end) => {
    const { id, token } = await invite(EMAIL);
    await end(id);
    const page = await opened(token);
    expect(page.text).not.toContain('/hosted/sign-up');
    const rejected = await signUp(page, EMAIL);
    expect([rejected.status, rejected.text.includes('by invitation only')]).toEqual([422, true]);
    expect(await hasAccount(EMAIL)).toBe(false);
  });
});

test('a code that was mailed before sign-up was disabled creates no account afterwards', async () => {
  const second = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
  const asked = await person.submit(second, { do: 'code' });
  const code = await mailedCode(EMAIL);
  await signUpIs(false);
  expect((await person.submit(asked, { code })).status).toBe(422);
  expect(await hasAccount(EMAIL)).toBe(false);
});

test('a mailed code is rejected after mailed codes were disabled', async () => {
  await makeUser(EMAIL);
  const second = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
  const asked = await person.submit(second, { do: 'code' });
  const code = await mailedCode(EMAIL);
  await call('PUT', '/x/authentication/settings', { methods: { magic_auth: false } });
  const first = await person.submit(asked, { code });
  expect(new URL(first.url).pathname).toBe('/hosted/sign-in');
});
