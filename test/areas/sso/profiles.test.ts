import { createHash, randomBytes } from 'node:crypto';

import { beforeEach, describe, expect, test } from '@jest/globals';

import { browser } from '../../support/browser.ts';
import { addFault, advance, call, clearFaults, idle, reset, sdk, service } from '../../support/service.ts';
import {
  exchange,
  post,
  REDIRECT_URI,
  registerApplication,
  respondTo,
  returnTo,
  setUp,
  signIn,
  startUrl,
  readReturn,
  toProvider,
} from './identity-provider.ts';
import { readRows } from '../../support/users.ts';
import { eventsNamed, organization, samlConnection, samlOptions } from './support.ts';

beforeEach(() => reset());

interface Token {
  access_token: string;
  expires_in: number;
  profile: { id: string; email: string; idp_id: string; groups: string[] };
  error?: string;
}

test('a SAML sign-in returns a profile through the official SDK, with the same id each time', async () => {
  const { organizationId, connection } = await setUp();
  const { clientId } = await service();
  const url = sdk().sso.getAuthorizationUrl({ clientId, connection: connection.id, redirectUri: REDIRECT_URI });
  const first = await signIn(url);
  const { profile, accessToken } = await sdk().sso.getProfileAndToken({ clientId, code: first.code ?? '' });
  expect(profile).toMatchObject({
    connectionId: connection.id,
    organizationId,
    email: 'ada@acme.example',
    firstName: 'Ada',
    lastName: 'Lovelace',
    groups: ['staff', 'admins'],
  });
  expect(await sdk().sso.getProfile({ accessToken })).toMatchObject({ id: profile.id });
  const again = await signIn(await startUrl('/sso/authorize', { organization: organizationId }));
  expect(again).toMatchObject({ state: 'the-state', iss: expect.any(String) });
  expect((await exchange<Token>(again.code)).body.profile.id).toBe(profile.id);
  await idle();
  const names = ['started', 'succeeded'].map((name) => `authentication.sso_${name}`);
  expect((await eventsNamed(...names)).map(({ event }) => event)).toEqual([...names, ...names]);
});

test('a code is exchanged once, and a second exchange revokes the access token of the first', async () => {
  const { connection } = await setUp();
  const { code } = await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
  const { body } = await exchange<Token>(code);
  const read = () =>
    call('GET', '/sso/profile', undefined, { headers: { authorization: `Bearer ${body.access_token}` }, apiKey: null });
  expect([body.expires_in, (await read()).status]).toEqual([600, 200]);
  const second = await exchange<Token>(code);
  expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
  const after = await read();
  expect([after.status, after.body]).toMatchObject([401, { error: 'Unauthorized' }]);
});

test('a code and an access token expire after ten minutes', async () => {
  const { connection } = await setUp();
  const url = await startUrl('/sso/authorize', { connection: connection.id });
  const [late, used] = [await signIn(url), await signIn(url)];
  const { body } = await exchange<Token>(used.code);
  await advance(601);
  expect((await exchange<Token>(late.code)).body.error).toBe('invalid_grant');
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await call('GET', '/sso/profile', undefined, { headers, apiKey: null })).status).toBe(401);
});

test('a code with a PKCE challenge requires its verifier, and a code without one requires the client secret', async () => {
  const { connection } = await setUp();
  const verifier = randomBytes(32).toString('base64url');
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const pkce = { connection: connection.id, code_challenge, code_challenge_method: 'S256' };
  const { code } = await signIn(await startUrl('/sso/authorize', pkce));
  const verdict = async (given: string | undefined, more: Record<string, string>) =>
    (await exchange<Token>(given, more)).body.error;
  expect(await verdict(code, {})).toBe('invalid_grant');
  expect(await verdict(code, { code_verifier: 'x'.repeat(43), client_secret: '' })).toBe('invalid_grant');
  expect((await exchange<Token>(code, { code_verifier: verifier, client_secret: '' })).status).toBe(200);
  const plain = await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
  expect(await verdict(plain.code, { client_secret: '' })).toBe('unauthorized_client');
  expect(await verdict(plain.code, { grant_type: 'password' })).toBe('unsupported_grant_type');
  expect(await verdict('', {})).toBe('invalid_request');
  expect(await verdict('sso_code_unknown', {})).toBe('invalid_grant');
});

