import { beforeEach, describe, expect, test } from '@jest/globals';

import { removeOperator } from '../../../functions/faces/console/public.ts';
import { type Browser, browser, type Page } from '../../support/browser.ts';
import { openPath } from '../../support/console.ts';
import {
  beginSignIn,
  completeSignIn,
  type EnrolledOperator,
  enrolOperator,
  enterPassword,
  openLink,
  OPERATORS_CLIENT,
  signInOperator,
  stopAtResponse,
} from '../../support/operators.ts';
import { readText } from '../../support/portal.ts';
import { advance, call, idle, messages, reset, service } from '../../support/service.ts';
import { environment } from '../authentication/inside.ts';
import { PASSWORD } from '../pages/application.ts';

const ADA = 'ada@acme.example';
const EVE = 'eve@evil.example';

let ada: EnrolledOperator;
let person: Browser;

beforeEach(async () => {
  await reset({ calm: true });
  await environment();
  ada = await enrolOperator(ADA, 'owner');
  person = browser();
});

const RETURN = new URLSearchParams({ return_to: '/console' });

const isSignedIn = async (by: Browser): Promise<boolean> => (await openPath(by, '/console')).status === 200;

/** Begins a sign-in, also in a browser that has a session, and completes it up to its response. @returns the address of the response */
async function findResponse(by: Browser): Promise<string> {
  const { url } = await service();
  const started = await by.request(`${url}/console/sign-in`, {
    method: 'POST',
    headers: { origin: url },
    body: RETURN,
  });
  const first = await by.open(started.headers.get('location') ?? '');
  return stopAtResponse(by, await enterPassword(by, first, ADA), ada);
}

const readCode = (page: Page): [number, string | null] => [page.status, page.headers.get('x-error-code')];
const REJECTED = [400, 'console_sign_in_rejected'];

describe('a sign-in to the console', () => {
  test('asks for a password and a second factor on the hosted pages, and returns to the page that was asked for', async () => {
    const path = `/console/e/${await environment()}/users?email=x%40y.example`;
    const asked = await openPath(person, path);
    expect([asked.status, readText(asked)]).toEqual([401, expect.stringContaining('Sign in')]);
    const first = await beginSignIn(person, path);
    expect(first.url).toContain('/hosted/sign-in');
    const factor = await enterPassword(person, first, ADA);
    expect(new URL(factor.url).pathname).toBe('/hosted/mfa');
    expect(await isSignedIn(person)).toBe(false);
    const last = await person.submit(factor, { code: await ada.nextCode() });
    expect([last.status, new URL(last.url).pathname + new URL(last.url).search]).toEqual([200, path]);
    expect(await isSignedIn(person)).toBe(true);
  });

  test('ends with the console’s session, and with the user’s session on the account page', async () => {
    const home = await signInOperator(person, ada);
    await person.submit(home, {}, 'sign-out');
    expect(await isSignedIn(person)).toBe(false);
    const again = await signInOperator(person, ada);
    expect(again.status).toBe(200);
    const account = await openPath(ada.person, `/hosted/account/${OPERATORS_CLIENT}/sessions`);
    await ada.person.submit(account, {}, 'value="end_all"');
    expect(await isSignedIn(person)).toBe(false);
  });

  test('ends after 30 minutes without use, and the next one asks for password and factor again', async () => {
    await signInOperator(person, ada);
    await advance(1_801);
    expect(await isSignedIn(person)).toBe(false);
    expect((await beginSignIn(person)).url).toContain('/hosted/sign-in');
  });

  test('opens a session with a new cookie, and ends the browser’s former one', async () => {
    await signInOperator(person, ada);
    const { host } = new URL((await service()).url);
    const find = () => [...person.cookies(host)].find(([name]) => /gatehouse_console_[0-9]/.test(name)) ?? ['', ''];
    const [name, former] = find();
    await person.open(await findResponse(person));
    expect(find()[1]).not.toBe(former);
    expect(await isSignedIn(browser({ cookie: `${name}=${former}` }))).toBe(false);
  });

  test('is rejected for an operator who was removed, at the next request and at the next sign-in', async () => {
    const bob = await enrolOperator('bob@acme.example', 'support');
    await signInOperator(person, bob);
    expect(await isSignedIn(person)).toBe(true);
    await removeOperator(bob.email);
    expect(await isSignedIn(person)).toBe(false);
    const after = await signInOperator(person, bob);
    expect(readCode(after)).toEqual([403, 'console_operator_required']);
    expect(await isSignedIn(person)).toBe(false);
  });
});

