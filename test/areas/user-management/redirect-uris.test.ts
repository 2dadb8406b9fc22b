import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { defaultRedirectUri, isRedirectUri } from '../../../functions/tenancy/modules/client-settings/public.ts';
import { call, reset, service } from '../../support/service.ts';
import { type Inside, openInside } from '../sessions/inside.ts';

interface RedirectUri {
  id: string;
  uri: string;
  default: boolean;
}

const register = (uri: string) => call<RedirectUri>('POST', '/user_management/redirect_uris', { uri });

const registered = async (uri: string): Promise<RedirectUri> => {
  const { status, body } = await register(uri);
  expect(status).toBe(201);
  return body;
};

const list = async (query = ''): Promise<RedirectUri[]> =>
  (await call<{ data: RedirectUri[] }>('GET', `/user_management/redirect_uris${query}`)).body.data;

const makeDefault = (id: string) => call<RedirectUri>('POST', `/x/redirect_uris/${id}/make_default`);

describe('redirect URIs over the API', () => {
  beforeEach(() => reset());

  test('are registered once each, listed without delay and deleted', async () => {
    const first = await registered('https://app.example.com/callback');
    expect(first).toMatchObject({ object: 'redirect_uri', uri: 'https://app.example.com/callback', default: true });
    const second = await registered('acme://callback');
    expect(second.default).toBe(false);
    expect(await register('acme://callback')).toMatchObject({
      status: 422,
      body: { code: 'redirect_uri_already_registered' },
    });
    expect((await list()).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await list('?limit=1&order=asc')).map(({ id }) => id)).toEqual([first.id]);
    expect((await call('DELETE', `/user_management/redirect_uris/${second.id}`)).status).toBe(204);
    expect((await call('DELETE', `/user_management/redirect_uris/${second.id}`)).status).toBe(404);
    expect(await list()).toHaveLength(1);
    await registered('acme://callback');
  });

  test.each([
    'javascript:alert(1)',
    'https://app.example.com/#',
    'https://app.example.com\\@evil.example/',
    'http://app.example.com/',
    'https://*.com/',
    'https://APP.example.com/',
  ])('rejects %s and names the member', async (uri) => {
    expect(await register(uri)).toMatchObject({ status: 422, body: { errors: [{ field: 'uri' }] } });
  });

  test('rejects an address of the service itself, and a wildcard does not match it either', async () => {
    const { url, clientId } = await service();
    const own = `${url}/hosted/device?user_code=BCDF-GHJK`;
    const rejected = { status: 422, body: { errors: [{ field: 'uri', code: 'own_origin' }] } };
    expect(await register(own)).toMatchObject(rejected);
    expect(await register(own.replace('127.0.0.1', 'localhost'))).toMatchObject(rejected);
    await registered(`http://${new URL(url).hostname}/hosted/device`);
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: `${url}/hosted/device`,
      response_type: 'code',
      provider: 'hosted',
    });
    expect((await call('GET', `/user_management/authorize?${query.toString()}`)).status).toBe(400);
    const cors = await call('POST', '/user_management/cors_origins', { origin: url });
    expect(cors).toMatchObject({ status: 422, body: { errors: [{ field: 'origin' }] } });
  });

  test('have one default: the first without a wildcard, until another one is set', async () => {
    const wildcard = await registered('https://*.example.com/callback');
    expect(wildcard.default).toBe(false);
    const first = await registered('https://app.example.com/callback');
    const second = await registered('https://app.example.com/other');
    expect([first.default, second.default]).toEqual([true, false]);
    expect(await call('DELETE', `/user_management/redirect_uris/${first.id}`)).toMatchObject({
      status: 409,
      body: { code: 'redirect_uri_is_default' },
    });
    expect(await makeDefault(wildcard.id)).toMatchObject({ status: 422, body: { code: 'wildcard_as_default' } });
    expect(await makeDefault('redir_01JX0000000000000000000000')).toMatchObject({ status: 404 });
    expect(await makeDefault(second.id)).toMatchObject({ status: 200, body: { default: true } });
    expect(await makeDefault(second.id)).toMatchObject({ status: 200, body: { default: true } });
    expect((await list()).filter((uri) => uri.default).map(({ id }) => id)).toEqual([second.id]);
    expect((await call('DELETE', `/user_management/redirect_uris/${first.id}`)).status).toBe(204);
    expect((await call('DELETE', `/user_management/redirect_uris/${wildcard.id}`)).status).toBe(204);
  });

  test('have exactly one default, also after parallel registrations and changes', async () => {
    const responses = await Promise.all(
      Array.from({ length: 10 }, (_, at) => register(`https://app.example.com/${at}`)),
    );
    const made = responses.filter(({ status }) => status === 201).map(({ body }) => body);
    expect(made.filter((uri) => uri.default)).toHaveLength(1);
    await Promise.all(made.map(({ id }) => makeDefault(id)));
    expect((await list('?limit=100')).filter((uri) => uri.default)).toHaveLength(1);
  });

  test('registers a URI only once in twenty parallel requests', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => register('https://app.example.com/callback')));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await list()).toHaveLength(1);
  });
});

