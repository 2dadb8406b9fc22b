import { beforeEach, describe, expect, test } from '@jest/globals';

import { advance, reset, sdk } from '../../support/service.ts';
import { setSettings } from '../../support/settings.ts';
import { authenticate, EMAIL, makeUser, PASSWORD, vendor, withPassword } from './inside.ts';

const DAY = 86_400;
const HOUR = 3_601;
const OWN = { ip_address: '203.0.113.7' };
const LAPTOP = { ...OWN, device_id: 'the owner’s laptop' };

const from = (at: number) => ({ ip_address: `198.51.100.${at}` });

beforeEach(async () => {
  await reset();
  await makeUser();
  // Small limits test the same code; the test of the hosted pages checks the defaults.
  await setSettings({
    limits: {
      'sign-in.password.daily': { limit: 4 },
      'sign-in.password.everybody.daily': { limit: 8 },
      'sign-in.password.known-browser.daily': { limit: 3 },
    },
  });
});

/** Tries wrong passwords, one an hour. @returns the number of those that were checked */
async function guess(times: number, members: object, email = EMAIL): Promise<number> {
  let looked = 0;
  for (let time = 0; time < times; time += 1) {
    const password = `guess ${time}`;
    const { status, body } = await authenticate({ grant_type: 'password', email, password, ...members });
    if (body.code === 'invalid_credentials') looked += 1;
    else expect(status).toBe(429);
    await advance(HOUR);
  }
  return looked;
}

const signIn = async (members: Record<string, unknown>): Promise<number> => (await withPassword(members)).status;

describe('wrong passwords that are tried slowly', () => {
  test('are limited each day for one network, without affecting other networks', async () => {
    expect(await guess(6, from(1))).toBe(4);
    const rejected = await withPassword(from(1));
    expect(rejected).toMatchObject({ status: 429, body: { code: 'daily_quota_exceeded' } });
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(12 * 3_600);
    expect(await signIn(OWN)).toBe(200);
    await advance(DAY);
    expect(await signIn(from(1))).toBe(200);
  });

  test('are limited each day for all networks together, also for a back end that forwards no client address', async () => {
    let looked = 0;
    for (let at = 0; at < 4; at += 1) looked += await guess(3, from(at));
    expect(looked).toBe(8);
    expect(await signIn(OWN)).toBe(429);
    expect(await signIn({})).toBe(429);
    await advance(DAY);
    expect(await signIn(OWN)).toBe(200);
  });

  test('do not block the owner’s own browser or a mailed code', async () => {
    expect(await signIn(LAPTOP)).toBe(200);
    for (let at = 0; at < 3; at += 1) await guess(3, from(at));
    expect(await signIn(OWN)).toBe(429);
    expect(await signIn(LAPTOP)).toBe(200);
    const { code } = await sdk().userManagement.createMagicAuth({ email: EMAIL });
    expect(await authenticate({ grant_type: vendor('magic-auth:code'), email: EMAIL, code, ...OWN })).toMatchObject({
      status: 200,
    });
  });

  test('are also limited each day in a browser of the owner', async () => {
    expect(await signIn(LAPTOP)).toBe(200);
    for (let at = 0; at < 3; at += 1) await guess(3, from(at));
    expect(await guess(5, LAPTOP)).toBe(3);
    expect(await signIn(LAPTOP)).toBe(429);
    await advance(DAY);
    expect(await signIn(LAPTOP)).toBe(200);
  });

  test('are limited in a browser in which another user has signed in', async () => {
    const eve = {
      grant_type: 'password',
      email: 'eve@example.com',
      password: PASSWORD,
      ...from(9),
      device_id: 'eve’s',
    };
    await makeUser({ email: 'eve@example.com' });
    expect(await authenticate(eve)).toMatchObject({ status: 200 });
    expect(await guess(6, { ...from(9), device_id: 'eve’s' })).toBe(4);
  });

  test('are counted in the same way for an unknown address', async () => {
    expect(await guess(6, from(1), 'nobody@example.com')).toBe(4);
  });

  test('are counted in every spelling of the address', async () => {
    expect(await guess(3, from(1), ' ADA@example.com')).toBe(3);
    expect(await guess(3, from(1), 'ada@EXAMPLE.com')).toBe(1);
  });
});

test('correct passwords do not count towards the daily limit', async () => {
  for (let time = 0; time < 10; time += 1) {
    expect(await signIn(OWN)).toBe(200);
    await advance(HOUR);
  }
});