describe('an error of /sso/authorize', () => {
  const readError = async (more: Record<string, string>): Promise<string | undefined> =>
    readReturn(await browser().open(await startUrl('/sso/authorize', more))).error;

  test('is sent to the registered redirect URI with state and issuer', async () => {
    const { organizationId, connection } = await setUp();
    const other = await organization('other.example', 'Other');
    const page = await browser().open(await startUrl('/sso/authorize', { connection: 'conn_unknown' }));
    expect(readReturn(page)).toMatchObject({
      error: 'connection_invalid',
      state: 'the-state',
      iss: expect.any(String),
    });
    expect(await readError({})).toBe('invalid_connection_selector');
    expect(await readError({ connection: connection.id, organization: organizationId })).toBe(
      'invalid_connection_selector',
    );
    expect(await readError({ organization: 'org_unknown' })).toBe('organization_invalid');
    expect(await readError({ organization: other })).toBe('connection_invalid');
    expect(await readError({ provider: 'GoogleOAuth' })).toBe('connection_invalid');
    expect(await readError({ connection: connection.id, response_type: 'token' })).toBe('unsupported_response_type');
    expect(await readError({ connection: connection.id, prompt: 'none' })).toBe('invalid_request');
    expect(await readError({ connection: connection.id, code_challenge: 'x' })).toBe('invalid_request');
    await samlConnection(organizationId, { saml_options: samlOptions() });
    expect(await readError({ organization: organizationId })).toBe('ambiguous_connection_selector');
    expect(await readError({ domain: 'acme.example' })).toBe('ambiguous_connection_selector');
    await call('PATCH', `/x/connections/${connection.id}`, { state: 'inactive' });
    expect(await readError({ connection: connection.id })).toBe('connection_unlinked');
  });

  test('is not sent to a redirect URI that is not registered', async () => {
    const { connection } = await setUp();
    const url = await startUrl('/sso/authorize', { connection: connection.id, redirect_uri: 'https://evil.example/' });
    const page = await browser().request(url);
    expect([page.status, page.headers.get('location')]).toEqual([400, null]);
  });
});

test('a caller that accepts only JSON gets a URL of the service, which works once and in one browser', async () => {
  const { connection } = await setUp();
  const { url: base } = await service();
  const path = (await startUrl('/sso/authorize', { connection: connection.id })).slice(base.length);
  const { status, body } = await call<{ url: string }>('GET', path, undefined, {
    apiKey: null,
    headers: { accept: 'application/json' },
  });
  expect([status, new URL(body.url).origin]).toEqual([200, base]);
  const person = browser();
  const request = await toProvider(body.url, person);
  expect((await browser().open(body.url)).status).toBe(400);
  const response = await post(request.acsUrl, await respondTo(request), request.relayState);
  expect((await browser().open(response.headers.get('location') ?? '')).status).toBe(400);
  expect(readReturn(await returnTo(person, response)).code).toBeDefined();
});

test('an address outside of the organization’s domains is rejected, unless the organization or the environment allows it', async () => {
  const { organizationId, connection } = await setUp();
  const url = await startUrl('/sso/authorize', { connection: connection.id });
  const rejection = await signIn(url, 'guest@elsewhere.example');
  expect(rejection).toMatchObject({ error: 'profile_not_allowed_outside_organization', state: 'the-state' });
  const policy = `/x/organizations/${organizationId}/sso_policy`;
  await call('PUT', policy, { email_domains: 'any' });
  expect((await call('GET', policy)).body).toMatchObject({ email_domains: 'any' });
  const { code } = await signIn(url, 'guest@elsewhere.example');
  expect((await exchange<Token>(code)).body.profile.email).toBe('guest@elsewhere.example');
  await call('PUT', policy, {});
  await call('PUT', '/x/sso/settings', { email_domains: 'any' });
  await advance(6);
  expect(await signIn(url, 'guest@elsewhere.example')).toHaveProperty('code');
});

test('the profile of a deleted connection is gone ten minutes later, however far the index lags', async () => {
  const { connection } = await setUp();
  await clearFaults();
  await addFault({ target: 'table', kind: 'stale_lists', delay_ms: 4_000 });
  const { code } = await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
  const { body } = await exchange<Token>(code);
  await call('DELETE', `/connections/${connection.id}`);
  await idle();
  await advance(601);
  await idle();
  expect((await call('POST', '/sso/logout/authorize', { profile_id: body.profile.id })).status).toBe(404);
  expect(await readRows(connection.id)).not.toContain('sso-profile');
});

