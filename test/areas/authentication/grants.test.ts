import { beforeEach, describe, expect, test } from '@jest/globals';
import { AuthenticationException } from '@workos-inc/node';
import { decodeJwt } from 'jose';

import { call, reset, sdk, service } from '../../support/service.ts';
import {
  appCode,
  authenticate,
  codeFor,
  decide,
  mailedCode,
  makeUser,
  organizationWith,
  PASSWORD,
  pkce,
  registerRedirectUri,
  settings,
  vendor,
} from './inside.ts';

beforeEach(async () => {
  await reset();
});

const clientId = async () => (await service()).clientId;

/** The error of a rejected call of the SDK. */
interface Raw {
  rawData: Record<string, unknown> & { pending_authentication_token: string };
}

/** The continuation with which a call of the SDK is rejected. */
async function continuation(attempt: Promise<unknown>): Promise<{ code: string | undefined } & Raw['rawData']> {
  const error = await attempt.then(
    () => undefined,
    (rejected: unknown) => rejected,
  );
  expect(error).toBeInstanceOf(AuthenticationException);
  const { code, rawData } = error as AuthenticationException & Raw;
  return { ...rawData, code };
}

describe('a malformed body', () => {
  test.each([
    ['no JSON', '{', 'application/json'],
    ['empty', ' ', 'application/json'],
    ['a member twice', 'grant_type=password&grant_type=password', 'application/x-www-form-urlencoded'],
    ['of another type', '<a/>', 'application/xml'],
  ])('is rejected with an OAuth error: %s', async (_, rawBody, type) => {
    const options = { rawBody, headers: { 'content-type': type } };
    const { status, body } = await call('POST', '/user_management/authenticate', undefined, options);
    expect({ status, body }).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.any(String) },
    });
  });
});

