import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';

import { isKnownDevice } from '../../../functions/tenancy/modules/known-devices/device/entity.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { call, reset, sdk, service } from '../../support/service.ts';
import {
  EMAIL,
  pendingToken,
  withPassword,
  authenticate,
  codeFor,
  environment,
  mailedCode,
  makeUser,
  registerRedirectUri,
  settings,
  vendor,
  wrongFor,
} from './inside.ts';

beforeEach(() => reset());
afterEach(() => clock.reset());

describe('a new device', () => {
  const radarEmail = (token: string, radar_challenge_id: string, code: string) =>
    authenticate({
      grant_type: vendor('radar-email-challenge:code'),
      pending_authentication_token: token,
      radar_challenge_id,
      code,
    });
  const radarSms = (token: string, members: Record<string, unknown>) =>
    authenticate({ grant_type: vendor('radar-sms-challenge:code'), pending_authentication_token: token, ...members });
  const PHONE = '+15005550006';

  test('must confirm a mailed code once, and is known from then on', async () => {
    await makeUser();
    await settings({ new_device: 'email_challenge' });
    expect(await withPassword({ device_id: 'laptop' })).toMatchObject({ status: 200 });
    expect(await withPassword({ device_id: 'laptop' })).toMatchObject({ status: 200 });
    const { status, body } = await withPassword({ device_id: 'phone' });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'radar_challenge' });
    const [token, challenge] = [body.pending_authentication_token ?? '', String(body.radar_challenge_id)];
    const code = await mailedCode();
    expect(await radarEmail(token, challenge, wrongFor(code))).toMatchObject({
      body: { code: 'invalid_one_time_code' },
    });
    const elsewhere = 'radar_challenge_01HZZZZZZZZZZZZZZZZZZZZZZZ';
    expect(await radarEmail(token, elsewhere, code)).toMatchObject({ status: 400, body: { code: 'user_mismatch' } });
    expect(await radarEmail(token, challenge, code)).toMatchObject({ status: 200 });
    expect(await radarEmail(token, challenge, code)).toMatchObject({
      body: { code: 'invalid_pending_authentication_token' },
    });
    expect(await withPassword({ device_id: 'phone' })).toMatchObject({ status: 200 });
  });

  test('must confirm a code if only another user has used it, or if it was not used for half a year', async () => {
    const id = await makeUser();
    await makeUser({ email: 'bob@example.com' });
    await settings({ new_device: 'email_challenge' });
    const asBob = { email: 'bob@example.com' };
    expect(await withPassword({ device_id: 'laptop' })).toMatchObject({ status: 200 });
    expect(await withPassword({ ...asBob, device_id: 'desk' })).toMatchObject({ status: 200 });
    expect(await withPassword({ ...asBob, device_id: 'laptop' })).toMatchObject({ body: { code: 'radar_challenge' } });
    // The table may keep expired rows, so the time is compared.
    const isKnown = async () =>
      isKnownDevice(await environment(), id, { client: 'confidential', deviceId: 'laptop', userAgent: null });
    clock.advance(179 * 86_400_000);
    expect(await isKnown()).toBe(true);
    clock.advance(2 * 86_400_000);
    expect(await isKnown()).toBe(false);
  });

  test('of a new account requires a phone number, which gets the codes for later new devices', async () => {
    const id = await makeUser();
    await settings({ new_device: 'sms_challenge' });
    const token = await pendingToken('radar_sign_up_challenge', { device_id: 'laptop' });
    const sent = await call<{ verification_id: string }>('POST', '/user_management/radar_challenges', {
      user_id: id,
      pending_authentication_token: token,
      phone_number: PHONE,
    });
    expect(sent.status).toBe(201);
    const { verification_id } = sent.body;
    const code = await mailedCode(PHONE);
    expect(await radarSms(token, { code })).toMatchObject({ body: { code: 'verification_id_required' } });
    expect(await radarSms(token, { code, verification_id })).toMatchObject({ body: { code: 'phone_number_required' } });
    const right = { code, verification_id, phone_number: PHONE };
    const theirs = { ...right, phone_number: '+15005550009' };
    expect(await radarSms(token, theirs)).toMatchObject({ body: { code: 'user_mismatch' } });
    expect(await radarSms(token, right)).toMatchObject({ status: 200 });

    const next = await pendingToken('radar_sms_sign_in_challenge', { device_id: 'tablet' });
    expect(await radarSms(next, { code: await mailedCode(PHONE) })).toMatchObject({ status: 200 });
  });

  test('of the user who first verifies the address is not challenged with a phone number from before', async () => {
    const id = await makeUser({ emailVerified: false });
    await settings({ new_device: 'sms_challenge', require_email_verification: false });
    const token = await pendingToken('radar_sign_up_challenge', { device_id: 'theirs' });
    const members = { user_id: id, pending_authentication_token: token, phone_number: PHONE };
    const sent = await call<{ verification_id: string }>('POST', '/user_management/radar_challenges', members);
    const { verification_id } = sent.body;
    const proof = { code: await mailedCode(PHONE), verification_id, phone_number: PHONE };
    expect(await radarSms(token, proof)).toMatchObject({ status: 200 });

    await call('POST', '/user_management/magic_auth', { email: EMAIL });
    const code = await mailedCode();
    const owner = await authenticate({ grant_type: vendor('magic-auth:code'), email: EMAIL, code, device_id: 'own' });
    expect(owner).toMatchObject({ status: 200, body: { user: { id, email_verified: true } } });
  });

  test('can be confirmed through the official SDK, by mail and by SMS', async () => {
    const id = await makeUser();
    const { clientId } = await service();
    await settings({ new_device: 'sms_challenge' });
    const pendingAuthenticationToken = await pendingToken('radar_sign_up_challenge', { device_id: 'laptop' });
    const sent = await call<{ verification_id: string }>('POST', '/user_management/radar_challenges', {
      user_id: id,
      pending_authentication_token: pendingAuthenticationToken,
      phone_number: PHONE,
    });
    const bySms = await sdk().userManagement.authenticateWithRadarSmsChallenge({
      clientId,
      code: await mailedCode(PHONE),
      verificationId: sent.body.verification_id,
      phoneNumber: PHONE,
      pendingAuthenticationToken,
    });
    expect(bySms.user.id).toBe(id);

    await settings({ new_device: 'email_challenge' });
    const { body } = await withPassword({ device_id: 'phone' });
    const byMail = await sdk().userManagement.authenticateWithRadarEmailChallenge({
      clientId,
      code: await mailedCode(),
      radarChallengeId: String(body.radar_challenge_id),
      pendingAuthenticationToken: body.pending_authentication_token ?? '',
    });
    expect(byMail.user.id).toBe(id);
  });
});

