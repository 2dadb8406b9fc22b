import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, call, reset, sdk } from '../../support/service.ts';
import {
  EMAIL,
  pendingToken,
  withPassword,
  appCode,
  authenticate,
  authenticatePublicly,
  codeFor,
  type Grant,
  mailedCode,
  makeUser,
  organizationWith,
  otherEnvironment,
  registerRedirectUri,
  settings,
  vendor,
  wrongFor,
} from './inside.ts';

beforeEach(() => reset());

const verifyEmail = (token: string, code: string): Grant => ({
  grant_type: vendor('email-verification:code'),
  pending_authentication_token: token,
  code,
});
const selectOrganization = (token: string, organization_id: string): Grant => ({
  grant_type: vendor('organization-selection'),
  pending_authentication_token: token,
  organization_id,
});
const invalidToken = { status: 400, body: { code: 'invalid_pending_authentication_token' } };

describe('a pending sign-in', () => {
  test('can be continued once, within ten minutes, and only at its own step', async () => {
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const token = await pendingToken('organization_selection_required');
    expect(await authenticate(verifyEmail(token, '123456'))).toMatchObject(invalidToken);
    const responses = await Promise.all(Array.from({ length: 10 }, () => authenticate(selectOrganization(token, one))));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status } of responses) expect([200, 400, 429, 503]).toContain(status);
    await advance(61);
    expect(await authenticate(selectOrganization(token, one))).toMatchObject(invalidToken);
    const late = await pendingToken('organization_selection_required');
    await advance(601);
    expect(await authenticate(selectOrganization(late, one))).toMatchObject(invalidToken);
  });

  test('stays pending after an invalid choice, which opens no session', async () => {
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const { body: strange } = await call('POST', '/organizations', { name: 'Not theirs' });
    const token = await pendingToken('organization_selection_required');
    for (const wrong of [String(strange.id), '']) {
      const rejected = await authenticate(selectOrganization(token, wrong));
      expect(rejected).toMatchObject({ status: 400, body: { code: 'invalid_organization_id' } });
    }
    expect(await authenticate(selectOrganization(token, one))).toMatchObject({ status: 200 });
  });

  test('accepts ten attempts a minute from its user, counted over all steps', async () => {
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const token = await pendingToken('organization_selection_required');
    const tries = Array.from({ length: 30 }, () => authenticate(selectOrganization(token, 'org_none')));
    const codes = (await Promise.all(tries)).map(({ status, body }) => `${status} ${body.code}`);
    expect(codes).toContain('429 daily_quota_exceeded');
    await advance(61);
    expect(await authenticate(selectOrganization(token, one))).toMatchObject({ status: 200 });
  });

  test('is rejected after its sign-in method was disabled', async () => {
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const token = await pendingToken('organization_selection_required');
    await settings({ methods: { password: false } });
    expect(await authenticate(selectOrganization(token, one))).toMatchObject(invalidToken);
  });

  test('leaves an invitation to the environment pending until the organization is chosen', async () => {
    const { body: invitation } = await call('POST', '/user_management/invitations', { email: EMAIL });
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const state = async () => (await sdk().userManagement.getInvitation(String(invitation.id))).state;
    const token = await pendingToken('organization_selection_required', { invitation_token: invitation.token });
    expect(await state()).toBe('pending');
    expect(await authenticate(selectOrganization(token, one))).toMatchObject({
      status: 200,
      body: { organization_id: one },
    });
    expect(await state()).toBe('accepted');
  });

  test('offers no deleted organizations and none in which the user is not active', async () => {
    const id = await makeUser();
    const [one, two] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    await sdk().organizations.deleteOrganization(two);
    expect(await withPassword()).toMatchObject({ status: 200, body: { organization_id: one } });
    const { data } = await sdk().userManagement.listOrganizationMemberships({ userId: id, organizationId: one });
    await sdk().userManagement.deactivateOrganizationMembership(data[0]?.id ?? '');
    const response = await withPassword();
    expect(response.status).toBe(200);
    expect(response.body.organization_id).toBeUndefined();
  });

  test('is invalid after a change of the password', async () => {
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const token = await pendingToken('organization_selection_required');
    await sdk().userManagement.updateUser({ userId: id, password: 'another good password, number 8' });
    expect(await authenticate(selectOrganization(token, one))).toMatchObject(invalidToken);
  });

  test.each([
    ['PUT', (id: string) => call('PUT', `/user_management/users/${id}`, { email: 'other@example.com' })],
    [
      'a code that the new one was mailed',
      async (id: string) => {
        const path = `/user_management/users/${id}/email_change`;
        await call('POST', `${path}/send`, { new_email: 'other@example.com' });
        return call('POST', `${path}/confirm`, { code: await mailedCode('other@example.com') });
      },
    ],
  ])('is invalid after a change of the address by %s', async (_, change) => {
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const token = await pendingToken('organization_selection_required');
    expect((await change(id)).status).toBe(200);
    expect(await authenticate(selectOrganization(token, one))).toMatchObject(invalidToken);
  });

  test('is not accepted from a public client, or in another environment', async () => {
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const token = await pendingToken('organization_selection_required');
    const { status } = await authenticatePublicly(selectOrganization(token, one));
    expect(status).toBe(422);
    const there = await otherEnvironment();
    const elsewhere = await there.authenticate(selectOrganization(token, one));
    expect(elsewhere).toMatchObject(invalidToken);
    expect(await authenticate(selectOrganization(token, one))).toMatchObject({ status: 200 });
  });
});