describe('with the official SDK', () => {
  test('a password signs in, with the client address and user agent that the back end forwards', async () => {
    const id = await makeUser();
    const response = await sdk().userManagement.authenticateWithPassword({
      clientId: await clientId(),
      email: 'Ada@Example.com',
      password: PASSWORD,
      ipAddress: '203.0.113.7',
      userAgent: 'a browser',
    });
    expect(response).toMatchObject({ user: { id, email: 'ada@example.com' }, authenticationMethod: 'Password' });
    expect(response.user.lastSignInAt).not.toBeNull();
    const { sid, sub, client_id, iss } = decodeJwt(response.accessToken);
    expect({ sub, client_id }).toEqual({ sub: id, client_id: await clientId() });
    expect(iss).toContain(await clientId());
    const { data } = await sdk().userManagement.listSessions(id);
    expect(data).toMatchObject([{ id: sid, ipAddress: '203.0.113.7', userAgent: 'a browser', authMethod: 'password' }]);
  });

  test('a code signs in a confidential client with its secret, and a public client with its verifier', async () => {
    const id = await makeUser();
    await registerRedirectUri();
    const confidential = await sdk().userManagement.authenticateWithCode({
      clientId: await clientId(),
      code: await codeFor(id),
    });
    expect(confidential).toMatchObject({ user: { id }, authenticationMethod: 'Password' });
    const { verifier, challenge } = pkce();
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' };
    const open = await sdk().userManagement.authenticateWithCodeAndVerifier({
      clientId: await clientId(),
      code: await codeFor(id, asked),
      codeVerifier: verifier,
    });
    expect(open.user.id).toBe(id);
    const both = await sdk().userManagement.authenticateWithCode({
      clientId: await clientId(),
      code: await codeFor(id, asked),
      codeVerifier: verifier,
    });
    expect(both.user.id).toBe(id);
  });

  test('a provider’s tokens and name are returned with the code', async () => {
    const id = await makeUser();
    await registerRedirectUri();
    const oauthTokens = {
      provider: 'GoogleOAuth',
      accessToken: 'theirs',
      refreshToken: 'theirs too',
      expiresAt: 1_900_000_000,
      scopes: ['email'],
    };
    const code = await codeFor(id, {}, { method: 'oauth', provider: 'GoogleOAuth', oauthTokens });
    const response = await sdk().userManagement.authenticateWithCode({ clientId: await clientId(), code });
    expect(response).toMatchObject({
      authenticationMethod: 'GoogleOAuth',
      oauthTokens: { accessToken: 'theirs', refreshToken: 'theirs too' },
    });
    const { refreshToken } = response;
    const next = await sdk().userManagement.authenticateWithRefreshToken({ clientId: await clientId(), refreshToken });
    expect(next.authenticationMethod).toBe('GoogleOAuth');
  });

  test('a refresh token returns the next one of the same session, in another organization if the request names one', async () => {
    const id = await makeUser();
    const one = await organizationWith(id, 'One');
    const first = await sdk().userManagement.authenticateWithPassword({
      clientId: await clientId(),
      email: 'ada@example.com',
      password: PASSWORD,
    });
    expect(first.organizationId).toBe(one);
    expect(decodeJwt(first.accessToken)).toMatchObject({ org_id: one, role: 'member', roles: ['member'] });
    const two = await organizationWith(id, 'Two');
    const next = await sdk().userManagement.authenticateWithRefreshToken({
      clientId: await clientId(),
      refreshToken: first.refreshToken,
      organizationId: two,
    });
    expect(next.refreshToken).not.toBe(first.refreshToken);
    expect(next.organizationId).toBe(two);
    expect(decodeJwt(next.accessToken)).toMatchObject({ sid: decodeJwt(first.accessToken).sid, org_id: two });
  });

  test('a mailed code signs in, and creates a new user if necessary', async () => {
    const { code } = await sdk().userManagement.createMagicAuth({ email: 'new@example.com' });
    const response = await sdk().userManagement.authenticateWithMagicAuth({
      clientId: await clientId(),
      email: 'new@example.com',
      code,
    });
    expect(response).toMatchObject({
      user: { email: 'new@example.com', emailVerified: true },
      authenticationMethod: 'MagicAuth',
    });
  });

  test('an unverified address is verified by a mailed code, and the password from that sign-up stays valid', async () => {
    const id = await makeUser({ emailVerified: false });
    const password = { clientId: await clientId(), email: 'ada@example.com', password: PASSWORD };
    const asked = await continuation(sdk().userManagement.authenticateWithPassword(password));
    expect(asked).toMatchObject({
      code: 'email_verification_required',
      email: 'ada@example.com',
      email_verification_id: expect.stringMatching(/^email_verification_/) as unknown as string,
    });
    const response = await sdk().userManagement.authenticateWithEmailVerification({
      clientId: await clientId(),
      code: await mailedCode(),
      pendingAuthenticationToken: asked.pending_authentication_token,
    });
    expect(response.user).toMatchObject({ id, emailVerified: true });
    await expect(sdk().userManagement.authenticateWithPassword(password)).resolves.toMatchObject({ user: { id } });
  });

  test('a user with a second factor is challenged, and a user who needs one enrolls it during the sign-in', async () => {
    const id = await makeUser();
    await settings({ mfa: 'required' });
    const password = { clientId: await clientId(), email: 'ada@example.com', password: PASSWORD };
    const enrolling = await continuation(sdk().userManagement.authenticateWithPassword(password));
    expect(enrolling).toMatchObject({ code: 'mfa_enrollment', user: { id } });
    const { authenticationFactor, authenticationChallenge } = await sdk().multiFactorAuth.createUserAuthFactor({
      userId: id,
      type: 'totp',
    });
    const { secret } = authenticationFactor.totp;
    const enrolled = await sdk().userManagement.authenticateWithTotp({
      clientId: await clientId(),
      code: await appCode(secret),
      pendingAuthenticationToken: enrolling.pending_authentication_token,
      authenticationChallengeId: authenticationChallenge.id,
    });
    expect(enrolled.user.id).toBe(id);

    const challenged = await continuation(sdk().userManagement.authenticateWithPassword(password));
    expect(challenged).toMatchObject({
      code: 'mfa_challenge',
      authentication_challenge: { authentication_factor_id: authenticationFactor.id },
      authentication_factors: [{ id: authenticationFactor.id, type: 'totp' }],
      user: { id },
    });
    expect(JSON.stringify(challenged)).not.toContain(secret);
  });

  test('a user with several organizations chooses one', async () => {
    const id = await makeUser();
    const [one, two] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const asked = await continuation(
      sdk().userManagement.authenticateWithPassword({
        clientId: await clientId(),
        email: 'ada@example.com',
        password: PASSWORD,
      }),
    );
    expect(asked.code).toBe('organization_selection_required');
    expect(asked.organizations).toEqual(
      expect.arrayContaining([
        { id: one, name: 'One' },
        { id: two, name: 'Two' },
      ]),
    );
    const response = await sdk().userManagement.authenticateWithOrganizationSelection({
      clientId: await clientId(),
      pendingAuthenticationToken: asked.pending_authentication_token,
      organizationId: two,
    });
    expect(response.organizationId).toBe(two);
  });

  test('sealed sessions can be unsealed and refreshed, and a revoked session is detected', async () => {
    const id = await makeUser();
    const cookiePassword = 'a password of thirty-two characters';
    const { sealedSession = '' } = await sdk().userManagement.authenticateWithPassword({
      clientId: await clientId(),
      email: 'ada@example.com',
      password: PASSWORD,
      session: { sealSession: true, cookiePassword },
    });
    const cookie = sdk().userManagement.loadSealedSession({ sessionData: sealedSession, cookiePassword });
    const opened = await cookie.authenticate();
    expect(opened).toMatchObject({ authenticated: true, user: { id } });
    expect(await cookie.refresh()).toMatchObject({ authenticated: true, user: { id } });
    expect(await cookie.authenticate()).toMatchObject({ authenticated: true });
    if (!opened.authenticated) throw new Error('not authenticated');
    await sdk().userManagement.revokeSession({ sessionId: opened.sessionId });
    expect(await cookie.refresh()).toMatchObject({ authenticated: false, reason: 'invalid_grant' });
  });
});

