import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import {
  authorizeUrl,
  CALLBACK,
  decide,
  exchange,
  isConsent,
  newVerifier,
  post,
  received,
  refresh,
  signIn,
  tokens,
  user,
} from './person.ts';

const EMAIL = 'ada@example.com';

/** The response of the server that serves the documents. */
interface Site {
  status: number;
  headers: Record<string, string>;
  body: string | ((url: string) => string);
  /** Bytes that the server sends in place of the body, one every 100 ms. */
  drip?: boolean;
}

let server: Server;
let site: Site;
let asked: number;

const document =
  (more: Record<string, unknown> = {}) =>
  (url: string) =>
    JSON.stringify({ client_id: url, client_name: 'Notes', redirect_uris: [CALLBACK], ...more });

beforeAll(async () => {
  server = createServer((request, response) => {
    asked += 1;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${request.url ?? ''}`;
    const text = typeof site.body === 'string' ? site.body : site.body(url);
    response.writeHead(site.status, { 'content-type': 'application/json', ...site.headers });
    if (site.drip !== true) return response.end(text);
    const timer = setInterval(() => response.write(' '), 100);
    return response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

beforeEach(async () => {
  await reset({ calm: true });
  site = { status: 200, headers: {}, body: document() };
  asked = 0;
});

/** Returns a client whose metadata document is at a path of the server. */
const client = (path = '/client.json') => {
  const clientId = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  return { id: clientId, clientId };
};

const open = async (app: { id: string; clientId: string }) => browser().open(await authorizeUrl(app, newVerifier()));

describe('an application with a metadata document', () => {
  test('signs users in after a consent page that marks its name as unverified and shows its host and that of the redirect URI', async () => {
    await user(EMAIL);
    const app = client();
    const person = browser();
    const verifier = newVerifier();
    const page = await signIn(person, await person.open(await authorizeUrl(app, verifier)), EMAIL);
    expect(isConsent(page)).toBe(true);
    for (const text of ['Notes', '(unverified)', new URL(app.clientId).host, 'reports.example.org']) {
      expect(page.text).toContain(text);
    }
    const { code } = received(await decide(person, page, 'approve'));
    const { status, body } = await exchange(app, code, verifier);
    expect(status).toBe(200);
    const renewed = await refresh(app, body.refresh_token);
    expect(renewed.status).toBe(200);
    const again = await person.open(await authorizeUrl(app, newVerifier()));
    expect(isConsent(again)).toBe(true);
    const silent = await person.open(await authorizeUrl(app, newVerifier(), { prompt: 'none' }));
    expect(received(silent).error).toBe('consent_required');
  });

  test('has its document cached for five minutes to a day', async () => {
    const { url } = await service();
    const reads = async () => {
      await open(client());
      return asked;
    };
    expect([await reads(), await reads()]).toEqual([1, 1]);
    await advance(200);
    expect(await reads()).toBe(1);
    await advance(101);
    site.headers = { 'cache-control': 'max-age=604800' };
    site.body = document({ redirect_uris: ['https://elsewhere.example.org/callback'] });
    const moved = await open(client());
    expect([asked, moved.url.startsWith(url), moved.text.includes('redirect_uri')]).toEqual([2, true, true]);
    await advance(86_000);
    expect(await reads()).toBe(2);
    await advance(401);
    expect(await reads()).toBe(3);
  });

  test('is accepted in pushed requests too, and only if the settings allow it', async () => {
    const app = client('/pushed');
    const challenge = { code_challenge: 'A'.repeat(43), code_challenge_method: 'S256' };
    const form = { client_id: app.clientId, redirect_uri: CALLBACK, response_type: 'code', ...challenge };
    expect((await post('par', form)).status).toBe(201);
    await call('PUT', '/x/connect/settings', { registration: 'loopback' });
    const remote = await open(client('/loopback'));
    expect(remote.text).toContain('http on a loopback host');
    await call('PUT', '/x/connect/settings', { registration: 'off' });
    const before = asked;
    const off = await open(client('/off'));
    expect([off.status, off.text.includes('does not know'), asked]).toEqual([400, true, before]);
    expect((await post('par', { ...form, client_id: client('/off').clientId })).status).toBe(401);
  });

  test('has no consents or tokens from before its deletion', async () => {
    await user(EMAIL);
    const app = client();
    const held = await tokens(app, EMAIL);
    const { body } = await call<{ data: { id: string; client_id: string }[] }>(
      'GET',
      '/connect/applications?registration_types=dynamic',
    );
    expect(body.data.map(({ client_id: id }) => id)).toEqual([app.clientId]);
    expect((await call('DELETE', `/connect/applications/${body.data[0]?.id ?? ''}`)).status).toBe(204);
    expect((await refresh(app, held.refresh_token)).status).toBe(401);
    await advance(1);
    await open(app);
    expect((await refresh(app, held.refresh_token)).body.error).toBe('invalid_grant');
  });

  test.each<[string, Partial<Site>, string]>([
    [
      'whose client_id is another address',
      { body: '{"client_id":"https://other.example.org/c","redirect_uris":["https://a.example.org/c"]}' },
      'as the same text',
    ],
    ['with a client secret', { body: document({ client_secret: 'x' }) }, 'client secret'],
    [
      'with an authentication method that needs a secret',
      { body: document({ token_endpoint_auth_method: 'client_secret_basic' }) },
      'private_key_jwt',
    ],
    [
      'with a redirect URI that cannot be registered',
      { body: document({ redirect_uris: ['http://a.example.org/c'] }) },
      'must be https',
    ],
    ['without a redirect URI', { body: document({ redirect_uris: undefined }) }, 'at least one URI'],
    ['whose redirect URIs are no list', { body: document({ redirect_uris: 'x' }) }, 'redirect_uris'],
    ['of more than 5 KiB', { body: document({ client_name: 'n'.repeat(5_100) }) }, 'too large'],
    ['of a megabyte', { body: document({ client_uri: 'x'.repeat(1_000_000) }) }, 'too large'],
    ['that is no JSON', { body: '<html>' }, 'not valid JSON'],
    ['that is null', { body: 'null' }, 'not valid'],
    ['of another media type', { headers: { 'content-type': 'text/html' } }, 'application/json'],
    ['that redirects', { status: 302, headers: { location: '/elsewhere.json' } }, 'status 302'],
    ['that is not there', { status: 404 }, 'status 404'],
    ['sent a byte at a time', { drip: true }, 'in time'],
  ])('is rejected in the browser with a document %s', async (_title, change, reason) => {
    site = { ...site, ...change };
    const page = await open(client('/bad.json'));
    expect([page.status, new URL(page.url).pathname.endsWith('/authorize')]).toEqual([400, true]);
    expect(page.text).toContain(reason);
    expect(asked).toBe(1);
  });

  test.each([
    ['a private address', 'https://10.0.0.1/client.json', 'not a public address'],
    ['the metadata service', 'http://169.254.169.254/latest/meta-data', 'not a public address'],
    ['a private IPv6 address', 'https://[fd00::1]/client.json', 'not a public address'],
    ['a name without an address', 'https://nothing.invalid/client.json', 'could not be resolved'],
    ['plain http', 'http://client.example.org/client.json', ''],
    ['an origin without a path', 'https://client.example.org/', 'not the address'],
    ['user information', 'https://user:secret@client.example.org/c', 'not the address'],
    ['a fragment', 'https://client.example.org/c#x', 'not the address'],
    ['dot segments', 'https://client.example.org/a/../c', 'not the address'],
    ['an upper-case host', 'https://Client.example.org/c', 'not the address'],
  ])('is rejected with the URL %s, and nothing is fetched', async (_title, clientId, reason) => {
    const page = await open({ id: clientId, clientId });
    expect([page.status, asked]).toEqual([400, 0]);
    expect(page.text).toContain(reason);
  });

  test('is fetched at most thirty times a minute for each network', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 31; at += 1) statuses.push((await open(client(`/many/${at}`))).status);
    expect(new Set(statuses.slice(0, 30))).toEqual(new Set([200]));
    expect([statuses[30], asked]).toEqual([429, 30]);
  });
});
