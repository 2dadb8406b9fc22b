import { beforeEach, describe, expect, test } from '@jest/globals';

import { accountAddress, newAccountLink, openAccount } from '../../support/account.ts';
import { browser } from '../../support/browser.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import { addSession } from '../../support/users.ts';
import { otherEnvironment } from '../authentication/inside.ts';
import {
  authorizeUrl,
  exchange,
  makeUser,
  newPerson,
  PASSWORD,
  readSessionId,
  register,
} from '../pages/application.ts';

const EMAIL = 'ada@example.com';

beforeEach(() => reset());

const settings = (members: Record<string, unknown>) => call('PUT', '/x/account/settings', members);
const pageSettings = (members: Record<string, unknown>) => call('PUT', '/x/pages/settings', members);
const linkPath = (userId: string): string => `/x/user-management/users/${userId}/account_link`;

describe('a link to the account page', () => {
  test('names the account on its start page, whose form opens the page once', async () => {
    const link = await newAccountLink(await makeUser(EMAIL));
    const scanner = browser();
    for (let time = 0; time < 3; time += 1) await scanner.open(link);
    const person = browser();
    const start = await person.open(link);
    expect(readText(start)).toContain(`the account of ${EMAIL}`);
    const page = await person.submit(start);
    expect([page.status, page.url]).toEqual([200, await accountAddress()]);
    expect(readText(page)).toContain(`You are signed in as ${EMAIL}`);
    expect((await browser().open(link)).headers.get('x-error-code')).toBe('account_link_ended');
    expect((await scanner.submit(start)).status).toBe(400);
  });

  test('opens one page only, even if many browsers send its form at once', async () => {
    const link = await newAccountLink(await makeUser(EMAIL));
    const people = Array.from({ length: 6 }, () => browser());
    // The link shows no form after the first one was sent.
    const opened = await Promise.all(people.map(async (person) => ({ person, form: await person.open(link) })));
    const pages = await Promise.all(opened.map(({ person, form }) => person.submit(form)));
    expect(pages.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400]);
  });

  test('is not opened by the form of another site or of another browser', async () => {
    const link = await newAccountLink(await makeUser(EMAIL));
    expect((await browser().submit(await browser().open(link))).status).toBe(400);
    const person = browser();
    const start = await person.open(link);
    const proof = /name="proof" value="([^"]+)"/.exec(start.text)?.[1] ?? '';
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' };
    const body = new URLSearchParams({ proof }).toString();
    expect((await person.request(link, { method: 'POST', headers, body })).status).toBe(400);
    expect((await person.submit(start)).status).toBe(200);
  });

  test('expires after five minutes, and is invalid after a change of the password', async () => {
    const userId = await makeUser(EMAIL);
    const link = await newAccountLink(userId);
    const later = await newAccountLink(userId);
    await advance(290);
    expect((await browser().open(link)).status).toBe(200);
    await advance(15);
    expect((await browser().open(link)).status).toBe(400);
    expect((await browser().open(later)).status).toBe(400);
    const stale = await newAccountLink(userId);
    await call('PUT', `/user_management/users/${userId}`, { password: 'another plain tulip song' });
    expect((await browser().open(stale)).status).toBe(400);
  });

  test('is rejected for an unknown user, an unregistered address, a session of another user, and a disabled page', async () => {
    const userId = await makeUser(EMAIL);
    const other = await makeUser('grace@example.com');
    expect((await call('POST', linkPath('user_unknown'), {})).status).toBe(404);
    for (const return_url of ['https://evil.example/', '/back', 'javascript:alert(1)']) {
      const response = await call('POST', linkPath(userId), { return_url });
      expect([response.status, String(response.body.message)]).toEqual([422, expect.stringContaining('return_url')]);
    }
    const session_id = await addSession(other);
    expect((await call('POST', linkPath(userId), { session_id })).status).toBe(422);
    expect((await call('POST', linkPath(other), { session_id })).status).toBe(201);
    await settings({ enabled: false });
    expect(await call('POST', linkPath(userId), {})).toMatchObject({
      status: 403,
      body: { code: 'account_page_disabled' },
    });
  });

  test('does not sign the browser in to the hosted pages', async () => {
    await register();
    const { person } = await openAccount(await makeUser(EMAIL));
    expect((await person.open(await authorizeUrl())).url).toContain('/hosted/sign-in');
  });

  test('shows a link back to its registered return address', async () => {
    await register();
    const { open } = await openAccount(await makeUser(EMAIL), { return_url: 'https://app.example.com/callback' });
    expect((await open()).text).toContain('href="https://app.example.com/callback"');
  });
});

