import { beforeEach, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';

import { advance, call, reset, sdk } from '../../support/service.ts';
import { challenge, readCode, enrol as enrolFactor, enrolApp, PHONE, verify } from '../mfa/factor.ts';
import {
  appCode,
  authenticate,
  codeFor,
  EMAIL,
  mailedCode,
  makeUser,
  organizationWith,
  PASSWORD,
  registerRedirectUri,
  settings,
  vendor,
  withPassword,
  wrongFor,
} from './inside.ts';

beforeEach(() => reset());

describe('a second factor', () => {
  interface Enrolled {
    authentication_factor: { totp: { secret: string } };
    authentication_challenge: { id: string };
  }

  /** Enrols an app for a user and proves it. @returns its secret */
  async function enrol(userId: string): Promise<string> {
    const path = `/user_management/users/${userId}/auth_factors`;
    const { body } = await call<Enrolled>('POST', path, { type: 'totp' });
    const { secret } = body.authentication_factor.totp;
    const verified = await call('POST', `/auth/challenges/${body.authentication_challenge.id}/verify`, {
      code: await appCode(secret),
    });
    expect(verified.body).toMatchObject({ valid: true });
    // A time step is accepted once: the next code is for a later one.
    await advance(30);
    return secret;
  }

  const totp = (token: string, challengeId: string, code: string) =>
    authenticate({
      grant_type: vendor('mfa-totp'),
      pending_authentication_token: token,
      authentication_challenge_id: challengeId,
      code,
    });

  test('is required after the password, and its code is accepted once', async () => {
    const secret = await enrol(await makeUser());
    const first = (await withPassword()).body;
    expect(first.code).toBe('mfa_challenge');
    const second = (await withPassword()).body;
    const code = await appCode(secret);
    const [token, challenge] = [first.pending_authentication_token ?? '', first.authentication_challenge?.id ?? ''];
    expect(await totp(token, challenge, wrongFor(code))).toMatchObject({ body: { code: 'invalid_one_time_code' } });
    expect(await totp(token, challenge, code)).toMatchObject({ status: 200 });
    expect(await totp(token, challenge, code)).toMatchObject({
      body: { code: 'invalid_pending_authentication_token' },
    });
    const again = await totp(
      second.pending_authentication_token ?? '',
      second.authentication_challenge?.id ?? '',
      code,
    );
    expect(again).toMatchObject({ status: 400, body: { code: 'invalid_one_time_code' } });
  });

  test('of another user gets the same response as an unknown factor', async () => {
    await enrol(await makeUser());
    const bob = await makeUser({ email: 'bob@example.com' });
    const secret = await enrol(bob);
    const { body: theirs } = await authenticate({
      grant_type: 'password',
      email: 'bob@example.com',
      password: PASSWORD,
    });
    const { body: own } = await withPassword();
    const code = await appCode(secret);
    const token = own.pending_authentication_token ?? '';
    const foreign = await totp(token, theirs.authentication_challenge?.id ?? '', code);
    const missing = await totp(token, 'auth_challenge_01HZZZZZZZZZZZZZZZZZZZZZZZ', code);
    expect(foreign.status).toBe(404);
    expect(missing.body).toEqual(foreign.body);
  });

  test('is not required if factors are disabled, and must be enrolled by every user if they are mandatory', async () => {
    const id = await makeUser();
    await settings({ mfa: 'required' });
    expect((await withPassword()).body.code).toBe('mfa_enrollment');
    await enrol(id);
    expect((await withPassword()).body.code).toBe('mfa_challenge');
    await settings({ mfa: 'off' });
    expect(await withPassword()).toMatchObject({ status: 200 });
  });
  test('is required only once in a sign-in that then requires an organization', async () => {
    const id = await makeUser();
    const [one] = [await organizationWith(id, 'One'), await organizationWith(id, 'Two')];
    const secret = await enrol(id);
    const { body } = await withPassword();
    const [token, challenge] = [body.pending_authentication_token ?? '', body.authentication_challenge?.id ?? ''];
    await advance(60);
    const next = await totp(token, challenge, await appCode(secret));
    expect(next).toMatchObject({ status: 403, body: { code: 'organization_selection_required' } });
    const choice = { pending_authentication_token: next.body.pending_authentication_token, organization_id: one };
    const response = await authenticate({ grant_type: vendor('organization-selection'), ...choice });
    expect(response).toMatchObject({ status: 200, body: { organization_id: one } });
    // The time is that of the first authentication, however many steps follow.
    const { iat = 0, auth_time } = decodeJwt(String(response.body.access_token));
    expect(iat - Number(auth_time)).toBeGreaterThanOrEqual(60);
  });

  test('is also required after a mailed code', async () => {
    await enrol(await makeUser());
    const { code } = await sdk().userManagement.createMagicAuth({ email: EMAIL });
    const response = await authenticate({ grant_type: vendor('magic-auth:code'), email: EMAIL, code });
    expect(response).toMatchObject({ status: 403, body: { code: 'mfa_challenge' } });
  });

  test('is required before an account at a provider is linked, even if a code has verified the address', async () => {
    await enrol(await makeUser());
    await registerRedirectUri();
    const identity = { provider: 'GitHubOAuth', issuer: 'https://github.com', subject: '4711' };
    const code = await codeFor(undefined, {}, { method: 'oauth', provider: 'GitHubOAuth', identity });
    const { body: unnamed } = await authenticate({ grant_type: 'authorization_code', code });
    const completion = { email_completion_token: unnamed.email_completion_token, email: EMAIL };
    const { body: asked } = await authenticate({ grant_type: vendor('email-completion'), ...completion });
    const proof = { pending_authentication_token: asked.pending_authentication_token, code: await mailedCode() };
    const response = await authenticate({ grant_type: vendor('email-verification:code'), ...proof });
    expect(response).toMatchObject({ status: 403, body: { code: 'mfa_challenge' } });
  });

  test('whose enrolment was not completed is not required, and neither is a factor whose codes another system delivers', async () => {
    const user_id = await makeUser();
    await enrolApp(user_id);
    const delivered = await challenge((await enrolFactor({ type: 'generic_otp', user_id })).id);
    expect(await verify(delivered.id, delivered.code ?? '')).toBe('valid');
    expect(await withPassword()).toMatchObject({ status: 200 });
    await settings({ mfa: 'required' });
    expect((await withPassword()).body.code).toBe('mfa_enrollment');
  });

  test('is the authenticator app of a user who also has a phone factor', async () => {
    const user_id = await makeUser();
    const phoneFactor = await enrolFactor({ type: 'sms', phone_number: PHONE, user_id });
    expect(await verify((await challenge(phoneFactor.id)).id, await mailedCode(PHONE))).toBe('valid');
    expect((await withPassword()).body.authentication_challenge).toMatchObject({
      authentication_factor_id: phoneFactor.id,
    });
    const app = await enrolApp(user_id);
    expect(await verify((await challenge(app.id)).id, await readCode(app))).toBe('valid');
    expect((await withPassword()).body.authentication_challenge).toMatchObject({ authentication_factor_id: app.id });
  });
});
