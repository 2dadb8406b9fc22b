import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, now, service } from '../../support/service.ts';
import { type ForgingProvider, forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { authorizeUrl, isAtApplication, makeUser, newPerson, PASSWORD, totp } from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

async function enterPassword(by = person, email = EMAIL): Promise<Page> {
  const first = await by.open(await authorizeUrl({ prompt: 'login' }));
  return by.submit(await by.submit(first, { email }), { password: PASSWORD });
}

describe('the offer of an authenticator app after a sign-in', () => {
  beforeEach(async () => {
    await makeUser(EMAIL);
    await call('PUT', '/x/authentication/settings', { factor_enrollment: true });
  });

  const isOffered = ({ url }: Page): boolean => new URL(url).pathname === '/hosted/mfa/offer';

  test('is shown to a user without a factor, and the code of the app enrolls it with recovery codes', async () => {
    const offered = await enterPassword();
    expect([isOffered(offered), offered.text.includes('Skip for now')]).toEqual([true, true]);
    const key = (/<code>([^<]+)<\/code>/.exec(offered.text)?.[1] ?? '').replaceAll(' ', '');
    expect((await person.submit(offered, { code: '000000' })).status).toBe(422);
    const done = await person.submit(offered, { code: await totp(key, await now()) });
    expect(isAtApplication(done)).toBe(true);
    const asked = await enterPassword(browser());
    expect([new URL(asked.url).pathname, asked.text.includes('/hosted/mfa/recovery')]).toEqual(['/hosted/mfa', true]);
  });

  test('is skipped at once, made again after thirty days, and three times at most', async () => {
    for (let times = 0; times < 3; times += 1) {
      const offered = await enterPassword();
      expect([times, isOffered(offered)]).toEqual([times, true]);
      expect(isAtApplication(await person.submit(offered, { do: 'later' }))).toBe(true);
      expect(isAtApplication(await enterPassword())).toBe(true);
      await advance(30 * 86_400);
    }
    expect(isAtApplication(await enterPassword())).toBe(true);
  });

  test('is not shown by default, or if the environment requires factors or disables them', async () => {
    for (const settings of [{}, { factor_enrollment: true, mfa: 'off' }]) {
      await call('PUT', '/x/authentication/settings', settings);
      expect(isAtApplication(await enterPassword(browser()))).toBe(true);
    }
    await call('PUT', '/x/authentication/settings', { factor_enrollment: true, mfa: 'required' });
    const required = await enterPassword(browser());
    expect([new URL(required.url).pathname, required.text.includes('Skip for now')]).toEqual([
      '/hosted/mfa/enroll',
      false,
    ]);
  });

  test('cannot be used after the password was changed, nor in another browser', async () => {
    const offered = await enterPassword();
    const other = await browser().open(offered.url);
    expect(other.text).toContain('This page has expired');
    const { body } = await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${EMAIL}`);
    await call('PUT', `/user_management/users/${body.data[0]?.id ?? ''}`, { password: 'nine orange kites in rain' });
    expect(new URL((await person.submit(offered, { do: 'later' })).url).pathname).toBe('/hosted/sign-in');
  });
});

describe('the buttons of providers', () => {
  let provider: ForgingProvider;

  beforeEach(async () => {
    provider = await forgingProvider();
    provider.account = { sub: 'ada-at-google', email: EMAIL, email_verified: true };
    await configure(provider.url);
    await configure(provider.url, 'MicrosoftOAuth');
  });

  const names = ({ text }: Page): string[] => [...text.matchAll(/Continue with (\w+)/g)].map(([, name = '']) => name);

  test('are in the order of the settings, below or above the form', async () => {
    const first = await person.open(await authorizeUrl());
    expect(names(first)).toEqual(['Google', 'Microsoft']);
    expect(first.text.indexOf('name="email"')).toBeLessThan(first.text.indexOf('Continue with'));
    await call('PUT', '/x/pages/settings', { provider_order: ['MicrosoftOAuth'], provider_position: 'above' });
    await advance(6);
    const next = await person.open(await authorizeUrl());
    expect(names(next)).toEqual(['Microsoft', 'Google']);
    expect(next.text.indexOf('name="email"')).toBeGreaterThan(next.text.indexOf('Continue with Google'));
    const signUp = await person.open(next.url.replace('/hosted/sign-in', '/hosted/sign-up'));
    expect(names(signUp)).toEqual(['Microsoft', 'Google']);
  });

  test('mark the provider that was used last, only in the browser that used it', async () => {
    const first = await person.open(await authorizeUrl());
    expect(first.text).not.toContain('Last used');
    const address = /href="([^"]*provider=GoogleOAuth[^"]*)"/.exec(first.text)?.[1] ?? '';
    expect(isAtApplication(await person.open(new URL(address.replaceAll('&amp;', '&'), first.url).href))).toBe(true);
    const next = await person.open(await authorizeUrl({ prompt: 'login' }));
    expect(next.text.match(/Last used/g)).toHaveLength(1);
    expect(/Continue with Google[\s\S]{0,80}Last used/.test(next.text)).toBe(true);
    expect((await browser().open(await authorizeUrl())).text).not.toContain('Last used');
  });
});

describe('the language menu', () => {
  beforeEach(() => call('PUT', '/x/pages/settings', { language_menu: true }));

  test('keeps the chosen language in the browser, before that of the application, and returns to the page', async () => {
    const first = await person.open(await authorizeUrl({ ui_locales: 'fr' }));
    expect(first.text).toContain('<html lang="fr"');
    const referer = { referer: first.url };
    const body = new URLSearchParams({ language: 'de' });
    const { url } = await service();
    const chosen = await person.request(`${url}/hosted/language`, { method: 'POST', body, headers: referer });
    expect([chosen.status, chosen.headers.get('location')]).toEqual([302, first.url.slice(url.length)]);
    expect((await person.open(first.url)).text).toContain('<html lang="de"');
    expect((await person.open(`${url}/device`)).text).toContain('<html lang="de"');
    expect((await browser().open(first.url)).text).toContain('<html lang="fr"');
  });

  test('is not offered by default, and returns to no other site', async () => {
    const { url } = await service();
    const body = new URLSearchParams({ language: 'de' });
    for (const referer of ['https://evil.example/x', `${url}//evil.example/x`, 'no address', '']) {
      const sent = await person.request(`${url}/hosted/language`, { method: 'POST', body, headers: { referer } });
      expect([referer, sent.headers.get('location')]).toEqual([referer, '/']);
    }
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await person.request(`${url}/hosted/language`, { method: 'POST', body, headers })).status).toBe(403);
    const invented = new URLSearchParams({ language: 'x"><script>' });
    const sent = await browser().request(`${url}/hosted/language`, { method: 'POST', body: invented });
    expect(sent.headers.getSetCookie()).toEqual([]);
    await call('PUT', '/x/pages/settings', {});
    expect((await browser().open(await authorizeUrl())).text).not.toContain('/hosted/language');
  });
});

