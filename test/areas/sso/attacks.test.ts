import { beforeEach, describe, expect, test } from '@jest/globals';

import type { IssuedResponse } from '../../../functions/sso/saml/issue.ts';
import { browser } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { advance, call, idle, now, reset, service } from '../../support/service.ts';
import {
  exchange,
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
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => post(request.acsUrl, response, request.relayState)),
  );
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
});

test('an assertion for one sign-in is rejected in another sign-in, connection and environment', async () => {
  const { organizationId, connection } = await setUp();
  const url = await startUrl('/sso/authorize', { connection: connection.id });
  const [one, person] = [await toProvider(url), browser()];
  const other = await toProvider(url, person);
  const stolen = await respondTo(one);
  const answered = await post(other.acsUrl, stolen, other.relayState);
  expect(readReturn(await returnTo(person, answered)).error).toBe('server_error');
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

test('a guest who is a member is linked only after a mailed code, so that the provider cannot take over the account', async () => {
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
  expect(page.url).not.toContain(REDIRECT_URI);
  expect(page.text).toContain('guest@elsewhere.example');
});

test('a response that one browser requested has no effect in another browser (login CSRF)', async () => {
  const { connection } = await setUp();
  const attacker = browser();
  const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }), attacker);
  const answered = await post(request.acsUrl, await respondTo(request), request.relayState);
  const victim = browser();
  const page = await victim.open(answered.headers.get('location') ?? '');
  expect([page.status, page.url.startsWith(REDIRECT_URI)]).toEqual([400, false]);
});

test('an unsolicited response is no proof: the browser is redirected to the provider again, and only to registered addresses', async () => {
  const { connection } = await setUp();
  const { clientId } = await service();
  const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }));
  const unsolicited = await respondTo({ ...request, requestId: '' });
  for (const relayState of ['', 'https://evil.example/', `redirect_uri=https://evil.example/&client_id=${clientId}`]) {
    const answered = await post(request.acsUrl, unsolicited, relayState);
    const person = browser();
    const again = await toProvider(answered.headers.get('location') ?? '', person);
    const done = await post(again.acsUrl, await respondTo(again), again.relayState);
    expect(readReturn(await returnTo(person, done)).code).toBeDefined();
  }
});

test('a provider that drops RelayState gets one repeated request, and then an error instead of a redirect loop', async () => {
  const { connection } = await setUp();
  const person = browser();
  const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }), person);
  const bounce = async () => (await post(request.acsUrl, await respondTo(request), '')).headers.get('location') ?? '';
  await toProvider(await bounce(), person);
  const page = await person.open(await bounce());
  expect([page.status, page.text]).toEqual([400, expect.stringContaining('RelayState')]);
});

test('a connection that denies unsolicited responses returns an error with the ids of the response', async () => {
  const { organizationId, connection } = await setUp();
  await call('PATCH', `/x/connections/${connection.id}`, { settings: { idp_initiated: 'deny' } });
  const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }));
  const answered = await post(request.acsUrl, await respondTo(request), '');
  const location = new URL(answered.headers.get('location') ?? '');
  expect(Object.fromEntries(location.searchParams)).toMatchObject({
    error: 'idp_initiated_sso_disabled',
    connection_id: connection.id,
    organization_id: organizationId,
  });
});