describe('an account without an email address at a provider', () => {
  const identity = { provider: 'GitHubOAuth', issuer: 'https://github.com', subject: '4711', firstName: 'Ada' };
  const complete = (token: string, email: string) =>
    authenticate({ grant_type: vendor('email-completion'), email_completion_token: token, email });

  const verifyEmail = (token: string, code: string) =>
    authenticate({ grant_type: vendor('email-verification:code'), pending_authentication_token: token, code });

  /** Exchanges the code of such a sign-in. @returns the token of the email step */
  async function completionToken(): Promise<string> {
    await registerRedirectUri();
    const code = await codeFor(undefined, {}, { method: 'oauth', provider: 'GitHubOAuth', identity });
    const { status, body } = await authenticate({ grant_type: 'authorization_code', code });
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'email_completion_required' });
    const again = await authenticate({ grant_type: 'authorization_code', code });
    expect(again).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    return String(body.email_completion_token);
  }

  test('is linked only after the entered address is verified', async () => {
    const id = await makeUser();
    const asked = await complete(await completionToken(), EMAIL);
    expect(asked).toMatchObject({ status: 403, body: { code: 'email_verification_required', email: EMAIL } });
    const { body: before } = await call<unknown[]>('GET', `/user_management/users/${id}/identities`);
    expect(before).toEqual([]);
    const token = asked.body.pending_authentication_token ?? '';
    const response = await verifyEmail(token, await mailedCode());
    expect(response).toMatchObject({ status: 200, body: { user: { id }, authentication_method: 'GitHubOAuth' } });
    const { body: after } = await call<unknown[]>('GET', `/user_management/users/${id}/identities`);
    expect(after).toMatchObject([{ idp_id: '4711' }]);
  });

  test('creates no user if sign-up is disabled', async () => {
    const token = await completionToken();
    await settings({ sign_up: false });
    const rejected = await complete(token, 'new@example.com');
    expect(rejected).toMatchObject({ status: 400, body: { error: 'sign_up_not_allowed' } });
  });

  test('creates an invited user even if sign-up is disabled, with the provider’s tokens', async () => {
    await registerRedirectUri();
    await settings({ sign_up: false });
    const { body: organization } = await call('POST', '/organizations', { name: 'Acme' });
    const request = { email: 'new@example.com', organization_id: organization.id };
    const { body: invitation } = await call('POST', '/user_management/invitations', request);
    const oauthTokens = { provider: 'GitHubOAuth', accessToken: 'a', refreshToken: '', expiresAt: 0, scopes: [] };
    const asked = { invitation_token: String(invitation.token) };
    const code = await codeFor(undefined, asked, { method: 'oauth', provider: 'GitHubOAuth', identity, oauthTokens });
    const { body } = await authenticate({ grant_type: 'authorization_code', code });
    const token = String(body.email_completion_token);
    expect(await complete(token, 'another@example.com')).toMatchObject({
      status: 400,
      body: { error: 'invitation_cannot_be_used_for_email' },
    });
    const { body: given } = await complete(token, 'new@example.com');
    const response = await verifyEmail(given.pending_authentication_token ?? '', await mailedCode('new@example.com'));
    expect(response).toMatchObject({
      status: 200,
      body: { organization_id: organization.id, oauth_tokens: { access_token: 'a', provider: 'GitHubOAuth' } },
    });
  });

  test('creates a new user, and its pending token is valid only once', async () => {
    const token = await completionToken();
    expect(await complete(token, 'no address')).toMatchObject({ status: 422 });
    const asked = await complete(token, 'new@example.com');
    expect(asked).toMatchObject({ status: 403, body: { code: 'email_verification_required' } });
    expect(await complete(token, 'new@example.com')).toMatchObject({
      status: 400,
      body: { code: 'invalid_pending_authentication_token' },
    });
    const pending = asked.body.pending_authentication_token ?? '';
    const response = await verifyEmail(pending, await mailedCode('new@example.com'));
    expect(response).toMatchObject({ status: 200, body: { user: { first_name: 'Ada', email_verified: true } } });
  });
});
