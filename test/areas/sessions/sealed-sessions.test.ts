import { beforeEach, describe, expect, test } from '@jest/globals';

import { DomainDataState } from '@workos-inc/node';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';

import { receiver } from '../../support/receiver.ts';
import { call, reset, sdk, service } from '../../support/service.ts';

const PASSWORD = 'quiet-Lantern-84-under-oak';
const COOKIE_PASSWORD = 'a cookie password of more than 32 characters';

beforeEach(() => reset());

/** Signs a new user in with the official SDK, which encrypts the response into a cookie. */
async function signIn(email = 'ada@example.com', organizationId?: string) {
  const user = await sdk().userManagement.createUser({
    email,
    password: PASSWORD,
    emailVerified: true,
    firstName: 'Ada',
  });
  if (organizationId !== undefined)
    await sdk().userManagement.createOrganizationMembership({ userId: user.id, organizationId });
  const response = await sdk().userManagement.authenticateWithPassword({
    clientId: (await service()).clientId,
    email,
    password: PASSWORD,
    session: { sealSession: true, cookiePassword: COOKIE_PASSWORD },
  });
  return { user, response };
}

const load = (sessionData: string) =>
  sdk().userManagement.loadSealedSession({ sessionData, cookiePassword: COOKIE_PASSWORD });

describe('a sealed session of the official SDK', () => {
  test('authenticates with the published keys', async () => {
    const { user, response } = await signIn();
    const authenticated = await load(response.sealedSession ?? '').authenticate();
    expect(authenticated).toMatchObject({ authenticated: true, user: { id: user.id, email: user.email } });
    expect(await load('nonsense').authenticate()).toMatchObject({ authenticated: false });
  });

  test('can be refreshed in parallel, and all resulting sessions work', async () => {
    const { response } = await signIn();
    const refreshed = await Promise.all(
      Array.from({ length: 10 }, () => load(response.sealedSession ?? '').refresh({ cookiePassword: COOKIE_PASSWORD })),
    );
    for (const one of refreshed) {
      if (!one.authenticated) throw new Error(`refused: ${one.reason}`);
      expect(await load(one.sealedSession ?? '').authenticate()).toMatchObject({ authenticated: true });
    }
    const tokens = refreshed.map((one) => (one.authenticated ? one.session?.refreshToken : undefined));
    expect(new Set(tokens).size).toBe(1);
  });

  test('has the claims of the JWT template, with user and organization in the form of the API', async () => {
    const content =
      '{"name": {{ user.first_name }}, "tier": {{ organization.metadata.tier }}, "crm": {{ organization.external_id }}, ' +
      '"domain": {{ organization.domains[0].domain }}, "status": {{ organization_membership.status }}}';
    expect((await call('PUT', '/user_management/jwt_template', { content })).status).toBe(200);
    const { id } = await sdk().organizations.createOrganization({
      name: 'Acme',
      externalId: 'crm-7',
      metadata: { tier: 'gold' },
      domainData: [{ domain: 'acme.example', state: DomainDataState.Verified }],
    });
    const { response } = await signIn(undefined, id);
    const { clientId } = await service();
    const { refreshToken } = response;
    const refreshed = await sdk().userManagement.authenticateWithRefreshToken({ clientId, refreshToken });
    const custom = { name: 'Ada', tier: 'gold', crm: 'crm-7', domain: 'acme.example', status: 'active' };
    for (const { accessToken } of [response, refreshed]) expect(decodeJwt(accessToken)).toMatchObject(custom);
  });

  test('is ended by its logout URL', async () => {
    const { user, response } = await signIn();
    const session = load(response.sealedSession ?? '');
    const address = new URL(await session.getLogoutUrl());
    expect((await sdk().userManagement.listSessions(user.id)).data).toHaveLength(1);
    const loggedOut = await call('GET', `${address.pathname}${address.search}`, undefined, { apiKey: null });
    expect([200, 302]).toContain(loggedOut.status);
    expect((await sdk().userManagement.listSessions(user.id)).data).toEqual([]);
    expect(await session.refresh({ cookiePassword: COOKIE_PASSWORD })).toMatchObject({
      authenticated: false,
      reason: 'invalid_grant',
    });
  });

  test('is invalid after its session is revoked', async () => {
    const { user, response } = await signIn();
    const [session] = (await sdk().userManagement.listSessions(user.id)).data;
    expect(session).toMatchObject({ object: 'session', userId: user.id, status: 'active', authMethod: 'password' });
    await sdk().userManagement.revokeSession({ sessionId: session?.id ?? '' });
    const refreshed = await load(response.sealedSession ?? '').refresh({ cookiePassword: COOKIE_PASSWORD });
    expect(refreshed).toMatchObject({ authenticated: false, reason: 'invalid_grant' });
  });
});

test('the events of a session reach a webhook endpoint without secrets', async () => {
  const hook = await receiver();
  const events = ['session.created', 'session.revoked'];
  expect((await call('POST', '/webhook_endpoints', { endpoint_url: hook.url, events })).status).toBe(201);
  const { user, response } = await signIn();
  const [session] = (await sdk().userManagement.listSessions(user.id)).data;
  await sdk().userManagement.revokeSession({ sessionId: session?.id ?? '' });
  const received = await hook.until(2);
  const sent = received.map(({ body }) => JSON.parse(body) as { event: string; data: Record<string, unknown> });
  expect(sent.map(({ event }) => event).sort()).toEqual(events);
  for (const { event, data } of sent) {
    expect(data).toMatchObject({
      object: 'session',
      id: session?.id,
      user_id: user.id,
      status: event === 'session.created' ? 'active' : 'revoked',
    });
  }
  for (const { body } of received) expect(body).not.toContain(response.refreshToken.slice(-43));
});

test('fifty parallel refreshes of one token return the same successor, and write one row', async () => {
  const { user, response } = await signIn();
  const { url, clientId, apiKey } = await service();
  const refresh = (refresh_token: string) =>
    call('POST', '/user_management/authenticate', {
      grant_type: 'refresh_token',
      client_id: clientId,
      client_secret: apiKey,
      refresh_token,
    });
  const responses = await Promise.all(Array.from({ length: 50 }, () => refresh(response.refreshToken)));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  const successors = new Set(responses.map(({ body }) => String(body.refresh_token)));
  expect(successors.size).toBe(1);
  const keys = createRemoteJWKSet(new URL(`${url}/sso/jwks/${clientId}`));
  for (const { body } of responses) {
    const { payload } = await jwtVerify(String(body.access_token), keys, { algorithms: ['RS256'], audience: clientId });
    expect(payload.sub).toBe(user.id);
  }
  const ids = responses.map(({ body }) => String(body.access_token).split('.')[1]);
  expect(new Set(ids).size).toBe(50);
  const [successor = ''] = successors;
  expect((await refresh(successor)).status).toBe(200);
  expect((await sdk().userManagement.listSessions(user.id)).data).toHaveLength(1);
});

test('a reset of the local service keeps the signing keys, so that cached ones stay valid', async () => {
  await signIn();
  const path = `/sso/jwks/${(await service()).clientId}`;
  const before = await call<{ keys: { kid: string }[] }>('GET', path);
  await reset();
  expect((await call<{ keys: { kid: string }[] }>('GET', path)).body).toEqual(before.body);
  const { response } = await signIn();
  expect(await load(response.sealedSession ?? '').authenticate()).toMatchObject({ authenticated: true });
});
