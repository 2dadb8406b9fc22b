import { beforeEach, describe, expect, test } from '@jest/globals';

import { receiver } from '../../support/receiver.ts';
import { advance, call, eventually, idle, reset, sdk } from '../../support/service.ts';
import { appCode, authenticate, mailedCode, makeUser, PASSWORD, settings, vendor, wrongFor } from './inside.ts';

beforeEach(() => reset());

const EMAIL = 'ada@example.com';
const ORIGIN = { ip_address: '203.0.113.7', user_agent: 'a browser' };
const signIn = (members: Record<string, unknown> = {}) =>
  authenticate({ grant_type: 'password', email: EMAIL, password: PASSWORD, ...ORIGIN, ...members });
const goOn = (grant: string, token: string | undefined, members: Record<string, unknown>) =>
  authenticate({ grant_type: vendor(grant), pending_authentication_token: token, ...ORIGIN, ...members });

interface SignInEvent {
  event: string;
  data: Record<string, unknown>;
}

const NAMES = [
  'authentication.password_succeeded',
  'authentication.password_failed',
  'authentication.magic_auth_succeeded',
  'authentication.magic_auth_failed',
  'authentication.mfa_succeeded',
  'authentication.email_verification_succeeded',
  'authentication.radar_risk_detected',
  'radar.challenge_created',
];

/** Lists the events of a name, the oldest first. */
async function listed(name: string): Promise<Record<string, unknown>[]> {
  await idle();
  const { body } = await call<{ data: SignInEvent[] }>('GET', `/events?events=${name}&order=asc`);
  return body.data.map(({ data }) => data);
}

describe('the events of signing in', () => {
  test('are delivered to a webhook endpoint, one for each attempted proof, with the client address', async () => {
    const hook = await receiver();
    const subscribed = await call('POST', '/webhook_endpoints', { endpoint_url: hook.url, events: NAMES });
    expect(subscribed.status).toBe(201);
    const id = await makeUser({ emailVerified: false });

    await signIn({ password: 'wrong' });
    const unproved = await signIn();
    const token = unproved.body.pending_authentication_token;
    const code = await mailedCode();
    await goOn('email-verification:code', token, { code: wrongFor(code) });
    expect(await goOn('email-verification:code', token, { code })).toMatchObject({ status: 200 });

    const magic = (await sdk().userManagement.createMagicAuth({ email: EMAIL })).code;
    const entered = { grant_type: vendor('magic-auth:code'), email: EMAIL, ...ORIGIN };
    await authenticate({ ...entered, code: wrongFor(magic) });
    expect(await authenticate({ ...entered, code: magic })).toMatchObject({ status: 200 });

    await settings({ mfa: 'required' });
    const enrolling = await signIn();
    const enrolled = await sdk().multiFactorAuth.createUserAuthFactor({ userId: id, type: 'totp' });
    const app = await appCode(enrolled.authenticationFactor.totp.secret);
    const factor = { authentication_challenge_id: enrolled.authenticationChallenge.id };
    const pending = enrolling.body.pending_authentication_token;
    await goOn('mfa-totp', pending, { ...factor, code: wrongFor(app) });
    expect(await goOn('mfa-totp', pending, { ...factor, code: app })).toMatchObject({ status: 200 });

    await settings({ new_device: 'email_challenge' });
    const { data: factors } = await sdk().multiFactorAuth.listUserAuthFactors({ userId: id });
    for (const { id: factorId } of factors) await sdk().multiFactorAuth.deleteFactor(factorId);
    await advance(61);
    expect(await signIn({ device_id: 'a new one' })).toMatchObject({ body: { code: 'radar_challenge' } });

    const receivedEvents = () => hook.requests.map(({ body }) => JSON.parse(body) as SignInEvent);
    await eventually(
      () => new Set(receivedEvents().map(({ event }) => event)).size,
      (size) => size === NAMES.length,
    );
    const userMembers = { user_id: id, email: EMAIL, ...ORIGIN };
    for (const { event, data } of receivedEvents()) {
      const [proof, status = ''] = event.replace('authentication.', '').split(/_(?=succeeded|failed)/);
      if (event === 'radar.challenge_created') expect(data).toMatchObject({ user_id: id, email: EMAIL });
      else if (event === 'authentication.radar_risk_detected') {
        expect(data).toEqual({
          auth_method: 'Password',
          action: 'login',
          control: 'unrecognized_device',
          blocklist_type: null,
          ...userMembers,
        });
      } else if (status === 'succeeded') expect(data).toEqual({ type: proof, status, ...userMembers });
      else
        expect(data).toMatchObject({
          type: proof,
          status,
          ...userMembers,
          error: { code: expect.any(String) as unknown },
        });
    }
    const texts = hook.requests.map(({ body }) => body).join('\n');
    for (const secret of [PASSWORD, code, magic, app, token ?? '']) expect(texts).not.toContain(secret);

    // Endpoints cannot subscribe to these two events, but the list contains them.
    expect(await listed('authentication.email_verification_failed')).toMatchObject([
      { ...userMembers, error: { code: 'invalid_one_time_code' } },
    ]);
    expect(await listed('authentication.mfa_failed')).toMatchObject([
      { ...userMembers, error: { code: 'invalid_one_time_code' } },
    ]);
  });

  test('are sent even if the request was rejected, and only once if the transaction was retried', async () => {
    await makeUser();
    for (let at = 0; at < 9; at += 1) await signIn({ password: 'wrong' });
    expect(await listed('authentication.password_failed')).toHaveLength(9);
    expect(await listed('session.created')).toHaveLength(0);
  });
});
