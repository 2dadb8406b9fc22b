import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import {
  type App,
  application,
  authorize,
  authorizeUrl,
  bearer,
  CALLBACK,
  readClaims,
  decide,
  endpoint,
  exchange,
  isConsent,
  make,
  newVerifier,
  post,
  type Query,
  received,
  signIn,
  tokens,
  user,
} from './person.ts';

const EMAIL = 'ada@example.com';
const OWN_STYLE = '.button:hover{letter-spacing:.06em}';

beforeEach(() => reset({ calm: true }));

describe('the authorization code of an application', () => {
  test('is exchanged for tokens about the user after sign-in and consent, which introspection and userinfo accept', async () => {
    const organizationId = (await make('/organizations', { name: 'Acme' })).id;
    const userId = await user(EMAIL, organizationId);
    const app = await application({}, { secret: true });
    await call('PUT', '/x/pages/style', { css: OWN_STYLE });
    const person = browser();
    const verifier = newVerifier();
    const first = await person.open(await authorizeUrl(app, verifier, { nonce: 'n-1' }));
    const consent = await signIn(person, first, EMAIL);
    expect(isConsent(consent)).toBe(true);
    // The page of a consent has no style rules of the environment's own, so that none can change what it says.
    expect([first.text, consent.text].map((text) => text.includes(OWN_STYLE))).toEqual([true, false]);
    for (const text of ['Reports', 'reports.example.org', EMAIL, 'Acme']) expect(consent.text).toContain(text);
    const response = received(await decide(person, consent, 'approve'));
    const { url, clientId } = await service();
    expect(response).toEqual({ code: expect.any(String), state: 'xyz', iss: `${url}/user_management/${clientId}` });
    const { status, body, headers } = await exchange(app, response.code, verifier);
    expect([status, headers['cache-control'], body.token_type, body.expires_in]).toEqual([
      200,
      'no-store',
      'Bearer',
      300,
    ]);
    expect(body.scope.split(' ').sort()).toEqual(['email', 'offline_access', 'openid', 'profile']);
    const about = { iss: response.iss, sub: userId, org_id: organizationId };
    const access = readClaims(body.access_token);
    expect(access).toMatchObject({ ...about, aud: clientId, client_id: app.clientId, scope: body.scope });
    expect(readClaims(body.id_token ?? '')).toMatchObject({
      ...about,
      aud: app.clientId,
      nonce: 'n-1',
      sid: access.sid,
      email: EMAIL,
      email_verified: true,
      name: 'Ada Byron',
      auth_time: expect.any(Number),
      at_hash: expect.any(String),
    });
    expect((await bearer('userinfo', body.access_token)).body).toMatchObject({
      sub: userId,
      email: EMAIL,
      name: 'Ada Byron',
    });
    const credentials = { client_id: app.clientId, client_secret: app.secret };
    const introspected = await post('introspection', { token: body.access_token, ...credentials });
    expect(introspected.body).toMatchObject({ active: true, sub: userId, sid: access.sid });
  });

  test('can be exchanged once; a second exchange revokes the tokens of the first one', async () => {
    await user(EMAIL);
    const app = await application();
    const verifier = newVerifier();
    const { code } = await authorize(app, { email: EMAIL, verifier });
    const first = await exchange(app, code, verifier);
    expect((await bearer('userinfo', first.body.access_token)).status).toBe(200);
    expect(await exchange(app, code, verifier)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await bearer('userinfo', first.body.access_token)).status).toBe(401);
  });

  test('without the scope openid gives an access token that userinfo rejects', async () => {
    await user(EMAIL);
    const { access_token: token } = await tokens(await application(), EMAIL, { query: { scope: 'profile email' } });
    const rejected = { status: 403, body: { error: 'insufficient_scope' } };
    expect(await bearer('userinfo', token)).toMatchObject(rejected);
    expect(await post('userinfo', { access_token: token })).toMatchObject(rejected);
  });

  test('is bound to its client, redirect URI, verifier and resource, and expires after five minutes', async () => {
    await user(EMAIL);
    const app = await application();
    const other = await application();
    const verifier = newVerifier();
    const { code } = await authorize(app, { email: EMAIL, verifier });
    const wrong = [
      await exchange(other, code, verifier),
      await exchange(app, code, newVerifier()),
      await exchange(app, code, undefined),
      await exchange(app, code, verifier, { redirect_uri: `${CALLBACK}/` }),
      await exchange(app, code, verifier, { redirect_uri: undefined }),
      await exchange(app, `${code ?? ''}x`, verifier),
      await exchange(app, 'oac_', verifier),
    ];
    for (const { status, body } of wrong) expect([status, body.error]).toEqual([400, 'invalid_grant']);
    const elsewhere = await exchange(app, code, verifier, { resource: 'https://mcp.example.com' });
    expect(elsewhere.body.error).toBe('invalid_target');
    await advance(301);
    expect((await exchange(app, code, verifier)).body.error).toBe('invalid_grant');
  });

  test('of an application with a secret is exchanged only with that secret', async () => {
    await user(EMAIL);
    const app = await application({}, { secret: true });
    const verifier = newVerifier();
    const { code } = await authorize(app, { email: EMAIL, verifier });
    const without = await exchange({ ...app, secret: undefined }, code, verifier);
    expect([without.status, without.body.error]).toEqual([401, 'invalid_client']);
    expect((await exchange(app, code, verifier)).status).toBe(200);
  });

  test('is not issued if the user declines (access_denied), and is issued without a consent page to a first-party application', async () => {
    await user(EMAIL);
    const person = browser();
    const app = await application();
    const consent = await signIn(person, await person.open(await authorizeUrl(app, newVerifier())), EMAIL);
    expect(received(await decide(person, consent, 'deny'))).toMatchObject({ error: 'access_denied', state: 'xyz' });
    const own = await application({ is_first_party: true });
    expect(received(await person.open(await authorizeUrl(own, newVerifier()))).code).toEqual(expect.any(String));
  });

  test('is not issued for an unknown client, an m2m application or an unregistered redirect URI, and the browser shows the error', async () => {
    const app = await application();
    const person = browser();
    const verifier = newVerifier();
    const wrong = [
      await authorizeUrl({ ...app, clientId: 'client_01K0G000000000000000000000' }, verifier),
      await authorizeUrl({ ...app, clientId: (await service()).clientId }, verifier),
      await authorizeUrl(app, verifier, { client_id: undefined }),
      await authorizeUrl(app, verifier, { redirect_uri: 'https://evil.example.org/callback' }),
    ];
    for (const url of wrong) {
      const page = await person.open(url);
      expect([page.status, page.headers.get('location')]).toEqual([400, null]);
    }
  });

  test.each([
    ['response_type', { response_type: 'token' }, 'unsupported_response_type'],
    ['missing response_type', { response_type: undefined }, 'invalid_request'],
    ['response_mode', { response_mode: 'fragment' }, 'invalid_request'],
    ['challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['challenge method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['missing challenge method', { code_challenge_method: undefined }, 'invalid_request'],
    ['short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['scope', { scope: 'admin' }, 'invalid_scope'],
    ['resource', { resource: 'https://unknown.example.com' }, 'invalid_target'],
    ['resource with a fragment', { resource: 'https://mcp.example.com/#a' }, 'invalid_target'],
    ['prompt', { prompt: 'none login' }, 'invalid_request'],
    ['max_age', { max_age: '-1' }, 'invalid_request'],
    ['request object', { request: 'eyJ' }, 'request_not_supported'],
    ['sign-in without a page', { prompt: 'none' }, 'login_required'],
  ])('is not issued for an invalid %s; the error is sent to the application', async (_what, query, error) => {
    const app = await application();
    const page = await browser().open(await authorizeUrl(app, newVerifier(), query));
    expect(page.url.startsWith(CALLBACK)).toBe(true);
    expect(received(page)).toMatchObject({ error, state: 'xyz', iss: expect.stringContaining('/user_management/') });
  });

  test('is valid in its own environment only, and unknown to the server of another one', async () => {
    await user(EMAIL);
    const app = await application();
    const { access_token: token } = await tokens(app, EMAIL);
    const path = `/oauth2/client_01K0G000000000000000000001/userinfo`;
    const headers = { authorization: `Bearer ${token}` };
    expect((await call('GET', path, undefined, { apiKey: null, headers })).status).toBe(401);
  });
});

describe('a pushed authorization request', () => {
  const push = async (app: App, more: Query = {}) => {
    const verifier = newVerifier();
    const address = new URL(await authorizeUrl(app, verifier, more));
    const members = Object.fromEntries(address.searchParams);
    const response = await post<{ request_uri: string; error?: string }>('par', {
      ...members,
      client_secret: app.secret,
    });
    return { ...response, verifier };
  };

  test('can be used by its reference, only by its own application, and expires', async () => {
    await user(EMAIL);
    const [app, other] = [await application({}, { secret: true }), await application()];
    const { status, body, verifier } = await push(app);
    expect(status).toBe(201);
    const person = browser();
    const address = async ({ clientId }: App) =>
      `${await endpoint('authorize')}?${new URLSearchParams({ client_id: clientId, request_uri: body.request_uri }).toString()}`;
    expect((await person.open(await address(other))).status).toBe(400);
    const consent = await signIn(person, await person.open(await address(app)), EMAIL);
    const { code } = received(await decide(person, consent, 'approve'));
    expect((await exchange(app, code, verifier)).status).toBe(200);
    await advance(301);
    expect((await person.open(await address(app))).status).toBe(400);
    const { status: posted, body: error } = await post('authorize', {
      client_id: app.clientId,
      request_uri: body.request_uri,
    });
    expect([posted, error.error]).toEqual([400, 'invalid_request_uri']);
  });

  test('requires the authentication of its application, and is validated before the browser is redirected', async () => {
    const app = await application({}, { secret: true });
    expect((await push({ ...app, secret: undefined })).body.error).toBe('invalid_client');
    expect((await push(app, { scope: 'admin' })).body.error).toBe('invalid_scope');
    expect((await push(app, { redirect_uri: 'https://evil.example.org/' })).body.error).toBe('invalid_request');
    expect((await push(app, { code_challenge: 'abc' })).body.error).toBe('invalid_request');
    expect((await push(app, { response_type: 'token' })).body.error).toBe('unsupported_response_type');
    expect((await push(app, { request: 'eyJ' })).body.error).toBe('request_not_supported');
    expect((await push(app, { resource: 'https://unknown.example.com' })).body.error).toBe('invalid_target');
  });
});

describe('a logout at end_session', () => {
  test('requires an ID token of the application, which may have expired, and redirects to a registered URI', async () => {
    await user(EMAIL);
    const app = await application({ is_first_party: true });
    const person = browser();
    const held = await tokens(app, EMAIL, { person });
    const silent = async () => received(await person.open(await authorizeUrl(app, newVerifier(), { prompt: 'none' })));
    expect((await silent()).code).toEqual(expect.any(String));
    const end = async (members: Record<string, string>) =>
      person.open(`${await endpoint('end_session')}?${new URLSearchParams(members).toString()}`);
    const hint = held.id_token ?? '';
    expect((await end({ post_logout_redirect_uri: CALLBACK })).status).toBe(400);
    expect((await end({ id_token_hint: held.access_token })).status).toBe(400);
    expect((await end({ id_token_hint: hint, post_logout_redirect_uri: 'https://evil.example.org/' })).status).toBe(
      400,
    );
    expect((await silent()).code).toEqual(expect.any(String));
    await advance(3_600);
    const page = await end({ id_token_hint: hint, post_logout_redirect_uri: CALLBACK, state: 'bye' });
    expect([page.url.startsWith(CALLBACK), received(page)]).toEqual([true, { state: 'bye' }]);
    expect((await silent()).error).toBe('login_required');
  });
});
