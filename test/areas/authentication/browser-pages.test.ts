import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser, type Browser } from '../../support/browser.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import { environment, codeFor, makeUser, otherEnvironment, pkce, registerRedirectUri, settings } from './inside.ts';

/** A page of the same site as the service of these tests, which is at localhost on another port. */
const ORIGIN = 'http://localhost:3000';
const OTHER_SITE = 'https://app.example.com';

let person: Browser;
let userId: string;
let client: string;

beforeEach(async () => {
  await reset();
  await registerRedirectUri();
  for (const origin of [ORIGIN, OTHER_SITE]) await call('POST', '/user_management/cors_origins', { origin });
  person = browser();
  userId = await makeUser();
  client = (await service()).clientId;
});

/** Members of the responses that these tests read. */
interface ResponseBody {
  access_token?: string;
  refresh_token?: string;
  error?: string;
  user?: { id: string };
}

interface Sent {
  headers?: Record<string, string>;
  rawBody?: string | Blob;
  from?: Browser;
}

/** Sends a page's request like its browser: with the cookies of the service's host. */
async function send(body: object, { headers, rawBody, from = person }: Sent = {}) {
  const { url } = await service();
  const {
    status,
    text,
    headers: given,
  } = await from.request(`${url}/user_management/authenticate`, {
    method: 'POST',
    headers: headers ?? { origin: ORIGIN, 'content-type': 'application/json' },
    body: rawBody ?? JSON.stringify({ client_id: client, ...body }),
  });
  return { status, body: JSON.parse(text) as ResponseBody, set: given.getSetCookie(), headers: given };
}

const refresh = (more: Sent = {}, body: object = {}) => send({ grant_type: 'refresh_token', ...body }, more);

async function signIn(more: Sent = {}) {
  const { verifier, challenge } = pkce();
  const code = await codeFor(userId, { code_challenge: challenge, code_challenge_method: 'S256' });
  return send({ grant_type: 'authorization_code', code, code_verifier: verifier }, more);
}

const jar = async (): Promise<Map<string, string>> => person.cookies(new URL((await service()).url).host);
const makeCookieName = (clientId: string): string => `gatehouse_refresh_${clientId.slice(-16)}`;
const kept = async (): Promise<string | undefined> => (await jar()).get(makeCookieName(client));
const marker = async (): Promise<string | undefined> => (await jar()).get('workos-has-session');
const makeSession = (token = ''): string =>
  (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sid: string }).sid;

describe('a page of a registered origin', () => {
  test('keeps its session after a reload, since the refresh token is in an HttpOnly cookie', async () => {
    const signedIn = await signIn();
    expect(signedIn.status).toBe(200);
    expect(signedIn.set).toEqual([
      `${makeCookieName(client)}=${signedIn.body.refresh_token}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict`,
      `workos-has-session=${client}; Path=/; Max-Age=31536000; SameSite=Lax`,
    ]);
    expect(signedIn.headers.get('access-control-allow-origin')).toBe(ORIGIN);
    expect(signedIn.headers.get('access-control-allow-credentials')).toBe('true');
    await advance(300);
    const refreshed = await refresh();
    expect(refreshed).toMatchObject({ status: 200, body: { user: { id: userId } } });
    expect(refreshed.body.refresh_token).not.toBe(signedIn.body.refresh_token);
    expect(refreshed.set[0]).toContain(`${makeCookieName(client)}=${refreshed.body.refresh_token}; `);
    expect(makeSession(refreshed.body.access_token)).toBe(makeSession(signedIn.body.access_token));
  });

  test('passes its preflight with credentials, to sign in and to sign out', async () => {
    const { url } = await service();
    for (const [path, method] of [
      ['/user_management/authenticate', 'POST'],
      ['/user_management/sessions/logout', 'GET'],
    ]) {
      const { headers } = await person.request(`${url}${path}`, {
        method: 'OPTIONS',
        headers: { origin: ORIGIN, 'access-control-request-method': method ?? '' },
      });
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('access-control-allow-credentials')).toBe('true');
      expect(headers.get('vary')).toContain('Origin');
    }
  });

  test('of another site can sign in, but gets no cookie, because its browser would reject one', async () => {
    const signedIn = await signIn({ headers: { origin: OTHER_SITE, 'content-type': 'application/json' } });
    expect(signedIn).toMatchObject({ status: 200, set: [], body: { refresh_token: expect.any(String) } });
    expect(signedIn.headers.get('access-control-allow-credentials')).toBe('true');
  });

  test('gets no refresh token in the body if `browser_refresh` is `cookie`', async () => {
    await settings({ browser_refresh: 'cookie' });
    expect((await signIn()).body).not.toHaveProperty('refresh_token');
    const refreshed = await refresh();
    expect(refreshed.status).toBe(200);
    expect(refreshed.body).not.toHaveProperty('refresh_token');
    expect(await kept()).toMatch(/^\w{78}[\w-]{65}$/);
  });

  test('gets the token only in the body if `browser_refresh` is `body`, and no cookie is read', async () => {
    await signIn();
    await settings({ browser_refresh: 'body' });
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_request' }, set: [] });
    const signedIn = await signIn();
    expect(signedIn).toMatchObject({ status: 200, set: [], body: { refresh_token: expect.any(String) } });
    expect(signedIn.headers.get('access-control-allow-credentials')).toBe('true');
  });

  test('may send the token in the body, which overrides the cookie', async () => {
    const first = await signIn();
    const second = await signIn();
    const refreshed = await refresh({}, { refresh_token: first.body.refresh_token });
    expect(makeSession(refreshed.body.access_token)).toBe(makeSession(first.body.access_token));
    expect(makeSession(refreshed.body.access_token)).not.toBe(makeSession(second.body.access_token));
  });
});

