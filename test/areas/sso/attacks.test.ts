import { beforeEach, expect, test } from '@jest/globals';

import { mailedCode } from '../pages/application.ts';
import { browser } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { receiver } from '../../support/receiver.ts';
import { advance, call, idle, reset } from '../../support/service.ts';
import {
  post,
  REDIRECT_URI,
  redeem,
  respondTo,
  returnTo,
  setUp,
  signIn,
  startUrl,
  readReturn,
  toProvider,
} from './identity-provider.ts';
import { eventsNamed, organization, samlConnection, samlOptions } from './support.ts';

beforeEach(() => reset({ calm: true }));

test('of fifty parallel posts of one SAML response, only one is accepted', async () => {
  const { connection } = await setUp();
  const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }));
  const response = await respondTo(request);
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => post(request.acsUrl, response, request.relayState)),
  );
  expect(responses.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 400)).toHaveLength(49);
});

test('an assertion for one sign-in is rejected in another sign-in and at another connection', async () => {
  const { organizationId, connection } = await setUp();
  const url = await startUrl('/sso/authorize', { connection: connection.id });
  const [one, person] = [await toProvider(url), browser()];
  const other = await toProvider(url, person);
  const stolen = await respondTo(one);
  const response = await post(other.acsUrl, stolen, other.relayState);
  expect(readReturn(await returnTo(person, response)).error).toBe('server_error');
  const second = await samlConnection(organizationId, { saml_options: samlOptions() });
  const there = await toProvider(await startUrl('/sso/authorize', { connection: second.id }));
  expect((await post(one.acsUrl, await respondTo(one), there.relayState)).status).toBe(400);
  expect((await post(there.acsUrl, await respondTo(one), one.relayState)).status).toBe(400);
});

test.each([
  ['signed by another key', { privateKey: testPair('attacker').key }],
  ['unsigned', { signed: 'none' as const }],
  ['of another issuer', { issuer: 'https://evil.example' }],
  ['for another audience', { audience: 'https://evil.example' }],
  ['for another recipient', { acsUrl: 'https://evil.example' }],
  ['to another request', { requestId: '_other' }],
  ['issued an hour ago', { now: Date.now() - 3_600_000 }],
])('a response %s does not sign in the user', async (_, more) => {
  const { connection } = await setUp();
  const outcome = await signIn(await startUrl('/sso/authorize', { connection: connection.id }), undefined, more);
  expect(outcome).toMatchObject({ error: 'server_error' });
  await idle();
  expect(await eventsNamed('authentication.sso_failed')).toHaveLength(1);
});

test('an identity provider that asserts an address of another organization neither signs in nor changes that user', async () => {
  const { connection } = await setUp('evil.example');
  const victims = await organization('victim.example', 'Victim');
  const user = await call<{ id: string }>('POST', '/user_management/users', {
    email: 'ceo@victim.example',
    email_verified: true,
    first_name: 'Grace',
  });
  await call('POST', '/user_management/organization_memberships', { user_id: user.body.id, organization_id: victims });
  for (const path of ['/sso/authorize', '/user_management/authorize'] as const) {
    const key = path === '/sso/authorize' ? 'connection' : 'connection_id';
    const outcome = await signIn(await startUrl(path, { [key]: connection.id }), 'ceo@victim.example');
    expect(outcome).toMatchObject({ error: 'profile_not_allowed_outside_organization' });
  }
  const { body } = await call('GET', `/user_management/users/${user.body.id}`);
  expect(body).toMatchObject({ first_name: 'Grace', last_sign_in_at: null });
});

test('a guest who is a member is linked only after a sign-in to the account, so that the provider cannot take it over', async () => {
  const { organizationId, connection } = await setUp();
  const user = await call<{ id: string }>('POST', '/user_management/users', {
    email: 'guest@elsewhere.example',
    email_verified: true,
  });
  await call('POST', '/user_management/organization_memberships', {
    user_id: user.body.id,
    organization_id: organizationId,
  });
  const person = browser();
  const request = await toProvider(
    await startUrl('/user_management/authorize', { connection_id: connection.id }),
    person,
  );
  const response = await respondTo(request, 'guest@elsewhere.example');
  const page = await returnTo(person, await post(request.acsUrl, response, request.relayState));
  expect(new URL(page.url).pathname).toBe('/hosted/sign-in');
  expect(page.text).toContain('guest@elsewhere.example');
});

test('a guest whose connection requires a second factor is asked for it after the own sign-in too', async () => {
  const { organizationId, connection } = await setUp();
  await call('PATCH', `/x/connections/${connection.id}`, { settings: { second_factor: 'ask' } });
  const email = 'guest@elsewhere.example';
  const user = await call<{ id: string }>('POST', '/user_management/users', { email, email_verified: true });
  const membership = { user_id: user.body.id, organization_id: organizationId };
  await call('POST', '/user_management/organization_memberships', membership);
  const person = browser();
  const request = await toProvider(
    await startUrl('/user_management/authorize', { connection_id: connection.id }),
    person,
  );
  const response = await respondTo(request, email);
  const page = await returnTo(person, await post(request.acsUrl, response, request.relayState));
  const entry = await person.submit(await person.submit(page, { email }), { do: 'code' });
  const next = await person.submit(entry, { code: await mailedCode(email) });
  expect(new URL(next.url).pathname).toBe('/hosted/mfa/enroll');
});