describe('the verification of an address during a sign-in', () => {
  test('reports a wrong code, and accepts at most five attempts, even for parallel requests', async () => {
    await makeUser({ emailVerified: false });
    const token = await pendingToken('email_verification_required');
    const code = await mailedCode();
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => authenticate(verifyEmail(token, wrongFor(code)))),
    );
    const codes = responses.map(({ body }) => body.code);
    expect(codes.filter((own) => own === 'invalid_one_time_code').length).toBeLessThanOrEqual(5);
    for (const own of codes) {
      expect(['invalid_one_time_code', 'one_time_code_too_many_attempts', 'daily_quota_exceeded']).toContain(own);
    }
    await advance(61);
    const right = await authenticate(verifyEmail(token, code));
    expect(right).toMatchObject({ status: 400, body: { code: 'one_time_code_too_many_attempts' } });
  });

  test('accepts only the newest code', async () => {
    await makeUser({ emailVerified: false });
    const first = await pendingToken('email_verification_required');
    const firstCode = await mailedCode();
    await advance(61);
    const second = await pendingToken('email_verification_required');
    const secondCode = await mailedCode();
    if (firstCode !== secondCode) {
      expect(await authenticate(verifyEmail(first, firstCode))).toMatchObject({ status: 400 });
    }
    await advance(61);
    expect(await authenticate(verifyEmail(second, secondCode))).toMatchObject({ status: 200 });
    const third = await authenticate(verifyEmail(first, secondCode));
    expect(third).toMatchObject(invalidToken);
  });

  test('removes the factors that were enrolled before it', async () => {
    const id = await makeUser({ emailVerified: false });
    const enrolled = await call<{
      authentication_factor: { totp: { secret: string } };
      authentication_challenge: { id: string };
    }>('POST', `/user_management/users/${id}/auth_factors`, { type: 'totp' });
    const { authentication_factor: factor, authentication_challenge: challenge } = enrolled.body;
    const verified = await call('POST', `/auth/challenges/${challenge.id}/verify`, {
      code: await appCode(factor.totp.secret),
    });
    expect(verified.status).toBe(201);
    const token = await pendingToken('email_verification_required');
    expect(await authenticate(verifyEmail(token, await mailedCode()))).toMatchObject({ status: 200 });
    expect(await authenticate(verifyEmail(token, await mailedCode()))).toMatchObject(invalidToken);
    const { body } = await call<{ data: unknown[] }>('GET', `/user_management/users/${id}/auth_factors`);
    expect(body.data).toEqual([]);
  });
});

