import { beforeEach, describe, expect, test } from '@jest/globals';

import { call, reset, sdk, service } from '../../support/service.ts';

const PASSWORD = 'quiet-Lantern-84-under-oak';
const COOKIE_PASSWORD = 'a cookie password of more than 32 characters';

beforeEach(() => reset());

/** Signs a new user in with the official SDK, which seals the answer into a cookie. */
async function signIn(email = 'ada@example.com') {
  const user = await sdk().userManagement.createUser({
    email,
    password: PASSWORD,
    emailVerified: true,
    firstName: 'Ada',
  });
  const answer = await sdk().userManagement.authenticateWithPassword({
    clientId: (await service()).clientId,
    email,
    password: PASSWORD,
    session: { sealSession: true, cookiePassword: COOKIE_PASSWORD },
  });
  return { user, answer };
}

const load = (sessionData: string) =>
  sdk().userManagement.loadSealedSession({ sessionData, cookiePassword: COOKIE_PASSWORD });

describe('a sealed session of the official SDK', () => {
  test('authenticates against the published keys', async () => {
    const { user, answer } = await signIn();
    const authenticated = await load(answer.sealedSession ?? '').authenticate();
    expect(authenticated).toMatchObject({ authenticated: true, user: { id: user.id, email: user.email } });
    expect(await load('nonsense').authenticate()).toMatchObject({ authenticated: false });
  });

  test('refreshes, many times at once, into sessions that all work', async () => {
    const { answer } = await signIn();
    const refreshed = await Promise.all(
      Array.from({ length: 10 }, () => load(answer.sealedSession ?? '').refresh({ cookiePassword: COOKIE_PASSWORD })),
    );
    for (const one of refreshed) {
      if (!one.authenticated) throw new Error(`refused: ${one.reason}`);
      expect(await load(one.sealedSession ?? '').authenticate()).toMatchObject({ authenticated: true });
    }
    const tokens = refreshed.map((one) => (one.authenticated ? one.session?.refreshToken : undefined));
    expect(new Set(tokens).size).toBe(1);
  });

  test('carries the claims of the JWT template', async () => {
    const content = '{"name": {{ user.first_name }}}';
    expect((await call('PUT', '/user_management/jwt_template', { content })).status).toBe(200);
    const { answer } = await signIn();
    const claims = JSON.parse(Buffer.from(answer.accessToken.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ name: 'Ada' });
  });

  test('ends with the logout address that it gives', async () => {
    const { user, answer } = await signIn();
    const session = load(answer.sealedSession ?? '');
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

  test('ends when its session is revoked', async () => {
    const { user, answer } = await signIn();
    const [session] = (await sdk().userManagement.listSessions(user.id)).data;
    expect(session).toMatchObject({ object: 'session', userId: user.id, status: 'active', authMethod: 'password' });
    await sdk().userManagement.revokeSession({ sessionId: session?.id ?? '' });
    const refreshed = await load(answer.sealedSession ?? '').refresh({ cookiePassword: COOKIE_PASSWORD });
    expect(refreshed).toMatchObject({ authenticated: false, reason: 'invalid_grant' });
  });
});
