import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, messages, service } from '../../support/service.ts';
import { authorizeUrl, exchange, isAtApplication, mailedCode, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}): Promise<Page> => person.open(await authorizeUrl(more));

describe('a browser that signs in many times', () => {
  const cookieHeader = async (): Promise<string> =>
    [...person.cookies(new URL((await service()).url).host)].map((pair) => pair.join('=')).join('; ');

  test('sends at most 4 KB of cookies, and its latest sign-ins still work', async () => {
    await makeUser(EMAIL);
    const first = await opened();
    let page = first;
    for (let time = 0; time < 55; time += 1) page = await opened();
    expect((await cookieHeader()).length).toBeLessThanOrEqual(4_096);
    // The cookie of the first sign-in was removed, so it starts again.
    expect((await person.submit(first, { email: EMAIL })).text).toContain('Cookies are blocked');
    const second = await person.submit(page, { email: EMAIL });
    expect(isAtApplication(await person.submit(second, { password: PASSWORD }))).toBe(true);
  });
});

describe('a user who signs up, goes back and sends the form again', () => {
  const signUp = (page: Page, more: Record<string, string>): Promise<Page> =>
    person.submit(page, { email: EMAIL, password: PASSWORD, first_name: 'Ada', ...more });

  test('gets a valid code, and the account has the name and password that were sent last', async () => {
    const page = await opened({ screen_hint: 'sign-up' });
    await signUp(page, { first_name: 'Adda' });
    const asked = await signUp(page, { password: 'another set of tulips' });
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect(isAtApplication(done)).toBe(true);
    expect((await exchange(done.url)).user).toMatchObject({ first_name: 'Ada', email_verified: true });
    expect((await messages(EMAIL)).filter(({ subject }) => subject?.includes('already have'))).toHaveLength(0);
    const again = browser();
    const second = await again.submit(await again.open(await authorizeUrl()), { email: EMAIL });
    expect((await again.submit(second, { password: PASSWORD })).status).toBe(422);
    expect(isAtApplication(await again.submit(second, { password: 'another set of tulips' }))).toBe(true);
  });

  test('gets a code for the corrected address if the first was mistyped', async () => {
    const page = await opened({ screen_hint: 'sign-up' });
    await signUp(page, { email: 'adda@example.com' });
    const asked = await signUp(page, {});
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect((await exchange(done.url)).user.email).toBe(EMAIL);
  });

  test('does not change an account that was verified between two sign-ups, and its owner is notified', async () => {
    const page = await opened({ screen_hint: 'sign-up' });
    await signUp(page, {});
    const { body } = await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${EMAIL}`);
    await call('PUT', `/user_management/users/${body.data[0]?.id ?? ''}`, { email_verified: true });
    const asked = await signUp(page, { password: 'another set of tulips' });
    expect(asked.url).toContain('/hosted/sign-up/code');
    expect((await messages(EMAIL))[0]?.subject).toContain('You already have an account');
    const second = await person.submit(await opened(), { email: EMAIL });
    expect((await person.submit(second, { password: 'another set of tulips' })).status).toBe(422);
  });

  test('gets no further code for an account that was verified in between, so that no mailed code signs in to it', async () => {
    await call('PUT', '/x/authentication/settings', { methods: { magic_auth: false } });
    const asked = await signUp(await opened({ screen_hint: 'sign-up' }), {});
    const first = await mailedCode(EMAIL);
    const { body } = await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${EMAIL}`);
    const path = `/user_management/users/${body.data[0]?.id ?? ''}`;
    await call('PUT', path, { email_verified: true, password: 'another set of tulips' });
    const again = await person.submit(asked, { do: 'resend' });
    expect(again.url).toContain('/hosted/sign-up/code');
    const sent = await messages(EMAIL);
    expect(sent.map(({ subject, code }) => [subject, code])).toEqual([
      ['You already have an account at Local', null],
      ['Your password for Local was changed', null],
      ['Confirm your email address for Local', first],
    ]);
    const rejected = await person.submit(again, { code: first });
    expect([rejected.status, isAtApplication(rejected)]).toEqual([422, false]);
  });

  test('does not change the password of an account that another browser signed up', async () => {
    const asked = await signUp(await opened({ screen_hint: 'sign-up' }), {});
    const code = await mailedCode(EMAIL);
    const thief = browser();
    const form = await thief.open(await authorizeUrl({ screen_hint: 'sign-up' }));
    const thiefPage = await thief.submit(form, { email: EMAIL, password: 'a password of a thief' });
    expect(thiefPage.url).toContain('/hosted/sign-up/code');
    expect((await messages(EMAIL))[0]?.subject).toContain('You already have an account');
    expect(isAtApplication(await person.submit(asked, { code }))).toBe(true);
    const second = await thief.submit(await thief.open(await authorizeUrl()), { email: EMAIL });
    expect((await thief.submit(second, { password: 'a password of a thief' })).status).toBe(422);
    expect(isAtApplication(await thief.submit(second, { password: PASSWORD }))).toBe(true);
  });
});