describe('a presented redirect URI', () => {
  let inside: Inside;
  beforeAll(async () => {
    inside = await openInside();
    for (const uri of [
      'https://app.example.com/callback',
      'https://*.example.com/wild',
      'https://preview-*-acme.vercel.app/callback',
      'http://127.0.0.1/callback',
      'http://[::1]/callback',
      'http://localhost:3000/callback',
      'http://*.localhost:3000/callback',
      'com.example.app:/callback',
    ]) {
      await inside.target.apiWith(inside.target.keys.here).create('/user_management/redirect_uris', { uri });
    }
  });
  afterAll(() => inside.stop());

  test.each([
    'https://app.example.com/callback',
    'https://a.example.com/wild',
    'https://preview-7-acme.vercel.app/callback',
    'http://127.0.0.1:51004/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:8080/callback',
    'http://localhost:3000/callback',
    'http://acme.localhost:3000/callback',
    'com.example.app:/callback',
  ])('is accepted if registered: %s', async (uri) => {
    expect(await isRedirectUri(inside.here, uri)).toBe(true);
  });

  test.each([
    ['another path', 'https://app.example.com/callback/'],
    ['a longer path', 'https://app.example.com/callback/../admin'],
    ['an added query', 'https://app.example.com/callback?next=https://evil.example'],
    ['an added fragment', 'https://app.example.com/callback#x'],
    ['another scheme', 'http://app.example.com/callback'],
    ['another port', 'https://app.example.com:8443/callback'],
    ['its own port spelled out', 'https://app.example.com:443/callback'],
    ['capitals', 'https://App.example.com/callback'],
    ['a trailing dot', 'https://app.example.com./callback'],
    ['a user name', 'https://app.example.com@evil.example/callback'],
    ['a user name before it', 'https://evil.example@app.example.com/callback'],
    ['a backslash', 'https://evil.example\\@app.example.com/callback'],
    ['a prefix of the host', 'https://app.example.com.evil.example/callback'],
    ['a line break', 'https://app.example.com/callback\r\nLocation: https://evil.example'],
    ['white space around it', ' https://app.example.com/callback '],
    ['the registered wildcard itself', 'https://*.example.com/wild'],
    ['a wildcard two levels deep', 'https://a.b.example.com/wild'],
    ['a wildcard for nothing', 'https://example.com/wild'],
    ['a wildcard with another path', 'https://a.example.com/other'],
    ['a wildcard with another port', 'https://a.example.com:8443/wild'],
    ['a wildcard with http', 'http://a.example.com/wild'],
    ['a part that is missing', 'https://preview-7.vercel.app/callback'],
    ['a part that is empty', 'https://preview--acme.vercel.app/callback'],
    ['an encoded dot', 'https://a%2eb.example.com/wild'],
    ['another loopback address', 'http://127.0.0.2:51004/callback'],
    ['another port than the registered one', 'http://localhost:3001/callback'],
    ['loopback by another name', 'http://localhost:51004/callback'],
    ['the other spelling of a scheme', 'com.example.app://callback'],
    ['javascript', 'javascript:alert(1)'],
    ['nothing', ''],
  ])('is rejected with %s', async (_what, uri) => {
    expect(await isRedirectUri(inside.here, uri)).toBe(false);
  });

  test('is rejected if only another environment has registered it', async () => {
    for (const uri of ['https://app.example.com/callback', 'https://a.example.com/wild', 'com.example.app:/callback']) {
      expect(await isRedirectUri(inside.there, uri)).toBe(false);
    }
    expect(await defaultRedirectUri(inside.there)).toBeUndefined();
    expect(await defaultRedirectUri(inside.here)).toBe('https://app.example.com/callback');
  });

  test('is rejected immediately after its registration is deleted', async () => {
    const api = inside.target.apiWith(inside.target.keys.here);
    const { id } = await api.create('/user_management/redirect_uris', { uri: 'https://*.gone.example/callback' });
    expect(await isRedirectUri(inside.here, 'https://a.gone.example/callback')).toBe(true);
    expect((await api.send('DELETE', `/user_management/redirect_uris/${String(id)}`)).status).toBe(204);
    expect(await isRedirectUri(inside.here, 'https://a.gone.example/callback')).toBe(false);
  });

  test('has at most a hundred wildcards that could match it', async () => {
    const api = inside.target.apiWith(inside.target.keys.here);
    const register = (at: number) =>
      api.send('POST', '/user_management/redirect_uris', {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uri: `https://w${at}-*.many.example/callback` }),
      });
    for (let at = 0; at < 100; at += 1) expect((await register(at)).status).toBe(201);
    expect(await register(100)).toMatchObject({ status: 422, json: { errors: [{ field: 'uri', code: 'too_many' }] } });
    expect(await isRedirectUri(inside.here, 'https://w99-a.many.example/callback')).toBe(true);
  });
});
