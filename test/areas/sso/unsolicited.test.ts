import { beforeEach, describe, expect, test } from '@jest/globals';

import type { IssuedResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import { browser } from '../../support/browser.ts';
import { testPair } from '../../support/certificates.ts';
import { advance, call, idle, now, reset, service } from '../../support/service.ts';
import {
  exchange,
  post,
  readReturn,
  REDIRECT_URI,
  redeem,
  respondTo,
  returnTo,
  setUp,
  startUrl,
  toProvider,
} from './identity-provider.ts';
import { eventsNamed } from './support.ts';

beforeEach(() => reset({ calm: true }));

test('an unsolicited response does not sign in the user: the browser is redirected to the provider again, and only to registered addresses', async () => {
  const { connection } = await setUp();
  const { clientId } = await service();
  const request = await toProvider(await startUrl('/sso/authorize', { connection: connection.id }));
  const unsolicited = await respondTo({ ...request, requestId: '' });
  for (const relayState of ['', 'https://evil.example/', `redirect_uri=https://evil.example/&client_id=${clientId}`]) {
    const response = await post(request.acsUrl, unsolicited, relayState);
    const person = browser();
    const again = await toProvider(response.headers.get('location') ?? '', person);
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
  const response = await post(request.acsUrl, await respondTo(request), '');
  const location = new URL(response.headers.get('location') ?? '');
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
      const received = await post(party.acsUrl, response, relayState, person);
      expect(received.status).toBe(303);
      return { person, location: received.headers.get('location') ?? '' };
    };
    /** Posts a response and opens the address of its redirect: the page that asks to confirm the sign-in, or the application. */
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

  test('returns the kind of code in the settings, to the redirect URI of RelayState only if it is registered', async () => {
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

  test('accepts each assertion only once, also in fifty parallel requests', async () => {
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

  test('rejects a response that is expired, unsigned, for another recipient, or names a request, and emits no event', async () => {
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

  test('continues only in the browser that posted the response, and only with the form of its page (login CSRF)', async () => {
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