describe('the response to a sign-in', () => {
  test('is accepted once, and only in the browser that began it', async () => {
    const location = await findResponse(person);
    expect(location).toContain('/console/signed-in?code=');
    const victim = browser();
    expect(readCode(await victim.open(location))).toEqual(REJECTED);
    expect(await isSignedIn(victim)).toBe(false);
    expect((await person.open(location)).status).toBe(200);
    expect(readCode(await person.open(location))).toEqual(REJECTED);
  });

  test('is rejected with the code of another sign-in', async () => {
    const [own, stolen] = [new URL(await findResponse(person)), new URL(await findResponse(browser()))];
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expect(readCode(await person.open(own.href))).toEqual(REJECTED);
    expect(await isSignedIn(person)).toBe(false);
  });

  test.each([
    ['another issuer', { iss: 'https://evil.example' }, REJECTED],
    ['no issuer', { iss: '' }, REJECTED],
    ['an error instead of a code', { code: '', error: 'server_error' }, REJECTED],
    ['the error of a denied sign-in', { code: '', error: 'access_denied' }, [403, 'console_operator_required']],
  ])('is rejected with %s', async (_, change, rejection) => {
    const location = new URL(await findResponse(person));
    for (const [name, value] of Object.entries(change)) location.searchParams.set(name, value);
    expect(readCode(await person.open(location.href))).toEqual(rejection);
    expect(await isSignedIn(person)).toBe(false);
  });

  test('is rejected with another state, without one, and after ten minutes', async () => {
    const location = new URL(await findResponse(person));
    const state = location.searchParams.get('state') ?? '';
    for (const other of ['', 'x', `${state}x`]) {
      location.searchParams.set('state', other);
      expect(readCode(await person.open(location.href))).toEqual(REJECTED);
    }
    location.searchParams.set('state', state);
    await advance(601);
    expect(readCode(await person.open(location.href))).toEqual(REJECTED);
  });

  test('leads to pages of the console only', async () => {
    const { url } = await service();
    const headers = { origin: url };
    for (const target of [
      'https://evil.example/',
      '//evil.example',
      '/console/../hosted',
      '/console@evil.example',
      '/console/sign-out',
      'x'.repeat(2_000),
    ]) {
      const body = new URLSearchParams({ return_to: target });
      const started = await person.request(`${url}/console/sign-in`, { method: 'POST', body, headers });
      const last = await completeSignIn(person, await person.open(started.headers.get('location') ?? ''), ada);
      expect([target, last.url]).toEqual([target, `${url}/console`]);
    }
  });
});

