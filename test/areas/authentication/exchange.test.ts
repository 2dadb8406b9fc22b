import { beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { newId } from '../../../functions/kernel/ids.ts';
import { advance, call, reset, sdk, service } from '../../support/service.ts';
import { writeMembership } from '../../support/user-rows.ts';
import { open, type Opening } from '../sessions/inside.ts';
import {
  authenticate,
  authenticatePublicly,
  codeFor,
  environment,
  makeUser,
  organizationWith,
  otherEnvironment,
  PASSWORD,
  pkce,
  REDIRECT_URI,
  registerRedirectUri,
  settings,
  vendor,
} from './inside.ts';

beforeEach(async () => {
  await reset();
  await registerRedirectUri();
});

const exchange = (members: Record<string, unknown>) => authenticate({ grant_type: 'authorization_code', ...members });
const exchangePublicly = (members: Record<string, unknown>) =>
  authenticatePublicly({ grant_type: 'authorization_code', ...members });
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('an authorization code with a PKCE challenge', () => {
  test('is exchanged only with its own verifier, even by a client that sends its secret', async () => {
    const id = await makeUser();
    const { verifier, challenge } = pkce();
    const code = await codeFor(id, { code_challenge: challenge, code_challenge_method: 'S256' });
    expect(await exchange({ code })).toMatchObject(invalidGrant);
    expect(await exchangePublicly({ code })).toMatchObject(invalidGrant);
    expect(await exchange({ code, code_verifier: pkce().verifier })).toMatchObject(invalidGrant);
    // The challenge itself is not a verifier, since the method `plain` is not supported.
    expect(await exchange({ code, code_verifier: challenge })).toMatchObject(invalidGrant);
    expect(await exchange({ code, code_verifier: 'short' })).toMatchObject(invalidGrant);
    expect(await exchangePublicly({ code, code_verifier: verifier })).toMatchObject({ status: 200 });
  });

  test('is rejected in another sign-in (code injection)', async () => {
    const id = await makeUser();
    const [theirs, thiefs] = [pkce(), pkce()];
    const stolen = await codeFor(id, { code_challenge: theirs.challenge, code_challenge_method: 'S256' });
    expect(await exchangePublicly({ code: stolen, code_verifier: thiefs.verifier })).toMatchObject(invalidGrant);
  });
});

describe('an authorization code without a PKCE challenge', () => {
  test('is exchanged only with the client secret, and rejected with a verifier (PKCE downgrade)', async () => {
    const id = await makeUser();
    const code = await codeFor(id);
    expect(await exchangePublicly({ code })).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    expect(await exchangePublicly({ code, code_verifier: pkce().verifier })).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
    expect(await exchange({ code, code_verifier: pkce().verifier })).toMatchObject({
      status: 400,
      body: { code: 'code_challenge_not_found' },
    });
    expect(await exchange({ code })).toMatchObject({ status: 200 });
  });
});

describe('an authorization code', () => {
  test('is valid for ten minutes, with its own redirect URI', async () => {
    const id = await makeUser();
    const code = await codeFor(id);
    const elsewhere = 'https://app.example.com/other';
    expect(await exchange({ code, redirect_uri: elsewhere })).toMatchObject(invalidGrant);
    expect(await exchange({ code, redirect_uri: REDIRECT_URI })).toMatchObject({ status: 200 });
    const late = await codeFor(id);
    await advance(601);
    expect(await exchange({ code: late })).toMatchObject(invalidGrant);
  });

  test('that is used twice revokes its session, but only if the client authenticates', async () => {
    const id = await makeUser();
    const code = await codeFor(id);
    const first = await exchange({ code });
    const refresh = () => authenticate({ grant_type: 'refresh_token', refresh_token: first.body.refresh_token });
    expect(await exchangePublicly({ code })).toMatchObject({ status: 400, body: { error: 'unauthorized_client' } });
    expect(await refresh()).toMatchObject({ status: 200 });
    expect(await exchange({ code })).toMatchObject(invalidGrant);
    expect(await refresh()).toMatchObject(invalidGrant);
    const { data } = await sdk().userManagement.listSessions(id);
    expect(data).toEqual([]);
  });

  test('that is exchanged fifty times in parallel opens one session, which the repeated exchanges revoke', async () => {
    const id = await makeUser();
    const code = await codeFor(id);
    const responses = await Promise.all(Array.from({ length: 50 }, () => exchange({ code })));
    const opened = responses.filter(({ status }) => status === 200);
    expect(opened.length).toBeLessThanOrEqual(1);
    for (const { status } of responses) expect([200, 400, 503]).toContain(status);
    expect(await exchange({ code })).toMatchObject(invalidGrant);
    const token = opened[0]?.body.refresh_token ?? 'none';
    expect(await authenticate({ grant_type: 'refresh_token', refresh_token: token })).toMatchObject(invalidGrant);
  });

  test('that is unknown, changed or from another environment gets the same response', async () => {
    const id = await makeUser();
    const code = await codeFor(id);
    const changed = code.slice(0, -7) + (code.at(-7) === 'a' ? 'b' : 'a') + code.slice(-6);
    const responses = await Promise.all([
      exchange({ code: changed }),
      exchange({ code: 'none' }),
      exchange({ code: '' }),
    ]);
    for (const response of responses) expect(response).toMatchObject(invalidGrant);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  test('is invalidated by a new password and by disabling its sign-in method', async () => {
    const id = await makeUser();
    const [before, after] = [await codeFor(id), 'another good password, number 8'];
    await sdk().userManagement.updateUser({ userId: id, password: after });
    expect(await exchange({ code: before })).toMatchObject(invalidGrant);
    const code = await codeFor(id);
    await settings({ methods: { password: false } });
    expect(await exchange({ code })).toMatchObject({
      status: 400,
      body: { error: 'authentication_method_not_allowed' },
    });
  });

  test('of a removed member opens no session', async () => {
    const id = await makeUser();
    const organizationId = await organizationWith(id, 'Acme');
    const code = await codeFor(id, {}, { organizationId });
    const { data } = await sdk().userManagement.listOrganizationMemberships({ userId: id });
    await sdk().userManagement.deactivateOrganizationMembership(data[0]?.id ?? '');
    expect(await exchange({ code })).toMatchObject(invalidGrant);
  });
});

/** A deleted organization whose membership rows are still there: they are removed later. */
async function deletedOrganization(userId: string): Promise<string> {
  const organizationId = newId('org');
  await writeMembership(await environment(), { userId, organizationId });
  return organizationId;
}

describe('a deleted organization', () => {
  test('cannot be signed in to with a code that was issued before', async () => {
    const id = await makeUser();
    const code = await codeFor(id, {}, { organizationId: await deletedOrganization(id) });
    expect(await exchange({ code })).toMatchObject(invalidGrant);
  });

  test('has no sessions that can be refreshed or switched to it', async () => {
    const id = await makeUser();
    const organizationId = await deletedOrganization(id);
    const [within, without] = [{ userId: id, organizationId }, { userId: id }];
    const [inside, outside] = [await open(await environment(), within), await open(await environment(), without)];
    const refresh = ({ refreshToken }: { refreshToken: string }, members: Record<string, unknown> = {}) =>
      authenticate({ grant_type: 'refresh_token', refresh_token: refreshToken, ...members });
    expect(await refresh(inside)).toMatchObject(invalidGrant);
    const moved = await refresh(outside, { organization_id: organizationId });
    expect(moved).toMatchObject({ status: 400, body: { error: 'organization_not_found' } });
  });
});

describe('a refresh token exchange', () => {
  const refresh = async (members: Opening) => {
    const { refreshToken } = await open(await environment(), members);
    return authenticate({ grant_type: 'refresh_token', refresh_token: refreshToken });
  };

  // A change of the password and one of the email also revoke the sessions, so the tests imitate sessions that were missed.
  test('checks again that the user and the membership are active', async () => {
    expect(await refresh({ userId: newId('user') })).toMatchObject(invalidGrant);
    const userId = await makeUser();
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const organizationId = String(organization.id);
    expect(await refresh({ userId, organizationId })).toMatchObject(invalidGrant);
    await writeMembership(await environment(), { userId, organizationId }, 'inactive');
    expect(await refresh({ userId, organizationId })).toMatchObject(invalidGrant);
  });

  test('requires no second factor from a user who signed in by single sign-on, even if the environment requires one', async () => {
    const userId = await makeUser();
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const organizationId = String(organization.id);
    await writeMembership(await environment(), { userId, organizationId });
    await settings({ mfa: 'required' });
    expect(await refresh({ userId, organizationId, authMethod: 'sso' })).toMatchObject({ status: 200 });
    expect(await refresh({ userId })).toMatchObject({ status: 400, body: { error: 'mfa_enrollment' } });
  });
});

describe('a session', () => {
  test('is refreshed only by the kind of client that opened it', async () => {
    const id = await makeUser();
    const { verifier, challenge } = pkce();
    const code = await codeFor(id, { code_challenge: challenge, code_challenge_method: 'S256' });
    const open = await exchangePublicly({ code, code_verifier: verifier });
    const closed = await exchange({ code: await codeFor(id) });
    const asPublic = (token: unknown) => authenticatePublicly({ grant_type: 'refresh_token', refresh_token: token });
    const asConfidential = (token: unknown) => authenticate({ grant_type: 'refresh_token', refresh_token: token });
    expect(await asConfidential(open.body.refresh_token)).toMatchObject(invalidGrant);
    expect(await asPublic(closed.body.refresh_token)).toMatchObject(invalidGrant);
    expect(await asPublic(open.body.refresh_token)).toMatchObject({ status: 200 });
    expect(await asConfidential(closed.body.refresh_token)).toMatchObject({ status: 200 });
  });

  test('of a public client has the source address of the request, whatever address the body contains', async () => {
    const id = await makeUser();
    const { verifier, challenge } = pkce();
    const code = await codeFor(id, { code_challenge: challenge, code_challenge_method: 'S256' });
    const clientMembers = { ip_address: '203.0.113.7', user_agent: 'somebody else’s' };
    expect(await exchangePublicly({ code, code_verifier: verifier, ...clientMembers })).toMatchObject({ status: 200 });
    const [session] = (await sdk().userManagement.listSessions(id)).data;
    expect(session).toMatchObject({ ipAddress: '127.0.0.1' });
    expect(session?.userAgent).not.toBe('somebody else’s');
  });

  test('can switch only to organizations of which the user is an active member', async () => {
    const id = await makeUser();
    await organizationWith(id, 'One');
    const { body } = await authenticate({ grant_type: 'password', email: 'ada@example.com', password: PASSWORD });
    const refresh = (organization_id: string) =>
      authenticate({ grant_type: 'refresh_token', refresh_token: body.refresh_token, organization_id });
    const { body: strange } = await call('POST', '/organizations', { name: 'Not theirs' });
    expect(await refresh(String(strange.id))).toMatchObject({ body: { error: 'organization_membership_not_found' } });
    for (const none of ['org_01HZZZZZZZZZZZZZZZZZZZZZZZ', '']) {
      expect(await refresh(none)).toMatchObject({ status: 400, body: { error: 'organization_not_found' } });
    }
  });

  test('keeps its own roles even if the organization in its token was altered', async () => {
    const id = await makeUser();
    const one = await organizationWith(id, 'One');
    const { body: two } = await call('POST', '/organizations', { name: 'Two' });
    const admin = { user_id: id, organization_id: two.id, role_slug: 'admin' };
    expect((await call('POST', '/user_management/organization_memberships', admin)).status).toBe(201);
    const signedIn = await exchange({ code: await codeFor(id, {}, { organizationId: one }) });
    const token = String(signedIn.body.refresh_token);
    const named = `${token.slice(0, 52)}${String(two.id).slice(-26)}${token.slice(78)}`;
    expect(token.slice(52, 78)).toBe(one.slice(-26));
    const { status, body } = await authenticate({ grant_type: 'refresh_token', refresh_token: named });
    expect({ status, organization: body.organization_id }).toEqual({ status: 200, organization: one });
    expect(decodeJwt(String(body.access_token))).toMatchObject({ org_id: one, role: 'member', roles: ['member'] });
  });

  test('requires a second factor at its next refresh after the environment made one mandatory', async () => {
    await makeUser();
    const { body } = await authenticate({ grant_type: 'password', email: 'ada@example.com', password: PASSWORD });
    await settings({ mfa: 'required' });
    const refreshed = await authenticate({ grant_type: 'refresh_token', refresh_token: body.refresh_token });
    expect(refreshed).toMatchObject({ status: 400, body: { error: 'mfa_enrollment' } });
  });

  test('whose access token would be too large is rejected, with advice in the error', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    await makeUser({ metadata: Object.fromEntries(names.map((name) => [name, 'x'.repeat(600)])) });
    const content = JSON.stringify({ all: names.map((name) => `{{ user.metadata.${name} }}`) });
    const saved = await call('PUT', '/user_management/jwt_template', { content });
    expect(saved.status).toBe(200);
    const response = await authenticate({ grant_type: 'password', email: 'ada@example.com', password: PASSWORD });
    expect(response).toMatchObject({ status: 400, body: { error: 'token_too_big' } });
  });
});

describe('a client', () => {
  test('that is unknown, or has a wrong secret, gets invalid_client', async () => {
    const { apiKey, clientId } = await service();
    const ask = (members: object) =>
      call('POST', '/user_management/authenticate', { grant_type: 'refresh_token', refresh_token: 'x', ...members });
    const wrong = { status: 400, body: { error: 'invalid_client' } };
    expect(await ask({ client_id: 'client_01HZZZZZZZZZZZZZZZZZZZZZZZ' })).toMatchObject(wrong);
    expect(await ask({ client_id: clientId, client_secret: `${apiKey}x` })).toMatchObject(wrong);
    expect(await ask({ client_id: clientId, client_secret: 'sk_env_wrong' })).toMatchObject(wrong);
    const there = await otherEnvironment();
    expect(await ask({ client_id: clientId, client_secret: there.apiKey })).toMatchObject(wrong);
    expect(await ask({ client_id: there.clientId, client_secret: apiKey })).toMatchObject(wrong);
  });

  test('that names no grant or an unknown one gets invalid_request', async () => {
    for (const grant_type of ['', 'client_credentials', 'magic-auth:code', 'urn:workos:oauth:grant-type:telepathy']) {
      expect(await authenticate({ grant_type })).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
    const { clientId } = await service();
    const none = await call('POST', '/user_management/authenticate', { client_id: clientId }, { apiKey: null });
    expect(none).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('with an empty secret counts as public, and cannot use grants that require a secret', async () => {
    await makeUser();
    const password = { grant_type: 'password', email: 'ada@example.com', password: PASSWORD };
    const response = await authenticatePublicly({ ...password, client_secret: '' });
    expect(response).toMatchObject({ status: 422, body: { code: 'invalid_request_parameters' } });
    const form = new URLSearchParams({ client_id: (await service()).clientId, client_secret: '', ...password });
    const formed = await call('POST', '/user_management/authenticate', undefined, {
      apiKey: null,
      rawBody: form.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(formed.status).toBe(422);
  });

  test('that sends null for members without a value is accepted', async () => {
    const id = await makeUser();
    const withoutClient = { ip_address: null, user_agent: null, device_id: null, invitation_token: null };
    const body = { grant_type: 'password', email: 'ada@example.com', password: PASSWORD, ...withoutClient };
    expect(await authenticate(body)).toMatchObject({ status: 200, body: { user: { id } } });
    const code = await codeFor(id);
    expect(await exchange({ code, code_verifier: null, ...withoutClient })).toMatchObject({ status: 200 });
  });

  test('gets errors in the form of its grant', async () => {
    const missing = (grant_type: string) => authenticate({ grant_type });
    for (const [standard, member] of [
      ['authorization_code', 'code'],
      ['refresh_token', 'refresh_token'],
      ['urn:ietf:params:oauth:grant-type:device_code', 'device_code'],
    ] as const) {
      const { status, body } = await missing(standard);
      expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_request' });
      expect(body.error_description).toContain(`${member}: is required`);
    }
    for (const own of ['password', vendor('magic-auth:code'), vendor('mfa-totp')]) {
      expect(await missing(own)).toMatchObject({ status: 422, body: { code: 'invalid_request_parameters' } });
    }
    for (const path of ['/user_management/authenticate', '/user_management/authorize/device']) {
      for (const rawBody of ['{', '[]', '']) {
        const response = await call('POST', path, undefined, { apiKey: null, rawBody });
        expect(response).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
      }
    }
    const { clientId } = await service();
    const authorize = await call('GET', `/user_management/authorize?client_id=${clientId}`, undefined, {
      apiKey: null,
    });
    expect(authorize).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});