describe('a font of the environment', () => {
  test('is loaded only from its origin, with the system fonts as the fallback', async () => {
    const fontUrl = 'https://fonts.example.com/inter.woff2';
    await call('PUT', '/x/pages/settings', { font_url: fontUrl });
    const { text, headers } = await person.open(await authorizeUrl());
    expect(text).toContain(`@font-face{font-family:brand;src:url("${fontUrl}") format("woff2")`);
    expect(headers.get('content-security-policy')).toContain('font-src https://fonts.example.com;');
  });

  test.each([
    'http://fonts.example.com/a.woff2',
    'https://fonts.example.com/a.ttf',
    'https://fonts.example.com/a.woff2");}body{display:none}',
    "https://fonts.example.com/a').woff2",
    'https://fonts.example.com/<b>.woff2',
    'data:font/woff2;base64,AAAA',
  ])('is rejected: %s', async (font_url) => {
    expect((await call('PUT', '/x/pages/settings', { font_url })).status).toBe(400);
  });
});

describe('the sign-up page of an invitation', () => {
  test('names the person who invites, the organization and the address', async () => {
    const inviter = await makeUser('grace@example.com', { first_name: 'Grace', last_name: 'Hopper' });
    const { body: organization } = await call<{ id: string }>('POST', '/organizations', { name: 'Engines' });
    const invited = { email: EMAIL, organization_id: organization.id, inviter_user_id: inviter };
    const { body } = await call<{ token: string }>('POST', '/user_management/invitations', invited);
    const signUp = await person.open(await authorizeUrl({ invitation_token: body.token, screen_hint: 'sign-up' }));
    for (const text of ['Grace Hopper', 'Engines', EMAIL]) expect(signUp.text).toContain(text);
  });
});

describe('the page of a mailed code', () => {
  test.each([
    ['ada@gmail.com', 'https://mail.google.com/', 'Open Gmail'],
    ['ada@HOTMAIL.com', 'https://outlook.live.com/mail/', 'Open Outlook'],
    ['ada@example.com', undefined, undefined],
  ])('links to the mailbox of %s', async (email, address, label) => {
    const password = await person.submit(await person.open(await authorizeUrl()), { email });
    const { text } = await person.submit(password, { do: 'code' });
    expect(text).toContain('Check your spam folder');
    expect(/<a href="([^"]+)" target="_blank" rel="noopener noreferrer"/.exec(text)?.[1]).toBe(address);
    expect(/Open \w+/.exec(text)?.[0]).toBe(label);
  });
});