describe('every grant', () => {
  test('is accepted as a form body, and with any vendor prefix in the grant type', async () => {
    const id = await makeUser();
    const { apiKey } = await service();
    const form = new URLSearchParams({
      grant_type: 'password',
      client_id: await clientId(),
      client_secret: apiKey,
      email: 'ada@example.com',
      password: PASSWORD,
    });
    const response = await call('POST', '/user_management/authenticate', undefined, {
      apiKey: null,
      rawBody: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(response).toMatchObject({ status: 200, body: { user: { id } } });
    const { code } = await sdk().userManagement.createMagicAuth({ email: 'ada@example.com' });
    const other = await authenticate({
      grant_type: vendor('magic-auth:code', 'gatehouse'),
      email: 'ada@example.com',
      code,
    });
    expect(other).toMatchObject({ status: 200, body: { user: { id } } });
  });

  test('signs in a device only after its approval', async () => {
    const id = await makeUser();
    const asked = await call<{ device_code: string; user_code: string }>(
      'POST',
      '/user_management/authorize/device',
      { client_id: await clientId() },
      { apiKey: null },
    );
    await decide(asked.body.user_code, id, 'approve');
    const body = { client_id: await clientId(), device_code: asked.body.device_code };
    const polled = await call(
      'POST',
      '/user_management/authenticate',
      { ...body, grant_type: 'urn:ietf:params:oauth:grant-type:device_code' },
      { apiKey: null },
    );
    expect(polled).toMatchObject({ status: 200, body: { user: { id }, authentication_method: 'Password' } });
  });
});
