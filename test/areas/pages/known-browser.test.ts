import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser, type Page } from '../../support/browser.ts';
import { call, service } from '../../support/service.ts';
import { forgingProvider } from '../social/forging-provider.ts';
import { configure } from '../social/sign-in.ts';
import { authorizeUrl, exchange, isAtApplication, mailedCode, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';
const AGENT = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0' };

let owner: Browser;

beforeEach(async () => {
  await newPerson();
  await call('PUT', '/x/authentication/settings', { new_device: 'email_challenge' });
  await makeUser(EMAIL);
  owner = browser(AGENT);
});

/** The application exchanges a browser's code. */
async function finish(page: Page): Promise<Page> {
  if (isAtApplication(page)) await exchange(page.url);
  return page;
}

/** Signs in with the password. */
async function enter(person: Browser, email = EMAIL): Promise<Page> {
  const first = await person.open(await authorizeUrl({ prompt: 'login' }));
  return finish(await person.submit(await person.submit(first, { email }), { password: PASSWORD }));
}

const isChallenged = ({ url }: Page): boolean => url.includes('/hosted/verify-device');

const deviceCookie = async (person: Browser): Promise<[string, string] | undefined> =>
  [...person.cookies(new URL((await service()).url).host)].find(([name]) => name.includes('_device_'));

describe('a browser in which a user has signed in', () => {
  test('is not identified by its user agent: another browser with the same user agent must enter a code', async () => {
    expect(isAtApplication(await enter(owner))).toBe(true);
    expect(isAtApplication(await enter(owner))).toBe(true);
    expect(isChallenged(await enter(browser(AGENT)))).toBe(true);
  });

  test('stays known with another user agent, as after an update', async () => {
    expect(isAtApplication(await enter(owner))).toBe(true);
    const updated = browser({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/141.0.0.0' });
    const { host } = new URL((await service()).url);
    for (const [name, value] of owner.cookies(host)) updated.cookies(host).set(name, value);
    expect(isAtApplication(await enter(updated))).toBe(true);
  });

  test('is known only for that user, and still requires the password', async () => {
    await makeUser('eve@example.com');
    expect(isAtApplication(await enter(owner))).toBe(true);
    expect(isAtApplication(await enter(browser(AGENT), 'eve@example.com'))).toBe(true);
    expect(isChallenged(await enter(owner, 'eve@example.com'))).toBe(true);
    const { host } = new URL((await service()).url);
    const stranger = browser();
    const [name = '', value = ''] = (await deviceCookie(owner)) ?? [];
    stranger.cookies(host).set(name, value);
    const first = await stranger.open(await authorizeUrl());
    const rejected = await stranger.submit(await stranger.submit(first, { email: EMAIL }), { password: 'wrong' });
    expect(rejected.status).toBe(422);
  });

  test('becomes known after a code, by a cookie that later sign-ins keep', async () => {
    expect(isAtApplication(await enter(owner))).toBe(true);
    const other = browser();
    const asked = await enter(other);
    const cookie = await deviceCookie(other);
    expect(cookie).toBeDefined();
    expect(isAtApplication(await other.submit(asked, { code: await mailedCode(EMAIL) }))).toBe(true);
    expect(isAtApplication(await enter(other))).toBe(true);
    expect(await deviceCookie(other)).toEqual(cookie);
  });

  test('has one HttpOnly cookie', async () => {
    const first = await owner.open(await authorizeUrl());
    const set = first.headers.getSetCookie().filter((line) => line.includes('_device_'));
    expect(set).toEqual([
      expect.stringMatching(/^gatehouse_device_\w{16}=[\w-]{43}; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/),
    ]);
    const again = await owner.open(await authorizeUrl());
    expect(again.headers.getSetCookie().filter((line) => line.includes('_device_'))).toEqual([]);
  });

  test('is also identified if an application redirects directly to a provider', async () => {
    const provider = await forgingProvider();
    provider.account = { sub: 'ada-at-google', email: EMAIL, email_verified: true };
    await configure(provider.url);
    expect(isAtApplication(await finish(await owner.open(await authorizeUrl({ provider: 'GoogleOAuth' }))))).toBe(true);
    expect(await deviceCookie(owner)).toBeDefined();
    expect(isAtApplication(await enter(owner))).toBe(true);
    expect(isChallenged(await enter(browser(AGENT)))).toBe(true);
  });
});