describe('a connection that allows unsolicited responses', () => {
  /** A connection that allows them, with a function that brings a response to the service in a browser. */
  async function setUpAllowing() {
    const { connection } = await setUp();
    expect(
      (await call('PATCH', `/x/connections/${connection.id}`, { settings: { idp_initiated: 'allow' } })).status,
    ).toBe(200);
    const party = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }));
    const respond = (more: Partial<IssuedResponse> = {}, email = 'ada@acme.example') =>
      respondTo({ acsUrl: party.acsUrl, audience: party.audience }, email, more);
    const bring = async (response: string, relayState = '', person = browser()) => {
      const answered = await post(party.acsUrl, response, relayState, person);
      expect(answered.status).toBe(303);
      return { person, location: answered.headers.get('location') ?? '' };
    };
    /** The page of the person, or the return to the application. */
    const arrive = async (response: string, relayState = '') => {
      const { person, location } = await bring(response, relayState);
      return { person, page: await person.open(location) };
    };
    return { connection, party, respond, bring, arrive };
  }

  test('signs the user in after a page that names the address, the provider and the application', async () => {
    const { connection, respond, arrive } = await setUpAllowing();
    const { person, page } = await arrive(await respond());
    expect(page.status).toBe(200);
    for (const displayed of ['ada@acme.example', connection.name, 'idp.acme.example', 'app.example.com']) {
      expect(page.text).toContain(displayed);
    }
    const { code } = readReturn(await person.submit(page, { do: 'approve' }));
    const { status, body } = await redeem<{ user: { email: string }; authentication_method: string }>(code);
    expect([status, body.user.email, body.authentication_method]).toEqual([200, 'ada@acme.example', 'SSO']);
    expect((await person.submit(page, { do: 'approve' })).status).toBe(400);
    await idle();
    expect(await eventsNamed('authentication.sso_succeeded')).toHaveLength(1);
    const attempts = await call<{ data: object[] }>('GET', `/x/connections/${connection.id}/attempts`);
    expect(attempts.body.data).toMatchObject([{ kind: 'unsolicited', outcome: 'succeeded' }]);
  });

  test('returns signin_consent_denied, and no code, if the person cancels', async () => {
    const { respond, arrive } = await setUpAllowing();
    const { person, page } = await arrive(await respond());
    const returned = readReturn(await person.submit(page, { do: 'deny' }));
    expect([returned.error, returned.code]).toEqual(['signin_consent_denied', undefined]);
    await idle();
    const [failed] = await eventsNamed('authentication.sso_failed');
    expect(failed?.data).toMatchObject({ email: 'ada@acme.example', error: { code: 'signin_consent_denied' } });
  });

  test('yields the code that the environment chooses, at a registered redirect URI of RelayState only', async () => {
    const { respond, arrive } = await setUpAllowing();
    const { clientId } = await service();
    const other = 'https://app.example.com/other';
    expect((await call('POST', '/user_management/redirect_uris', { uri: other })).status).toBe(201);
    expect((await call('PUT', '/x/sso/settings', { idp_initiated_code: 'sso' })).status).toBe(200);
    for (const [relayState, expected] of [
      [`redirect_uri=${encodeURIComponent(other)}&client_id=${clientId}`, other],
      [`redirect_uri=${encodeURIComponent(other)}`, other],
      [`redirect_uri=${encodeURIComponent(other)}&client_id=client_01ARZ3NDEKTSV4RRFFQ69G5FAV`, REDIRECT_URI],
      ['redirect_uri=https://evil.example/', REDIRECT_URI],
      ['https://evil.example/', REDIRECT_URI],
    ] as const) {
      const { person, page } = await arrive(await respond(), relayState);
      const returned = await person.submit(page, { do: 'approve' });
      expect([relayState, returned.url.split('?')[0]]).toEqual([relayState, expected]);
      const { code } = Object.fromEntries(new URL(returned.url).searchParams);
      expect((await redeem(code)).status).toBe(400);
      const { body } = await exchange<{ profile: { email: string } }>(code);
      expect(body.profile.email).toBe('ada@acme.example');
    }
  });

  test('takes each assertion once, also of fifty parallel posts', async () => {
    const { connection, respond, bring } = await setUpAllowing();
    const response = await respond();
    const arrivals = await Promise.all(Array.from({ length: 50 }, () => bring(response)));
    const started = arrivals.filter(({ location }) => location.includes('/x/sso/continue'));
    expect(started).toHaveLength(1);
    const rejected = arrivals.filter(({ location }) => location.startsWith(`${REDIRECT_URI}?error=access_denied`));
    expect(rejected).toHaveLength(49);
    const { body } = await call<{ data: { error: { code: string } | null }[] }>(
      'GET',
      `/x/connections/${connection.id}/attempts?limit=100`,
    );
    expect(body.data.filter(({ error }) => error?.code === 'assertion_replayed')).toHaveLength(49);
  });

  test('rejects what is old, unsigned, of another, or names a request, and emits nothing', async () => {
    const { party, respond, bring } = await setUpAllowing();
    for (const response of [
      await respond({ now: (await now()) - 301_000 }),
      await respond({ signed: 'none' }),
      await respond({ privateKey: testPair('attacker').key }),
      await respond({ audience: 'https://evil.example' }),
      await respondTo(party),
    ]) {
      const { location } = await bring(response);
      expect(location).toContain(`${REDIRECT_URI}?error=server_error`);
    }
    const outside = await bring(await respond({}, 'ceo@victim.example'));
    const page = await outside.person.open(outside.location);
    const returned = readReturn(await outside.person.submit(page, { do: 'approve' }));
    expect(returned.error).toBe('profile_not_allowed_outside_organization');
    await idle();
    expect(await eventsNamed('authentication.sso_failed')).toHaveLength(1);
  });

  test('continues only in the browser that brought the response, and by the form of its page (login CSRF)', async () => {
    const { respond, bring } = await setUpAllowing();
    const { person, location } = await bring(await respond());
    const page = await person.open(location);
    expect((await browser().open(location)).status).toBe(400);
    expect((await browser().submit(page, { do: 'approve' })).status).toBe(400);
    expect((await person.submit(page, { do: 'approve', proof: 'guessed' })).status).toBe(400);
    const foreign = await person.request(`${(await service()).url}/x/sso/continue`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
      body: new URLSearchParams({
        state: new URL(location).searchParams.get('state') ?? '',
        proof: /name="proof" value="([^"]+)"/.exec(page.text)?.[1] ?? '',
        do: 'approve',
      }).toString(),
    });
    expect(foreign.status).toBe(400);
    expect(readReturn(await person.submit(page, { do: 'approve' })).code).toBeDefined();
    const late = await bring(await respond());
    const displayed = await late.person.open(late.location);
    await advance(601);
    expect((await late.person.submit(displayed, { do: 'approve' })).status).toBe(400);
  });
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
  const answered = await post(request.acsUrl, await respondTo(request), request.relayState);
  expect(readReturn(await returnTo(person, answered)).error).toBe('connection_unlinked');
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

test('a code of /sso/authorize is rejected by /user_management/authenticate', async () => {
  const { connection } = await setUp();
  const { code } = await signIn(await startUrl('/sso/authorize', { connection: connection.id }));
  expect((await redeem(code)).status).toBe(400);
});