describe('the sign-in of operators', () => {
  const authorize = async (change: Record<string, string>): Promise<Page> => {
    const { url } = await service();
    const query = new URLSearchParams({
      client_id: OPERATORS_CLIENT,
      redirect_uri: `${url}/console/signed-in`,
      response_type: 'code',
      provider: 'hosted',
      ...change,
    });
    return person.open(`${url}/user_management/authorize?${query.toString()}`);
  };

  test('returns to the console only', async () => {
    const { url } = await service();
    for (const uri of [
      `${url}/console`,
      `${url}/console/signed-in/`,
      'https://app.example.com/callback',
      'http://localhost:1/console/signed-in',
    ])
      expect([uri, (await authorize({ redirect_uri: uri })).status]).toEqual([uri, 400]);
    expect((await authorize({})).status).toBe(200);
  });

  test('begins from the console’s own page, and not from another site', async () => {
    const { url } = await service();
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect((await person.request(`${url}/console/sign-in`, { method: 'POST', headers, body: RETURN })).status).toBe(
      404,
    );
  });

  test('makes no account: no user signs up', async () => {
    const page = await authorize({ screen_hint: 'sign-up' });
    await person.submit(page, { email: EVE, password: PASSWORD });
    await idle();
    expect(await messages(EVE)).toEqual([]);
    const next = await person.submit(await authorize({}), { email: EVE });
    expect((await person.submit(next, { password: PASSWORD })).status).not.toBe(200);
  });

  test('accepts no other grant than the code of the hosted pages', async () => {
    const grants = [
      { grant_type: 'password', email: ADA, password: PASSWORD },
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { grant_type: 'urn:workos:oauth:grant-type:magic-auth:code', email: ADA, code: '123456' },
      { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x' },
    ];
    const { apiKey } = await service();
    for (const grant of grants) {
      const body = { client_id: OPERATORS_CLIENT, client_secret: apiKey, ...grant };
      const { status, body: responseBody } = await call('POST', '/user_management/authenticate', body, {
        apiKey: null,
      });
      expect([grant.grant_type, status, responseBody]).toMatchObject([
        grant.grant_type,
        400,
        { error: 'invalid_client' },
      ]);
    }
    const refresh = { client_id: OPERATORS_CLIENT, grant_type: 'refresh_token', refresh_token: 'x' };
    const { body: responseBody } = await call('POST', '/user_management/authenticate', refresh, { apiKey: null });
    expect(responseBody).toMatchObject({ error: 'invalid_client' });
  });

  test('does not let an operator without a factor add one: a link does', async () => {
    const bob = browser();
    await openLink('bob@acme.example', 'support', bob);
    const account = `/hosted/account/${OPERATORS_CLIENT}`;
    await bob.submit(await openPath(bob, `${account}/password`), { password: PASSWORD });
    const page = await enterPassword(person, await beginSignIn(person), 'bob@acme.example');
    expect(readText(page)).toContain('has no second factor yet');
    expect(page.url).not.toContain('/hosted/mfa');
    expect(await isSignedIn(person)).toBe(false);
  });

  test('is offered on the page of a link, whose browser sets it up', async () => {
    const page = await openLink('bob@acme.example', 'support', person);
    expect(readText(page)).toContain('Signed in by a link');
    const after = await signInOperator(browser(), ada);
    expect(readText(after)).not.toContain('Signed in by a link');
  });
});

test('the account page opens by a form of the console, with the proof of the link, where the browser has no cookie for it', async () => {
  const { url } = await service();
  const home = await openLink('bob@acme.example', 'support', person);
  const cookies = person.cookies(new URL(url).host);
  const forget = () =>
    [...cookies.keys()].filter((name) => name.includes('_account_')).forEach((name) => cookies.delete(name));
  forget();
  const start = await person.submit(home, {}, 'console/account');
  expect(new URL(start.url).pathname).toMatch(/^\/hosted\/account\/links\//);
  const account = await person.submit(start);
  expect([account.status, readText(account)]).toEqual([200, expect.stringContaining('bob@acme.example')]);
  const password = await openPath(person, `/hosted/account/${OPERATORS_CLIENT}/password`);
  expect((await person.submit(password, { password: PASSWORD })).status).toBe(200);
  // The link works once, and the form only with its proof.
  forget();
  expect((await person.open(start.url)).status).toBe(400);
  const forged = { method: 'POST', headers: { origin: url }, body: new URLSearchParams({ proof: 'x' }) };
  expect((await person.request(`${url}/console/account`, forged)).status).toBe(404);
});
