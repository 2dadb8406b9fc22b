import { beforeEach, describe, expect, test } from '@jest/globals';

import { openProven } from '../../support/account.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { operatorGrant } from '../../support/console.ts';
import { advance, call, now, service } from '../../support/service.ts';
import { addSession, readSessions } from '../../support/users.ts';
import { authorizeUrl, isAtApplication, makeUser, mailedCode, newPerson, PASSWORD, totp } from './application.ts';

const EMAIL = 'ada@example.com';
const OTHER = 'ada@new.example';
const OFFERING = { methods: { passkey: true }, passkey_enrollment: true };
const CHOICE = 'name="trust"';

interface Enrolled {
  authentication_factor: { id: string; totp: { secret: string } };
  authentication_challenge: { id: string };
}

let person: Browser;
let userId: string;
let key: string;
let factorId: string;

/** Adds a proven authenticator app to a user. */
async function addApp(user: string): Promise<{ id: string; secret: string }> {
  const { body } = await call<Enrolled>('POST', `/user_management/users/${user}/auth_factors`, { type: 'totp' });
  const { id, totp: app } = body.authentication_factor;
  const code = await totp(app.secret, await now());
  const { body: verified } = await call('POST', `/auth/challenges/${body.authentication_challenge.id}/verify`, {
    code,
  });
  expect(verified).toMatchObject({ valid: true });
  // The code of the current time step is used up.
  await advance(31);
  return { id, secret: app.secret };
}

beforeEach(async () => {
  person = await newPerson();
  // Without sessions of the browser each sign-in begins with the password.
  await call('PUT', '/x/pages/settings', { browser_session_seconds: 0 });
  await call('PUT', '/x/authentication/settings', { device_trust: { enabled: true } });
  userId = await makeUser(EMAIL);
  ({ id: factorId, secret: key } = await addApp(userId));
});

async function enterPassword(by = person, query: Record<string, string> = {}, email = EMAIL): Promise<Page> {
  const first = await by.open(await authorizeUrl(query));
  return by.submit(await by.submit(first, { email }), { password: PASSWORD });
}

/** Signs in with the second factor, and chooses not to be asked again. */
async function trust(by = person): Promise<void> {
  const asked = await enterPassword(by);
  const done = await by.submit(asked, { code: await totp(key, await now()), trust: 'on' });
  if (!isAtApplication(done)) throw new Error(`The code ended at ${done.url}: ${done.text}`);
  await advance(31);
}

const isAsked = ({ url }: Page): boolean => new URL(url).pathname === '/hosted/mfa';

async function trustCookie(by = person): Promise<[name: string, value: string]> {
  const cookies = by.cookies(new URL((await service()).url).host);
  return [...cookies].find(([name]) => name.includes('gatehouse_trust')) ?? ['', ''];
}