describe('a refresh token in a cookie', () => {
  test('revokes its session and is removed from the browser if it is used long after it was replaced', async () => {
    await signIn();
    const stolen = (await kept()) ?? '';
    await refresh();
    await advance(121);
    const thief = browser();
    thief.cookies(new URL((await service()).url).host).set(makeCookieName(client), stolen);
    const rejected = await refresh({ from: thief });
    expect(rejected).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(rejected.set).toEqual([
      `${makeCookieName(client)}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
      'workos-has-session=; Path=/; Max-Age=0; SameSite=Lax',
    ]);
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect([await kept(), await marker()]).toEqual([undefined, undefined]);
  });

  test('can be refreshed by several tabs at once, which get the same successor', async () => {
    await signIn();
    const tabs = await Promise.all([1, 2, 3, 4].map(() => refresh()));
    expect(tabs.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(tabs.map(({ body }) => body.refresh_token)).size).toBe(1);
  });

  const json = 'application/json';
  const form = 'application/x-www-form-urlencoded';
  test.each<[string, Record<string, string>]>([
    ['without an Origin, as other programs send it', { 'content-type': json }],
    ['with an origin that nobody registered', { origin: 'http://localhost:3001', 'content-type': json }],
    ['with an origin of another environment', { origin: 'http://localhost:4000', 'content-type': json }],
    ['with the origin of a sandboxed frame', { origin: 'null', 'content-type': json }],
    ['with an origin that begins alike', { origin: `${ORIGIN}.evil.example`, 'content-type': json }],
    ['with the origin of the service itself', { origin: 'self', 'content-type': json }],
    ['by a form, which needs no preflight', { origin: ORIGIN, 'content-type': form }],
    ['as plain text, which needs no preflight', { origin: ORIGIN, 'content-type': 'text/plain' }],
    ['as a body of no type, which needs no preflight', { origin: ORIGIN, 'content-type': '' }],
  ])('is not read from a request %s', async (_what, { origin, 'content-type': type = '' }) => {
    const elsewhere = await otherEnvironment();
    await call(
      'POST',
      '/user_management/cors_origins',
      { origin: 'http://localhost:4000' },
      { apiKey: elsewhere.apiKey },
    );
    await signIn();
    const before = await kept();
    const members = { client_id: client, grant_type: 'refresh_token' };
    const text = type === form ? new URLSearchParams(members).toString() : JSON.stringify(members);
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    if (origin !== undefined) headers.origin = origin === 'self' ? (await service()).url : origin;
    // A Blob without a type results in a request without a content type.
    const rejected = await refresh({ headers, rawBody: type === '' ? new Blob([text]) : text });
    expect(rejected).toMatchObject({ status: 400, body: { error: 'invalid_request' }, set: [] });
    expect(await kept()).toBe(before);
    expect((await refresh()).status).toBe(200);
  });

  test('is not read for a back end that sends its secret', async () => {
    await signIn();
    const { apiKey } = await service();
    const rejected = await refresh({}, { client_secret: apiKey });
    expect(rejected).toMatchObject({ status: 400, body: { error: 'invalid_request' }, set: [] });
  });

  test('is rejected for another client, and in the cookie of another client', async () => {
    const elsewhere = await otherEnvironment();
    await call('POST', '/user_management/cors_origins', { origin: ORIGIN }, { apiKey: elsewhere.apiKey });
    await signIn();
    expect(await refresh({}, { client_id: elsewhere.clientId })).toMatchObject({ body: { error: 'invalid_grant' } });
    (await jar()).set(makeCookieName(elsewhere.clientId), (await kept()) ?? '');
    const planted = await refresh({}, { client_id: elsewhere.clientId });
    expect(planted).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await refresh()).status).toBe(200);
  });

  test('is not set for a page of an origin that only another environment registered', async () => {
    const elsewhere = await otherEnvironment();
    const origin = 'http://localhost:4000';
    await call('POST', '/user_management/cors_origins', { origin }, { apiKey: elsewhere.apiKey });
    const signedIn = await signIn({ headers: { origin, 'content-type': json } });
    expect(signedIn.set).toEqual([]);
    expect(signedIn.headers.get('access-control-allow-origin')).toBeNull();
    expect(signedIn.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('is not set for back ends and native apps, which get the token in the body', async () => {
    const native = await signIn({ headers: { 'content-type': json } });
    expect(native).toMatchObject({ status: 200, set: [], body: { refresh_token: expect.any(String) } });
    const { apiKey } = await service();
    const code = await codeFor(userId);
    const confidential = await send({ grant_type: 'authorization_code', code, client_secret: apiKey });
    expect(confidential).toMatchObject({ status: 200, set: [], body: { refresh_token: expect.any(String) } });
  });
});

describe('a sign-out', () => {
  const signOut = async (sessionId: string): Promise<string[]> => {
    const { url } = await service();
    const { headers } = await person.request(`${url}/user_management/sessions/logout?session_id=${sessionId}`);
    return headers.getSetCookie();
  };

  test('removes the cookie of its session and the client id from the readable cookie', async () => {
    const { body } = await signIn();
    expect((await signOut(makeSession(body.access_token))).map((line) => line.split(';', 1)[0])).toEqual([
      `${makeCookieName(client)}=`,
      'workos-has-session=',
    ]);
    expect([await kept(), await marker()]).toEqual([undefined, undefined]);
  });

  test('that names another session, as an attacker’s link would, removes nothing', async () => {
    const other = await signIn({ from: browser() });
    await signIn();
    expect(await signOut(makeSession(other.body.access_token))).toEqual([]);
    expect(await signOut(`session_${'0'.repeat(26)}`)).toEqual([]);
    expect((await refresh()).status).toBe(200);
  });
});

describe('the readable session cookie', () => {
  const foreign = `client_${'0'.repeat(25)}1`;

  test('contains only client ids, even if another host of the site wrote other values', async () => {
    (await jar()).set('workos-has-session', `1.${foreign}.<script>.client_nonsense.${foreign}`);
    await signIn();
    expect(await marker()).toBe(`${foreign}.${client}`);
    const { url } = await service();
    const { body } = await refresh();
    await person.request(`${url}/user_management/sessions/logout?session_id=${makeSession(body.access_token)}`);
    expect(await marker()).toBe(foreign);
  });

  test('no longer lists a client whose session has ended, so that its pages send no further requests', async () => {
    (await jar()).set('workos-has-session', `${foreign}.${client}`);
    expect(await refresh()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await marker()).toBe(foreign);
  });

  test('lists at most ten clients, the newest last', async () => {
    const clients = Array.from({ length: 12 }, (_, at) => `client_${String(at).padStart(26, '0')}`);
    (await jar()).set('workos-has-session', clients.join('.'));
    await signIn();
    expect((await marker())?.split('.')).toEqual([...clients.slice(3), client]);
  });
});

test('the setting `browser_refresh` of an environment determines where pages get their refresh token', async () => {
  await environment();
  expect((await call('GET', '/x/authentication/settings')).body).toMatchObject({ browser_refresh: 'both' });
  const { status } = await call('PUT', '/x/authentication/settings', { browser_refresh: 'nowhere' });
  expect(status).toBe(422);
});
