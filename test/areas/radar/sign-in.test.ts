import { beforeEach, describe, expect, test } from '@jest/globals';

import { addFault, advance, call, clearFaults, idle, reset } from '../../support/service.ts';
import { authenticate, EMAIL, makeUser, mailedCode, settings, vendor, withPassword } from '../authentication/inside.ts';
import { BROWSER, list, setModes } from './support.ts';

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
    expect(await withPassword(from('203.0.113.7'))).toMatchObject(denied);
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

  test('is challenged, and does not fail, if the lists of Radar cannot be read', async () => {
    await makeUser();
    await ask('lists');
    await clearFaults();
    const fault = await addFault({ target: 'table', kind: 'unavailable', operations: ['BatchGetItem'] });
    const challenged = { status: 403, body: { code: 'radar_challenge' } };
    expect(await withPassword(from('203.0.113.7'))).toMatchObject(challenged);
    await clearFaults(fault.id);
    expect(await withPassword(from('203.0.113.7'))).toMatchObject({ status: 200 });
  });
});
