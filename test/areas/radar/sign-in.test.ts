import { beforeEach, describe, expect, test } from '@jest/globals';

import { profileUpdate, subjectId, updateProfile } from '../../../functions/proofs/radar/profile/entity.ts';
import { environment } from '../../support/users.ts';
import { addFault, advance, call, clearFaults, hashes, idle, now, reset } from '../../support/service.ts';
import { authenticate, EMAIL, makeUser, mailedCode, settings, vendor, withPassword } from '../authentication/inside.ts';
import { forgingProvider } from '../social/forging-provider.ts';
import * as social from '../social/sign-in.ts';
import * as sso from '../sso/identity-provider.ts';
import { BROWSER, explained, list, readSignal, setModes, storedAttempts } from './support.ts';

beforeEach(() => reset());

/** Sets which parts of Radar a sign-in uses. Instances see it within five seconds. */
async function ask(sign_in: 'off' | 'lists' | 'all'): Promise<void> {
  expect((await call('PUT', '/x/radar/settings', { sign_in })).status).toBe(200);
  await advance(6);
}

const from = (ip_address: string, more: object = {}) => ({ ip_address, user_agent: BROWSER, ...more });

const risks = async () => {
  await idle();
  const path = '/events?events=authentication.radar_risk_detected&limit=100';
  const { body } = await call<{ data: { data: Record<string, unknown> }[] }>('GET', path);
  return body.data.map(({ data }) => [data.control, data.blocklist_type, data.email]);
};