test('a response that one browser requested has no effect in another browser (login CSRF)', async () => {
  const { connection } = await setUp();
  const attacker = browser();
  const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }), attacker);
  const response = await post(request.acsUrl, await respondTo(request), request.relayState);
  const victim = browser();
  const page = await victim.open(response.headers.get('location') ?? '');
  expect([page.status, page.url.startsWith(REDIRECT_URI)]).toEqual([400, false]);
});

test('the XML of a response is read only if RelayState, of at most 80 bytes, names an open sign-in of the connection', async () => {
  const { connection } = await setUp();
  const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }));
  expect(Buffer.byteLength(request.relayState)).toBeLessThanOrEqual(80);
  const broken = Buffer.from('<a>'.repeat(5_000)).toString('base64');
  /** The checks of each response that was read, the newest first. */
  const listReadings = async (): Promise<unknown[]> => {
    const path = `/x/connections/${connection.id}/attempts`;
    return (await call<{ data: { checks: unknown[] }[] }>('GET', path)).body.data.map(({ checks: [first] }) => first);
  };
  const last = request.relayState.at(-1) === 'a' ? 'b' : 'a';
  for (const state of [
    `${request.relayState.slice(0, -1)}${last}`,
    request.relayState.toUpperCase(),
    '',
    'sso_',
    '🔑',
  ]) {
    const { status, url, headers } = await post(request.acsUrl, broken, state);
    const to = headers.get('location') ?? url;
    // Without a state of this service, the browser is sent to the provider with a request.
    expect([state, status === 400 || to.includes('/x/sso/start')]).toEqual([state, true]);
  }
  expect(await listReadings()).toEqual([]);
  expect((await post(request.acsUrl, broken, request.relayState)).status).toBe(303);
  expect(await listReadings()).toMatchObject([{ check: 'document', outcome: 'failed' }]);
});

test('a sign-in expires after ten minutes, and a disabled or deleted connection does not sign in the user', async () => {
  const { connection } = await setUp();
  const url = await startUrl('/sso/authorize', { connection: connection.id });
  const late = await toProvider(url);
  await advance(601);
  expect((await post(late.acsUrl, await respondTo(late), late.relayState)).status).toBe(400);
  await advance(301);
  await idle();
  const [event] = await eventsNamed('authentication.sso_timed_out');
  expect(event?.data).toMatchObject({ sso: { connection_id: connection.id }, error: { code: 'sso_timed_out' } });
  const person = browser();
  const request = await toProvider(url, person);
  await call('PATCH', `/x/connections/${connection.id}`, { state: 'inactive' });
  const response = await post(request.acsUrl, await respondTo(request), request.relayState);
  expect(readReturn(await returnTo(person, response)).error).toBe('connection_unlinked');
});

test('prompt=login and max_age require a new authentication at the provider, and an older one is rejected', async () => {
  const { connection } = await setUp();
  const url = await startUrl('/sso/authorize', { connection: connection.id, prompt: 'login' });
  expect((await toProvider(url)).xml).toContain('ForceAuthn="true"');
  const old = { authnInstant: Date.now() - 600_000 };
  expect(await signIn(url, undefined, old)).toMatchObject({ error: 'access_denied' });
  expect(await signIn(url)).toHaveProperty('code');
  const aged = { connection_id: connection.id, max_age: '300' };
  expect(await signIn(await startUrl('/user_management/authorize', aged), undefined, old)).toMatchObject({
    error: 'access_denied',
  });
});

test('no request is sent to identity providers and metadata documents at internal addresses', async () => {
  const organization_id = await organization();
  for (const address of [
    'https://169.254.169.254/',
    'https://10.0.0.1/',
    'http://acme.example/',
    'ftp://acme.example/',
  ]) {
    const metadata = { organization_id, saml_options: { idp_metadata_url: address } };
    expect((await call('POST', '/connections', metadata)).status).toBe(422);
    const oidc_options = {
      discovery_endpoint: `${address}.well-known/openid-configuration`,
      client_id: 'a',
      client_secret: 'b',
    };
    expect([400, 422]).toContain((await call('POST', '/connections', { organization_id, oidc_options })).status);
  }
});

test('a discovery document that names an internal address makes no connection', async () => {
  const organization_id = await organization();
  const server = await receiver('');
  const issuer = new URL(server.url).origin;
  const sound = {
    issuer,
    authorization_endpoint: `${issuer}/a`,
    token_endpoint: `${issuer}/t`,
    jwks_uri: `${issuer}/j`,
    userinfo_endpoint: `${issuer}/u`,
    end_session_endpoint: `${issuer}/e`,
  };
  const discovery_endpoint = `${issuer}/.well-known/openid-configuration`;
  const oidc_options = { discovery_endpoint, client_id: 'us', client_secret: 'secret' };
  const make = async () => (await call('POST', '/connections', { organization_id, oidc_options })).status;
  const outcomes: Record<string, number> = {};
  for (const endpoint of Object.keys(sound).filter((name) => name !== 'issuer')) {
    server.respondWith({ body: JSON.stringify({ ...sound, [endpoint]: 'https://169.254.169.254/latest' }) });
    outcomes[endpoint] = await make();
  }
  server.respondWith({ status: 302, headers: { location: 'https://169.254.169.254/latest' } });
  outcomes['a redirect'] = await make();
  expect(new Set(Object.values(outcomes))).toEqual(new Set([422]));
  expect((await call<{ data: unknown[] }>('GET', '/connections')).body.data).toEqual([]);
  server.respondWith({ body: JSON.stringify(sound) });
  expect(await make()).toBe(201);
});

test('a code of /sso/authorize is rejected by /user_management/authenticate', async () => {
  const { connection } = await setUp();
  const { code } = await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
  expect((await redeem(code)).status).toBe(400);
});
