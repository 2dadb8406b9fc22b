import { beforeEach, expect, test } from '@jest/globals';

import { listSpellings } from '../../../functions/kernel/compatibility.ts';
import { areas } from '../../../functions/registry.ts';
import { browser } from '../../support/browser.ts';
import { call, reset, service } from '../../support/service.ts';
import { application, authorize, authorizeUrl, CALLBACK, newVerifier, post, refresh, signIn, user } from './person.ts';

const ORIGIN = 'https://spa.example.org';
const EMAIL = 'ada@example.com';

/** The operations that pages of every origin may call, by method and path. */
const OPEN = [
  'DELETE /oauth2/{clientId}/register/{registeredId}',
  'GET /.well-known/oauth-authorization-server/user_management/{clientId}',
  'GET /.well-known/openid-configuration/user_management/{clientId}',
  'GET /oauth2/{clientId}/jwks',
  'GET /oauth2/{clientId}/register/{registeredId}',
  'GET /oauth2/{clientId}/userinfo',
  'GET /user_management/{clientId}/.well-known/openid-configuration',
  'GET /x/agents/environments/{clientId}/auth.md',
  'POST /oauth2/{clientId}/device_authorization',
  'POST /oauth2/{clientId}/par',
  'POST /oauth2/{clientId}/register',
  'POST /oauth2/{clientId}/revocation',
  'POST /oauth2/{clientId}/token',
  'POST /oauth2/{clientId}/userinfo',
];

const open = areas.flatMap(({ operations }) =>
  operations.filter(({ browser: pages }) => pages === 'any-origin').map(({ method, path }) => ({ method, path })),
);

beforeEach(() => reset({ calm: true }));

test('pages of every origin may call the endpoints of the OAuth server that need no secret of a back end, and no others', () => {
  expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(OPEN);
});

test('each of these endpoints, in each spelling, allows every origin without cookies, and ignores a cookie', async () => {
  const { clientId, url } = await service();
  await user(EMAIL);
  const person = browser();
  const app = await application();
  await signIn(person, await person.open(await authorizeUrl(app, newVerifier())), EMAIL);
  const jar = [...person.cookies(new URL(url).host)];
  expect(jar).not.toEqual([]);
  const cookie = jar.map(([name, value]) => `${name}=${value}`).join('; ');
  const rows: unknown[] = [];
  const expected: unknown[] = [];
  for (const { method, path } of open) {
    for (const spelling of listSpellings(path)) {
      const address = `${url}${spelling.replace('{clientId}', clientId).replace('{registeredId}', app.clientId)}`;
      const named =
        spelling.startsWith('/oauth2/{') || !spelling.startsWith('/oauth2/') ? '' : `?client_id=${clientId}`;
      const send = (headers: Record<string, string>, verb: string = method) =>
        fetch(`${address}${named}`, { method: verb, headers: { origin: ORIGIN, ...headers }, redirect: 'manual' });
      const preflight = await send(
        {
          'access-control-request-method': method,
          'access-control-request-headers': 'authorization, content-type, cookie',
        },
        'OPTIONS',
      );
      const [without, withCookie] = [await send({}), await send({ cookie })];
      const read = (response: Response, name: string) => response.headers.get(`access-control-allow-${name}`);
      rows.push({
        call: `${method} ${spelling}`,
        preflight: [preflight.status, read(preflight, 'origin'), read(preflight, 'headers')],
        origins: [read(without, 'origin'), read(withCookie, 'origin')],
        credentials: [preflight, without, withCookie].map((response) => read(response, 'credentials')),
        cookies: [without, withCookie].map((response) => response.headers.get('set-cookie')),
        isAlike: withCookie.status === without.status && (await withCookie.text()) === (await without.text()),
      });
      expected.push({
        call: `${method} ${spelling}`,
        preflight: [204, '*', 'authorization, content-type'],
        origins: ['*', '*'],
        credentials: [null, null, null],
        cookies: [null, null],
        isAlike: true,
      });
    }
  }
  expect(rows).toEqual(expected);
  // The root-level spellings are among them.
  expect(rows.length).toBeGreaterThan(OPEN.length + 5);
});

test('an application with origins is used by their pages and back ends only, and a rejected page uses up no code', async () => {
  await user(EMAIL);
  const app = await application({ cors_origins: [ORIGIN] });
  const verifier = newVerifier();
  const { code } = await authorize(app, { email: EMAIL, verifier });
  const form = { grant_type: 'authorization_code', client_id: app.clientId, redirect_uri: CALLBACK, code };
  const exchangeAt = (origin: string) => post('token', { ...form, code_verifier: verifier }, { origin });
  for (const origin of ['https://evil.example', `${ORIGIN}.evil.example`, 'http://spa.example.org', 'null']) {
    expect(await exchangeAt(origin)).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  }
  const { status, body } = await exchangeAt(ORIGIN);
  expect(status).toBe(200);
  const members = { client_id: app.clientId, refresh_token: body.refresh_token, token: body.refresh_token };
  const evil = { origin: 'https://evil.example' };
  for (const name of ['token', 'revocation', 'par', 'device_authorization']) {
    const { status: rejected } = await post(name, { grant_type: 'refresh_token', ...members }, evil);
    expect({ name, rejected }).toEqual({ name, rejected: 401 });
  }
  expect((await refresh(app, body.refresh_token)).status).toBe(200);
  await call('PUT', `/connect/applications/${app.id}`, { cors_origins: [] });
  expect((await post('device_authorization', { client_id: app.clientId }, evil)).status).toBe(200);
});