describe('a browser that a user trusts', () => {
  test('is not offered by default, and a form that asks for it has no effect', async () => {
    await call('PUT', '/x/authentication/settings', {});
    const asked = await enterPassword();
    expect(asked.text).not.toContain(CHOICE);
    await person.submit(asked, { code: await totp(key, await now()), trust: 'on' });
    expect(await trustCookie()).toEqual(['', '']);
    expect(isAsked(await enterPassword())).toBe(true);
  });

  test('is asked for the second factor again if its user did not choose', async () => {
    const asked = await enterPassword();
    expect(asked.text).toContain('Don’t ask again on this device for');
    await person.submit(asked, { code: await totp(key, await now()) });
    expect(isAsked(await enterPassword())).toBe(true);
  });

  test('is not offered a passkey in a sign-in without the second factor, since the passkey would replace the factor permanently', async () => {
    await trust();
    await call('PUT', '/x/pages/settings', { browser_session_seconds: 3_600 });
    await call('PUT', '/x/authentication/settings', { device_trust: { enabled: true }, ...OFFERING });
    expect(isAtApplication(await enterPassword())).toBe(true);
    const other = browser();
    const asked = await enterPassword(other);
    const offered = await other.submit(asked, { code: await totp(key, await now()) });
    expect(new URL(offered.url).pathname).toBe('/hosted/passkey');
  });

  test('is asked for the second factor if the environment has shortened the time of trust since', async () => {
    await trust();
    await call('PUT', '/x/authentication/settings', { device_trust: { enabled: true, days: 1 } });
    expect(isAsked(await enterPassword())).toBe(true);
  });

  test('skips the second factor for thirty days, which later sign-ins do not extend', async () => {
    await trust();
    expect(isAtApplication(await enterPassword())).toBe(true);
    await advance(20 * 86_400);
    expect(isAtApplication(await enterPassword())).toBe(true);
    await advance(10 * 86_400);
    expect(isAsked(await enterPassword())).toBe(true);
    expect(isAsked(await enterPassword(browser()))).toBe(true);
  });

  test('gets a new cookie at each use, which invalidates the earlier ones', async () => {
    await trust();
    const [name, first] = await trustCookie();
    const { host } = new URL((await service()).url);
    await enterPassword();
    const [, second] = await trustCookie();
    expect([first.split('.')[0], first === second]).toEqual([userId, false]);
    const thief = browser();
    thief.cookies(host).set(name, first);
    expect(isAsked(await enterPassword(thief))).toBe(true);
    expect(isAtApplication(await enterPassword())).toBe(true);
  });

  test('skips the second factor in one of two parallel sign-ins with the same cookie', async () => {
    await trust();
    const { host } = new URL((await service()).url);
    const copy = browser();
    copy.cookies(host).set(...(await trustCookie()));
    const pages = await Promise.all(
      [person, copy].map(async (by) => ({
        by,
        page: await by.submit(await by.open(await authorizeUrl()), { email: EMAIL }),
      })),
    );
    const done = await Promise.all(pages.map(({ by, page }) => by.submit(page, { password: PASSWORD })));
    expect(done.filter(isAtApplication).length).toBe(1);
    expect(done.filter(isAsked).length).toBe(1);
  });

  test('does not skip the second factor of another user', async () => {
    const bob = 'bob@example.com';
    await addApp(await makeUser(bob));
    await trust();
    expect(isAsked(await enterPassword(person, {}, bob))).toBe(true);
  });

  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['max_age', { max_age: '60' }],
  ])('is asked for the second factor, and not offered the choice, by a request with %s', async (_, query) => {
    await trust();
    const asked = await enterPassword(person, query);
    expect([isAsked(asked), asked.text.includes(CHOICE)]).toEqual([true, false]);
    await person.submit(asked, { code: await totp(key, await now()), trust: 'on' });
    expect(isAtApplication(await enterPassword())).toBe(true);
  });

  test('does not replace the second factor on the account page', async () => {
    await trust();
    await call('PUT', '/x/pages/settings', {});
    expect(isAtApplication(await enterPassword())).toBe(true);
    const { url, clientId } = await service();
    const page = await person.open(`${url}/hosted/account/${clientId}/name`);
    expect(page.url).toContain('/confirm');
  });

  test('is no longer trusted after a change of the password', async () => {
    await trust();
    await call('PUT', `/user_management/users/${userId}`, { password: PASSWORD });
    expect(isAsked(await enterPassword())).toBe(true);
  });

  test('is no longer trusted after a change of the address', async () => {
    await trust();
    await call('PUT', `/user_management/users/${userId}`, { email: OTHER, email_verified: true });
    expect(isAsked(await enterPassword(person, {}, OTHER))).toBe(true);
  });

  test('is no longer trusted after another factor was added', async () => {
    await trust();
    await addApp(userId);
    expect(isAsked(await enterPassword())).toBe(true);
  });

  test('is no longer trusted after its factor was replaced', async () => {
    await trust();
    await call('DELETE', `/auth/factors/${factorId}`);
    await addApp(userId);
    expect(isAsked(await enterPassword())).toBe(true);
  });

  test('is no longer trusted after an operator revoked a session of its user, but still after the back end did', async () => {
    await trust();
    const revoke = async (apiKey?: string) => {
      await addSession(userId);
      const [sessionId] = await readSessions(userId);
      const options = apiKey === undefined ? {} : { apiKey, headers: { 'gatehouse-reason': 'Ticket%2042' } };
      const sent = await call('POST', '/user_management/sessions/revoke', { session_id: sessionId }, options);
      expect(sent.status).toBe(200);
    };
    await revoke();
    expect(isAtApplication(await enterPassword())).toBe(true);
    await revoke(await operatorGrant(['people.support']));
    expect(isAsked(await enterPassword())).toBe(true);
  });

  test('is no longer trusted after its user signed out everywhere', async () => {
    await trust();
    const { person: holder, open } = await openProven(userId, PASSWORD);
    const confirmation = await open('sessions');
    const sessions = await holder.submit(confirmation, { code: await totp(key, await now()) });
    await holder.submit(sessions, {}, 'end_all');
    await advance(31);
    expect(isAsked(await enterPassword())).toBe(true);
  });

  test('is no longer trusted after the environment disabled the choice', async () => {
    await trust();
    await call('PUT', '/x/authentication/settings', {});
    expect(isAsked(await enterPassword())).toBe(true);
  });
});

describe('the choice to stay signed in', () => {
  const session = async (): Promise<string> => {
    const cookies = person.cookies(new URL((await service()).url).host);
    return [...cookies].find(([name]) => name.includes('gatehouse_session'))?.[1] ?? '';
  };

  /** The Set-Cookie header of the session after the right password. */
  async function signIn(fields: Record<string, string>): Promise<string> {
    await call('DELETE', `/auth/factors/${factorId}`);
    const page = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
    expect(page.text).toContain('Stay signed in');
    const proof = /name="proof" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const body = new URLSearchParams({ proof, password: PASSWORD, ...fields });
    const { headers } = await person.request(page.url, { method: 'POST', body });
    return headers.getSetCookie().find((line) => line.includes('gatehouse_session')) ?? '';
  }

  beforeEach(() => call('PUT', '/x/pages/settings', { stay_signed_in: 'ask' }));

  test('keeps the browser signed in for the time of the settings', async () => {
    expect(await signIn({ stay: 'on' })).toContain('Max-Age=604800');
    await advance(3 * 86_400);
    expect(isAtApplication(await person.open(await authorizeUrl()))).toBe(true);
  });

  test('gives a browser without it a cookie that ends when it is closed, and a session of twelve hours', async () => {
    const cookie = await signIn({});
    expect([cookie.includes('Max-Age'), cookie.includes('HttpOnly')]).toEqual([false, true]);
    expect(await session()).not.toBe('');
    await advance(43_000);
    expect(isAtApplication(await person.open(await authorizeUrl()))).toBe(true);
    await advance(201);
    expect(isAtApplication(await person.open(await authorizeUrl()))).toBe(false);
  });

  test('is also on the page of a mailed code', async () => {
    await call('PUT', '/x/authentication/settings', { methods: { password: false } });
    await call('DELETE', `/auth/factors/${factorId}`);
    const page = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
    expect(page.text).toContain('name="stay"');
    expect(isAtApplication(await person.submit(page, { code: await mailedCode(EMAIL), stay: 'on' }))).toBe(true);
    await advance(86_400);
    expect(isAtApplication(await person.open(await authorizeUrl()))).toBe(true);
  });
});