describe('a mailed code', () => {
  const magic = (code: string, members: Record<string, unknown> = {}) =>
    authenticate({ grant_type: vendor('magic-auth:code'), email: EMAIL, code, ...members });
  const sent = async (): Promise<string> => (await sdk().userManagement.createMagicAuth({ email: EMAIL })).code;

  test('is valid once, for ten minutes, and only until a newer code is sent', async () => {
    await makeUser();
    const first = await sent();
    expect(await magic(first)).toMatchObject({ status: 200, body: { authentication_method: 'MagicAuth' } });
    expect(await magic(first)).toMatchObject({ status: 400, body: { code: 'one_time_code_previously_used' } });
    const second = await sent();
    expect(await magic(wrongFor(second))).toMatchObject({ status: 400, body: { code: 'invalid_one_time_code' } });
    await advance(601);
    expect(await magic(second)).toMatchObject({ status: 400, body: { code: 'one_time_code_expired' } });
  });

  test('can be guessed five times by a hundred parallel requests; after that even the correct code is rejected', async () => {
    await makeUser();
    await call('PUT', '/x/authentication/settings', {});
    const code = await sent();
    const guesses = Array.from({ length: 100 }, (_, at) =>
      String((Number(code) + 1 + at) % 1_000_000).padStart(6, '0'),
    );
    const codes = (await Promise.all(guesses.map((guess) => magic(guess)))).map(({ body }) => body.code);
    const number = (code: string): number => codes.filter((own) => own === code).length;
    // A busy machine may reject some with 503: these are counted as attempts, and their codes are not compared.
    expect(number('invalid_one_time_code')).toBeLessThanOrEqual(5);
    // Ten attempts a minute are allowed for an address; further ones are not even counted for the code.
    expect(number('invalid_one_time_code') + number('one_time_code_too_many_attempts')).toBeLessThanOrEqual(10);
    expect(number('daily_quota_exceeded')).toBeGreaterThan(0);
    expect(codes).not.toContain(undefined);
    await advance(61);
    expect(await magic(code)).toMatchObject({ status: 400, body: { code: 'one_time_code_too_many_attempts' } });
  });

  test('signs in once, even if it is entered many times in parallel', async () => {
    const id = await makeUser();
    const code = await sent();
    const responses = await Promise.all(Array.from({ length: 9 }, () => magic(code)));
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status } of responses) expect([200, 400, 503]).toContain(status);
    expect((await sdk().userManagement.listSessions(id)).data.length).toBeLessThanOrEqual(1);
  });

  test('does not sign in if the sign-in method is disabled', async () => {
    await makeUser();
    const code = await sent();
    await settings({ methods: { magic_auth: false } });
    expect(await magic(code)).toMatchObject({ status: 403, body: { code: 'authentication_method_not_allowed' } });
    await settings({ methods: { password: false } });
    expect(await withPassword()).toMatchObject({ status: 403, body: { code: 'email_password_auth_disabled' } });
  });

  test('for an address that its user no longer has creates no user if sign-up is disabled', async () => {
    const userId = await makeUser();
    const code = await sent();
    await sdk().userManagement.updateUser({ userId, email: 'moved@example.com' });
    await settings({ sign_up: false });
    expect(await magic(code)).toMatchObject({ status: 400, body: { error: 'sign_up_not_allowed' } });
    await settings({});
    const response = await magic(code);
    expect(response).toMatchObject({ status: 200, body: { user: { email: EMAIL, email_verified: true } } });
    expect((response.body.user as { id: string }).id).not.toBe(userId);
  });

  test('continues only a pending sign-in of the same user', async () => {
    const id = await makeUser();
    await registerRedirectUri();
    const other = await makeUser({ email: 'bob@example.com' });
    const theirs = await codeFor(other);
    const oauthTokens = { provider: 'GoogleOAuth', accessToken: 'a', refreshToken: 'r', expiresAt: 1, scopes: [] };
    const own = await codeFor(id, {}, { method: 'oauth', provider: 'GoogleOAuth', oauthTokens });
    const code = await sent();
    const rejected = { status: 400, body: { error: 'invalid_link_authorization_code' } };
    expect(await magic(code, { link_authorization_code: theirs })).toMatchObject(rejected);
    expect(await magic(code, { link_authorization_code: 'none' })).toMatchObject(rejected);
    const response = await magic(code, { link_authorization_code: own });
    expect(response).toMatchObject({ status: 200, body: { oauth_tokens: { access_token: 'a' } } });
    expect(await authenticate({ grant_type: 'authorization_code', code: own })).toMatchObject({ status: 400 });
    expect(await authenticate({ grant_type: 'authorization_code', code: theirs })).toMatchObject({ status: 200 });
    const again = await sent();
    expect(await magic(again, { link_authorization_code: own })).toMatchObject(rejected);
    const late = await codeFor(id);
    await advance(601);
    expect(await magic(await sent(), { link_authorization_code: late })).toMatchObject(rejected);
  });
});
