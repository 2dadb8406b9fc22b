import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { call, reset, service } from '../../support/service.ts';
import { type Inside, openInside } from '../sessions/inside.ts';

interface CorsOrigin {
  id: string;
  origin: string;
}

const register = (origin: unknown) => call<CorsOrigin>('POST', '/user_management/cors_origins', { origin });

describe('CORS origins over the API', () => {
  beforeEach(() => reset());

  test('are registered in the spelling of browsers, once each, listed and deleted', async () => {
    const { status, body } = await register('https://App.Example.com:443/');
    expect({ status, origin: body.origin }).toEqual({ status: 201, origin: 'https://app.example.com' });
    expect(await register('https://app.example.com')).toMatchObject({
      status: 409,
      body: { code: 'cors_origin_already_registered' },
    });
    const { body: list } = await call<{ data: CorsOrigin[] }>('GET', '/user_management/cors_origins');
    expect(list.data).toEqual([body]);
    expect((await call('DELETE', `/x/cors_origins/${body.id}`)).status).toBe(204);
    expect(await call('DELETE', `/x/cors_origins/${body.id}`)).toMatchObject({ status: 404 });
    expect((await register('https://app.example.com')).status).toBe(201);
  });

  test.each(['http://localhost:3000', 'http://127.0.0.1:8080', 'http://[::1]:5173', 'chrome-extension://abcdef'])(
    'may be %s',
    async (origin) => {
      expect(await register(origin)).toMatchObject({ status: 201, body: { origin } });
    },
  );

  test.each([
    'https://app.example.com/path',
    'https://app.example.com/?',
    'https://app.example.com#',
    'https://user@app.example.com',
    'https://*.example.com',
    'https://app.example.com.',
    'http://app.example.com',
    'app.example.com',
    'null',
    '*',
    '',
    'javascript:alert(1)',
    'file:///tmp',
    'https://app.example.com\\@evil.example',
    `https://${'a'.repeat(300)}.example.com`,
  ])('may not be %s', async (origin) => {
    expect(await register(origin)).toMatchObject({
      status: 422,
      body: {
        code: 'invalid_origin',
        errors: [{ property: 'origin', field: 'origin', constraints: expect.any(Object) as unknown }],
      },
    });
  });

  test('are registered only once by ten parallel requests', async () => {
    const responses = await Promise.all(Array.from({ length: 10 }, () => register('https://app.example.com')));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  test('work through the local API Gateway, for preflight and call', async () => {
    await register('https://app.example.com');
    const { url, clientId } = await service();
    const origin = 'https://app.example.com';
    const preflight = await fetch(`${url}/user_management/authorize/device`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    const response = await fetch(`${url}/user_management/authorize/device`, {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: clientId }),
    });
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect(response.headers.get('vary')).toContain('Origin');
  });
});

describe('a page that calls a browser operation', () => {
  const origin = 'https://app.example.com';
  const device = '/user_management/authorize/device';
  let inside: Inside;

  beforeAll(async () => {
    inside = await openInside();
    await inside.target.apiWith(inside.target.keys.here).create('/user_management/cors_origins', { origin });
  });
  afterAll(() => inside.stop());

  const preflight = (target: string, from = origin, method = 'POST', fields = 'content-type') =>
    inside.target.send('OPTIONS', target, {
      headers: {
        origin: from,
        'access-control-request-method': method,
        'access-control-request-headers': fields,
      },
    });
  const post = (environmentId: string, headers: Record<string, string> = { origin }) =>
    inside.target.send('POST', device, {
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ client_id: makeClientId(environmentId) }),
    });

  test('passes its preflight with the exact origin, method and fields, without credentials if the operation needs none', async () => {
    const { status, headers } = await preflight(device, origin, 'POST', 'Content-Type, X-Client-Version');
    expect(status).toBe(204);
    expect(headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, x-client-version',
      'access-control-max-age': '600',
    });
    expect(headers.vary).toContain('Origin');
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test('signs in as a public client, and can read why a request was rejected', async () => {
    expect((await preflight('/user_management/authenticate')).status).toBe(204);
    const { status, headers } = await inside.target.send('POST', '/user_management/authenticate', {
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: makeClientId(inside.here),
        grant_type: 'authorization_code',
        code: 'unknown',
        code_verifier: 'v'.repeat(43),
      }),
    });
    expect({ status, origin: headers['access-control-allow-origin'] }).toEqual({ status: 400, origin });
  });

  test('cannot send an API key or invalid field names', async () => {
    const { headers } = await preflight(device, origin, 'POST', 'authorization, x y, cookie, content-type');
    expect(headers['access-control-allow-headers']).toBe('content-type');
  });

  test.each([
    ['of an origin that nobody registered', 'https://evil.example'],
    ['of a name that begins alike', 'https://app.example.com.evil.example'],
    ['of a name below', 'https://a.app.example.com'],
    ['with another scheme', 'http://app.example.com'],
    ['with another port', 'https://app.example.com:8443'],
    ['with other capitals', 'https://APP.example.com'],
    ['without an origin of its own', 'null'],
    ['with a line break', 'https://app.example.com\r\nx: y'],
    ['longer than any key', `https://${'a'.repeat(2_000)}.example`],
  ])('%s is rejected, in the preflight and in the response headers', async (_what, from) => {
    const rejected = await preflight(device, from);
    expect(rejected).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    expect(rejected.headers).not.toHaveProperty('access-control-allow-origin');
    const { headers } = await post(inside.here, { origin: from });
    expect(headers).not.toHaveProperty('access-control-allow-origin');
    expect(headers.vary).toContain('Origin');
  });

  test('may read responses of its own environment, including errors, but not of another', async () => {
    const { headers } = await post(inside.here);
    expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' });
    expect(headers['access-control-expose-headers']).toContain('retry-after');
    expect((await post(inside.there)).headers).not.toHaveProperty('access-control-allow-origin');
    const jwks = (id: string) => inside.target.send('GET', `/sso/jwks/${makeClientId(id)}`, { headers: { origin } });
    expect((await jwks(inside.here)).headers).toMatchObject({ 'access-control-allow-origin': origin });
    expect((await jwks(inside.there)).headers).not.toHaveProperty('access-control-allow-origin');
    const rejected = await inside.target.send('POST', device, {
      headers: { origin, 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: makeClientId(inside.here), scope: 7 }),
    });
    expect(rejected.headers).toMatchObject({ 'access-control-allow-origin': origin });
  });

  test('is checked for the client in the query, already in the preflight', async () => {
    expect((await preflight(`/sso/jwks/${makeClientId(inside.here)}`, origin, 'GET')).status).toBe(204);
    expect((await preflight(`/sso/jwks/${makeClientId(inside.there)}`, origin, 'GET')).status).toBe(403);
    expect((await preflight(`${device}?client_id=${makeClientId(inside.there)}`)).status).toBe(403);
    expect((await preflight(`${device}?client_id=nonsense`)).status).toBe(403);
  });

  test('cannot call other operations: operations that need a key allow no preflight', async () => {
    for (const path of ['/user_management/invitations', '/organizations', '/user_management/cors_origins']) {
      const response = await preflight(path);
      expect(response.status).toBe(405);
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      const api = inside.target.apiWith(inside.target.keys.here);
      const { headers } = await api.send('GET', path, { headers: { origin } });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test('without an origin gets a normal response, with `Vary: Origin`', async () => {
    const { headers } = await post(inside.here, {});
    expect(headers.vary).toBe('Origin');
    expect(headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('cannot read responses after its origin was deleted', async () => {
    const api = inside.target.apiWith(inside.target.keys.there);
    const { id } = await api.create('/user_management/cors_origins', { origin });
    expect((await post(inside.there)).headers).toMatchObject({ 'access-control-allow-origin': origin });
    await api.send('DELETE', `/x/cors_origins/${String(id)}`);
    expect((await post(inside.there)).headers).not.toHaveProperty('access-control-allow-origin');
    expect((await post(inside.here)).headers).toMatchObject({ 'access-control-allow-origin': origin });
  });
});