test('the token of a deleted connection’s profile responds 404', async () => {
  // The worker lists profiles by an index, which must not lag in this test.
  await reset({ calm: true });
  const { connection } = await setUp();
  const { code } = await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
  const { body } = await exchange<Token>(code);
  await call('DELETE', `/connections/${connection.id}`);
  await idle();
  const headers = { authorization: `Bearer ${body.access_token}` };
  expect((await call('GET', '/sso/profile', undefined, { headers, apiKey: null })).status).toBe(404);
  expect((await call('POST', '/sso/logout/authorize', { profile_id: body.profile.id })).status).toBe(404);
});

test('a profile of a SAML connection has no logout URL', async () => {
  const { connection } = await setUp();
  const { code } = await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
  const { body } = await exchange<Token>(code);
  const response = await call('POST', '/sso/logout/authorize', { profile_id: body.profile.id });
  expect([response.status, response.body.error]).toEqual([400, 'connection_invalid']);
  expect((await call('GET', '/sso/logout?token=sso_logout_x')).status).toBe(404);
});

test('hints reach the identity provider as the parameters of its type, and an application cannot set those of the protocol', async () => {
  const organizationId = await organization();
  await registerApplication();
  const hints = { login_hint: 'ada@acme.example', domain_hint: 'acme.example' };
  const own = { tenant: 'blue', SAMLRequest: 'forged', RelayState: 'forged', Signature: 'forged' };
  const params = Object.fromEntries(
    Object.entries(own).map(([name, value]) => [`provider_query_params[${name}]`, value]),
  );
  const outcomes: Record<string, unknown> = {};
  for (const connection_type of ['AzureSAML', 'OktaSAML', 'ADFSSAML', 'GoogleSAML', 'GenericSAML']) {
    const { id } = await samlConnection(organizationId, { connection_type });
    const { location } = await toProvider(await startUrl('/sso/authorize', { connection: id, ...hints, ...params }));
    const { SAMLRequest = '', RelayState = '', ...rest } = Object.fromEntries(new URL(location).searchParams);
    expect([SAMLRequest.length > 100, RelayState.startsWith('sso_')]).toEqual([true, true]);
    outcomes[connection_type] = rest;
  }
  const [tenant, email] = ['blue', 'ada@acme.example'];
  expect(outcomes).toEqual({
    AzureSAML: { tenant, login_hint: email },
    OktaSAML: { tenant, login_hint: email },
    ADFSSAML: { tenant, username: email },
    GoogleSAML: { tenant, Email: email, hd: 'acme.example' },
    GenericSAML: { tenant },
  });
});

test('imported URLs are sent to the provider and compared with its responses, so a provider that knew another service needs no change', async () => {
  const organizationId = await organization();
  await registerApplication();
  const acs_url = 'https://auth.old.example/sso/saml/acs/Kept-from-before';
  const options = { acs_url, sp_entity_id: 'https://auth.old.example/Kept-from-before' };
  const connection = await samlConnection(organizationId, { saml_options: samlOptions(options) });
  const x = `/x/connections/${connection.id}`;
  expect((await call('PATCH', x, { external_key: 'Kept-from-before' })).status).toBe(200);
  const { url } = await service();
  /** The provider posts to the old host name, which is now an alias of this service. */
  const here = `${url}${new URL(acs_url).pathname}`;
  const outcomes: Record<string, string | undefined> = {};
  for (const [name, change] of Object.entries({
    'the imported values': {},
    'the own address of the service': { acsUrl: here, audience: `${url}/sso/saml/metadata/Kept-from-before` },
    'another host': { acsUrl: 'https://evil.example/sso/saml/acs/Kept-from-before' },
    'another audience': { audience: 'https://auth.old.example/Another' },
  })) {
    const person = browser();
    const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }), person);
    expect([request.acsUrl, request.audience]).toEqual([acs_url, options.sp_entity_id]);
    const response = await post(here, await respondTo({ ...request, ...change }), request.relayState);
    const returned = readReturn(await returnTo(person, response));
    outcomes[name] = returned.error ?? 'signed in';
  }
  expect(outcomes).toEqual({
    'the imported values': 'signed in',
    'the own address of the service': 'signed in',
    'another host': 'server_error',
    'another audience': 'server_error',
  });
  const metadata = await browser().request(`${url}/sso/saml/metadata/Kept-from-before`);
  expect(metadata.text).toContain(`entityID="${options.sp_entity_id}"`);
  expect(metadata.text).toContain(acs_url);
});
