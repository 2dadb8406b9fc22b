import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, idle, now, reset } from '../../support/service.ts';
import { type ForgingProvider, forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { authorizeUrl, exchange, mailedCode, makeUser, REDIRECT_URI, register, totp } from './application.ts';

const EMAIL = 'ada@example.com';

let provider: ForgingProvider;
let person: Browser;

beforeEach(async () => {
  await reset();
  provider = await forgingProvider();
  provider.account = { sub: 'ada-at-google', email: EMAIL, email_verified: true };
  await Promise.all([register(), configure(provider.url)]);
  person = browser();
});

/** Presses the button of the provider on the first page. */
async function press(by = person): Promise<Page> {
  const { text, url } = await by.open(await authorizeUrl());
  const address = /<a class="button quiet" href="([^"]+)"/.exec(text)?.[1] ?? '';
  expect(text).toContain('Continue with Google');
  return by.open(new URL(address.replaceAll('&amp;', '&'), url).href);
}

describe('the button of a provider', () => {
  test('signs in, and the browser stays signed in to the pages', async () => {
    const done = await press();
    expect((await exchange(done.url)).authentication_method).toBe('GoogleOAuth');
    const second = await person.open(await authorizeUrl());
    expect((await exchange(second.url)).user.email).toBe(EMAIL);
  });

  test('continues with the remaining steps: a proof of the address, a second factor', async () => {
    await makeUser(EMAIL);
    await call('PUT', '/x/authentication/settings', { mfa: 'required' });
    const enrol = await press();
    expect(enrol.url).toContain('/hosted/mfa/enroll');
    const key = (/<code>([^<]+)<\/code>/.exec(enrol.text)?.[1] ?? '').replaceAll(' ', '');
    const done = await person.submit(enrol, { code: await totp(key, await now()) });
    expect((await exchange(done.url)).authentication_method).toBe('GoogleOAuth');
  });

  test('requires a code first if the provider has not verified the address', async () => {
    provider.account = { ...provider.account, email_verified: false };
    const asked = await press();
    expect(asked.url).toContain('/hosted/verify-email');
    const done = await person.submit(asked, { code: await mailedCode(EMAIL) });
    expect(done.url.startsWith(REDIRECT_URI)).toBe(true);
  });

  test('shows an error for a user that the environment does not allow', async () => {
    await call('PUT', '/x/authentication/settings', { sign_up: false });
    const rejected = await press();
    expect([rejected.status, rejected.text.includes('by invitation only')]).toEqual([422, true]);
    expect(rejected.url).toContain('/hosted/sign-in/social');
    await idle();
    const { body } = await call<{ data: object[] }>('GET', '/events?events=authentication.oauth_failed');
    expect(body.data).toMatchObject([{ data: { email: EMAIL, error: { code: 'sign_up_not_allowed' } } }]);
  });

  test('leads to a page that asks for an address if the account has none, and the user can go back', async () => {
    provider.account = { sub: 'ada-at-google' };
    const asked = await press();
    const [, back = ''] = /<a href="([^"]+)">Start again/.exec(asked.text) ?? [];
    const first = await person.open(new URL(back.replaceAll('&amp;', '&'), asked.url).href);
    expect(first.text).toContain('Continue with Google');
    const code = await person.submit(asked, { email: EMAIL });
    const done = await person.submit(code, { code: await mailedCode(EMAIL) });
    expect((await exchange(done.url)).user).toMatchObject({ email: EMAIL, email_verified: true });
  });

  test('does not sign in another browser', async () => {
    const { url } = await person.open(await authorizeUrl());
    const flow = new URL(url).searchParams.get('flow') ?? '';
    const back = await browser().open(url.replace(/\/hosted\/.*$/, `/hosted/sign-in/social?flow=${flow}`));
    expect(new URL(back.url).pathname).toBe('/hosted/sign-in');
  });
});