describe('a sign-in that Radar assesses', () => {
  test('is rejected like a wrong password if a block entry matches it, whether the password is correct or not', async () => {
    await makeUser();
    await list('ip_address', 'block', '203.0.113.0/24');
    const denied = { status: 400, body: { error: 'access_denied', error_description: expect.any(String) } };
    const before = hashes();
    expect(await withPassword(from('203.0.113.7'))).toMatchObject(denied);
    // The password is hashed and compared, so that the response takes as long as after a wrong one.
    expect(hashes() - before).toBe(1);
    expect(await withPassword(from('203.0.113.7', { password: 'wrong' }))).toMatchObject(denied);
    expect(await withPassword(from('203.0.113.7', { email: 'unknown@example.com' }))).toMatchObject(denied);
    expect(await withPassword(from('198.51.100.7'))).toMatchObject({ status: 200 });
    expect(await risks()).toEqual([
      ['restriction', 'ip_address', EMAIL],
      ['restriction', 'ip_address', EMAIL],
    ]);
    await list('email', 'allow', EMAIL);
    expect(await withPassword(from('203.0.113.7'))).toMatchObject({ status: 200 });
    await ask('off');
    await list('email', 'allow', EMAIL, 'DELETE');
    expect(await withPassword(from('203.0.113.7'))).toMatchObject({ status: 200 });
  });

  test('with a mailed code is checked against the lists as well', async () => {
    await makeUser();
    await list('domain', 'block', 'example.com');
    await call('POST', '/user_management/magic_auth', { email: EMAIL });
    const code = await mailedCode();
    const grant = { grant_type: vendor('magic-auth:code'), email: EMAIL, code };
    expect(await authenticate(grant)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  });

  test('that a control challenges requires a mailed code, marks the device as known when it is complete, and can be explained', async () => {
    await makeUser();
    await ask('all');
    const risky = { ip_address: '203.0.113.7', user_agent: 'curl/8.7.1' };
    const { status, body } = await withPassword(risky);
    expect([status, body.code]).toEqual([403, 'radar_challenge']);
    expect(await risks()).toEqual([['bot_detection', null, EMAIL]]);
    const proof = {
      grant_type: vendor('radar-email-challenge:code'),
      pending_authentication_token: body.pending_authentication_token,
      radar_challenge_id: body.radar_challenge_id,
      code: await mailedCode(),
    };
    expect(await authenticate(proof)).toMatchObject({ status: 200 });
    expect(await withPassword(from('203.0.113.8'))).toMatchObject({ status: 200 });
  });

  test('can be blocked by a control with the setting `all`, before the password is checked', async () => {
    await makeUser();
    await setModes({ bot_detection: 'block' });
    await ask('all');
    const blocked = await withPassword({ ip_address: '203.0.113.7', user_agent: 'python-requests/2.32' });
    expect(blocked).toMatchObject({ status: 400, body: { error: 'access_denied' } });
    expect(await withPassword(from('203.0.113.7'))).toMatchObject({ status: 200 });
  });

  test('is challenged on a new device by the setting `new_device`, not by the mode of `unrecognized_device`', async () => {
    await makeUser();
    await setModes({ unrecognized_device: 'block' });
    await ask('all');
    expect(await withPassword(from('203.0.113.7', { device_id: 'laptop' }))).toMatchObject({ status: 200 });
    expect(await withPassword(from('203.0.113.7', { device_id: 'phone' }))).toMatchObject({ status: 200 });
    await settings({ new_device: 'email_challenge' });
    await advance(6);
    expect(await withPassword(from('203.0.113.7', { device_id: 'tablet' }))).toMatchObject({
      status: 403,
      body: { code: 'radar_challenge' },
    });
    expect(await risks()).toEqual([['unrecognized_device', null, EMAIL]]);
  });

  test('is challenged, and neither rejected nor failed, if the counters of Radar cannot be read', async () => {
    await makeUser();
    await ask('all');
    const environmentId = await environment();
    const hour = Math.floor((await now()) / 3_600_000);
    // DynamoDB rejects the addition of a number to a text, as it would reject a write to a row that is written too often.
    const texts = { [`a_h_${hour}`]: 'none', [`a_h_${hour + 1}`]: 'none' };
    const set = { expiresAt: hour * 3_600 + 86_400, ...texts };
    await updateProfile(profileUpdate(environmentId, subjectId(environmentId, 'email', EMAIL), { set }));
    const { status, body } = await withPassword(from('203.0.113.7'));
    expect([status, body.code]).toEqual([403, 'radar_challenge']);
    const [attempt] = await storedAttempts();
    expect(attempt?.reason).toMatch(/could not be read/);
    expect(await readSignal(attempt?.id ?? '', 'email_attempts_hour')).toBe('the counters could not be read');
  });

  test('is challenged, and does not fail, if the lists of Radar cannot be read', async () => {
    await makeUser();
    await ask('lists');
    await clearFaults();
    const fault = await addFault({
      target: 'table',
      kind: 'unavailable',
      operations: ['BatchGetItem'],
      text: '#radar-list',
    });
    const challenged = { status: 403, body: { code: 'radar_challenge' } };
    expect(await withPassword(from('203.0.113.7'))).toMatchObject(challenged);
    await clearFaults(fault.id);
    expect(await withPassword(from('203.0.113.7'))).toMatchObject({ status: 200 });
  });
});

describe('a sign-in that a provider or a connection confirms', () => {
  test('through a provider is rejected by a block entry with `access_denied` and one event, or counted as a success', async () => {
    const google = await forgingProvider();
    google.account = { sub: 'ada-at-google', email: EMAIL, email_verified: true };
    await social.registerApplication();
    await social.configure(google.url);
    await makeUser();
    // The user agent in these tests is that of a program.
    await setModes({ bot_detection: 'log' });
    await ask('all');
    await list('email', 'block', EMAIL);
    const { result } = await social.signIn();
    expect(result).toMatchObject({ error: 'access_denied', error_description: expect.stringContaining('rules') });
    expect(await risks()).toEqual([['restriction', 'email', EMAIL]]);
    expect(await social.identities(await userId())).toEqual([]);
    await list('email', 'block', EMAIL, 'DELETE');
    await social.enter();
    expect(
      (await storedAttempts()).map(({ method, verdict, attemptStatus }) => [method, verdict, attemptStatus]),
    ).toEqual([
      ['Social', 'block', undefined],
      ['Social', 'allow', 'success'],
    ]);
  });

  test('through a connection is rejected by a block entry, and stores and counts its attempt otherwise', async () => {
    const { connection } = await sso.setUp();
    await setModes({ bot_detection: 'log' });
    await ask('all');
    await list('domain', 'block', 'acme.example');
    const start = () => sso.startUrl('/user_management/authorize', { connection_id: connection.id });
    expect(await sso.signIn(await start())).toMatchObject({ error: 'access_denied' });
    // The user did not exist before and was not created, so the event names none.
    expect(await risks()).toEqual([]);
    await list('domain', 'block', 'acme.example', 'DELETE');
    const { code } = await sso.signIn(await start());
    expect((await sso.redeem(code)).status).toBe(200);
    const [first, second] = await storedAttempts();
    expect([first, second]).toMatchObject([
      { method: 'SSO', verdict: 'block' },
      { method: 'SSO', verdict: 'allow', attemptStatus: 'success' },
    ]);
    expect(await readSignal(second?.id ?? '', 'email_attempts_hour')).toBe(2);
  });
});

describe('an attempt of a creation', () => {
  const createAttempt = async (path: string, members: object) => {
    const { status, body } = await call<{ radar_auth_attempt_id?: string }>(
      'POST',
      `/user_management/${path}`,
      members,
    );
    expect(status).toBe(201);
    return body.radar_auth_attempt_id;
  };

  test('of a user is continued once by the code and the sign-in of the same mailbox, which are not counted again', async () => {
    await ask('all');
    const client = from('203.0.113.7');
    const id = await createAttempt('users', { email: EMAIL, ...client });
    expect(await explained(id ?? '')).toMatchObject({ verdict: 'allow', action: 'sign-up', auth_method: 'Other' });
    expect(await createAttempt('magic_auth', { email: EMAIL, ...client, radar_auth_attempt_id: id })).toBe(id);
    const grant = { grant_type: vendor('magic-auth:code'), email: EMAIL, ...client, radar_auth_attempt_id: id };
    expect(await authenticate({ ...grant, code: await mailedCode() })).toMatchObject({ status: 200 });
    expect(await explained(id ?? '')).toMatchObject({ attempt_status: 'success' });
    expect(await storedAttempts()).toHaveLength(1);
    // A second use, and the attempt of another mailbox, are counted as attempts of their own.
    const again = await createAttempt('magic_auth', { email: EMAIL, ...client, radar_auth_attempt_id: id });
    expect(again).not.toBe(id);
    expect(await readSignal(again ?? '', 'email_attempts_hour')).toBe(2);
    const other = await createAttempt('magic_auth', {
      email: 'bob@example.com',
      ...client,
      radar_auth_attempt_id: again,
    });
    expect(other).not.toBe(again);
  });

  test('with a verdict rejects the sign-in that continues it, not the creation', async () => {
    await setModes({ bot_detection: 'block' });
    await ask('all');
    const client = { ip_address: '203.0.113.7', user_agent: 'curl/8.7.1' };
    const id = await createAttempt('magic_auth', { email: EMAIL, ...client });
    const grant = { grant_type: vendor('magic-auth:code'), email: EMAIL, ...from('203.0.113.7') };
    const continued = { ...grant, code: await mailedCode(), radar_auth_attempt_id: id };
    expect(await authenticate(continued)).toMatchObject({ status: 400, body: { error: 'access_denied' } });
  });

  test('does not decide for another client: the sign-in of a blocked address or program is rejected with its id', async () => {
    await ask('all');
    await setModes({ bot_detection: 'block' });
    await list('ip_address', 'block', '198.51.100.0/24');
    const clean = from('203.0.113.7');
    const id = await createAttempt('magic_auth', { email: EMAIL, ...clean });
    const grant = { grant_type: vendor('magic-auth:code'), email: EMAIL, radar_auth_attempt_id: id };
    const denied = { status: 400, body: { error: 'access_denied' } };
    const signIn = async (client: object) => authenticate({ ...grant, ...client, code: await mailedCode() });
    const resend = () => createAttempt('magic_auth', { email: EMAIL, ...clean, radar_auth_attempt_id: id });
    expect(await signIn(from('198.51.100.7'))).toMatchObject(denied);
    expect(await resend()).toBe(id);
    expect(await signIn({ ...clean, user_agent: 'curl/8.7.1' })).toMatchObject(denied);
    expect(await resend()).toBe(id);
    expect(await signIn(clean)).toMatchObject({ status: 200 });
  });

  test('does not decide for an address that is on a block list by the time of its sign-in', async () => {
    await ask('all');
    const client = from('203.0.113.7');
    const id = await createAttempt('magic_auth', { email: EMAIL, ...client });
    await list('ip_address', 'block', '203.0.113.7');
    const grant = { grant_type: vendor('magic-auth:code'), email: EMAIL, ...client, radar_auth_attempt_id: id };
    expect(await authenticate({ ...grant, code: await mailedCode() })).toMatchObject({
      status: 400,
      body: { error: 'access_denied' },
    });
  });

  test('is not made without data of the person’s client, and with the settings `lists` and `off`', async () => {
    expect(await createAttempt('users', { email: EMAIL, ...from('203.0.113.7') })).toBeUndefined();
    await ask('all');
    expect(await createAttempt('magic_auth', { email: EMAIL })).toBeUndefined();
    expect(
      await createAttempt('users', { email: 'bob@example.com', ip_address: null, user_agent: null }),
    ).toBeUndefined();
    await ask('off');
    expect(await createAttempt('magic_auth', { email: EMAIL, ...from('203.0.113.7') })).toBeUndefined();
    expect(await storedAttempts()).toEqual([]);
  });
});

const userId = async (): Promise<string> => {
  const { body } = await call<{ data: { id: string }[] }>('GET', `/user_management/users?email=${EMAIL}`);
  return body.data[0]?.id ?? '';
};