describe('the account page', () => {
  test('ends after twenty minutes without use, and after an hour in use', async () => {
    const { open } = await openAccount(await makeUser(EMAIL));
    await advance(1_190);
    expect((await open()).url).toBe(await accountAddress());
    await advance(1_210);
    expect((await open()).url).toContain('/hosted/sign-in');
    const second = await openAccount(await makeUser('grace@example.com'));
    for (let time = 0; time < 3; time += 1) {
      await advance(1_100);
      expect((await second.open()).url).toBe(await accountAddress());
    }
    await advance(400);
    expect((await second.open()).url).toContain('/hosted/sign-in');
  });

  test('ends with the session of the application that its link names', async () => {
    const userId = await makeUser(EMAIL);
    const session_id = await addSession(userId);
    const { open } = await openAccount(userId, { session_id });
    expect((await open()).url).toBe(await accountAddress());
    await call('POST', '/user_management/sessions/revoke', { session_id });
    expect((await open()).url).toContain('/hosted/sign-in');
  });

  test('starts a sign-in, which also counts as the proof of identity', async () => {
    const person = await newPerson();
    await makeUser(EMAIL);
    const signIn = await person.open(await accountAddress('name'));
    expect(signIn.url).toContain('/hosted/sign-in');
    const done = await person.submit(await person.submit(signIn, { email: EMAIL }), { password: PASSWORD });
    expect([done.status, done.url]).toEqual([200, await accountAddress('name')]);
    expect(done.text).toContain('name="first_name"');
  });

  test('is reached by a sign-in although browsers do not stay signed in to the hosted pages', async () => {
    const person = await newPerson();
    await pageSettings({ browser_session_seconds: 0 });
    await makeUser(EMAIL);
    const signIn = await person.open(await accountAddress());
    const done = await person.submit(await person.submit(signIn, { email: EMAIL }), { password: PASSWORD });
    expect(done.url).toBe(await accountAddress());
  });

  test('is open to a browser that is signed in to the hosted pages, until that session is revoked', async () => {
    const person = await newPerson();
    await makeUser(EMAIL);
    const signIn = await person.open(await authorizeUrl());
    const signedIn = await exchange(
      (await person.submit(await person.submit(signIn, { email: EMAIL }), { password: PASSWORD })).url,
    );
    expect((await person.open(await accountAddress())).url).toBe(await accountAddress());
    // The sign-in was moments ago, so it is a proof of identity.
    expect((await person.open(await accountAddress('name'))).text).toContain('name="first_name"');
    await advance(601);
    expect((await person.open(await accountAddress('name'))).url).toContain('/confirm?to=name');
    await call('POST', '/user_management/sessions/revoke', { session_id: readSessionId(signedIn) });
    expect((await person.open(await accountAddress())).url).toContain('/hosted/sign-in');
  });

  test('shows no account of another environment, and responds 404 for an unknown environment', async () => {
    const { person } = await openAccount(await makeUser(EMAIL));
    const { url } = await service();
    const other = await otherEnvironment();
    expect((await person.open(`${url}/hosted/account/${other.clientId}`)).url).toContain('/hosted/sign-in');
    for (const id of ['client_01JXAAAAAAAAAAAAAAAAAAAAAA', 'nonsense', 'links']) {
      expect((await person.open(`${url}/hosted/account/${id}`)).status).toBe(404);
    }
  });

  test('has only the sections that the settings enable', async () => {
    const { open } = await openAccount(await makeUser(EMAIL));
    expect((await open()).text).not.toContain('Delete account');
    await settings({ sections: { name: false, deletion: true } });
    const overview = readText(await open());
    expect(overview).toContain('Delete account');
    expect((await open('name')).status).toBe(404);
    await settings({ enabled: false });
    expect((await open()).status).toBe(404);
  });

  test('shows texts of a user as text, never as HTML', async () => {
    const name = '<img src=x onerror=alert(1)>"\'&';
    const userId = await makeUser(EMAIL, { first_name: name, last_name: '<b>' });
    const { person, open } = await openAccount(userId);
    await person.submit(await open('name'), { password: PASSWORD });
    for (const page of [await open(), await open('name')]) {
      expect(page.text).not.toContain('<img src=x');
      expect(page.text).toContain('&lt;img src=x');
    }
  });
});
