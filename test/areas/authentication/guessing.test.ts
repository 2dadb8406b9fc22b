import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { openTarget, type Target } from '../../contract/target.ts';
import { makeSameCalls } from '../../support/costs.ts';
import { advance, idle, reset, sdk } from '../../support/service.ts';
import { set } from '../sessions/inside.ts';
import { authenticate, makeUser, PASSWORD } from './inside.ts';

const EMAIL = 'ada@example.com';
const signIn = (email: string, password: string, members: Record<string, unknown> = {}) =>
  authenticate({ grant_type: 'password', email, password, ...members });

interface Event {
  event: string;
  data: Record<string, unknown>;
}

/** The events of a name, as GET /events lists them. */
async function eventsNamed(name: string): Promise<Event[]> {
  await idle();
  const { data } = await sdk().events.listEvents({ events: [name as 'authentication.password_failed'], order: 'asc' });
  return data as unknown as Event[];
}

describe('the existence of an account', () => {
  beforeEach(() => reset({ calm: true }));

  test('is revealed neither by the response nor by the events of a sign-in', async () => {
    await makeUser();
    const origin = { ip_address: '203.0.113.7', user_agent: 'a browser' };
    const wrong = await signIn(EMAIL, 'wrong', origin);
    const unknown = await signIn('nobody@example.com', 'wrong', origin);
    const odd = await signIn('no address at all', 'wrong', origin);
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
    for (const response of [unknown, odd]) {
      expect(response.body).toEqual(wrong.body);
      expect(response.headers['content-length']).toBe(wrong.headers['content-length']);
    }
    const [first, second] = await eventsNamed('authentication.password_failed');
    expect(first).toMatchObject({ data: { email: EMAIL, ipAddress: '203.0.113.7', userAgent: 'a browser' } });
    expect(Object.keys(second?.data ?? {}).sort()).toEqual(Object.keys(first?.data ?? {}).sort());
  });

  test('does not change which AWS calls and password hashes a sign-in makes', async () => {
    await makeUser();
    const known = () => signIn(EMAIL, 'a wrong password');
    const unknown = () => signIn('nobody@example.com', 'a wrong password');
    // Caches are filled after the first calls.
    await Promise.all([known(), unknown()]);
    const compared = await makeSameCalls('authentication-http', known, unknown);
    expect(compared).toMatchObject({ isSame: true, calls: [{ 'table.PutItem': 1, argon2: 1 }, {}] });
  });
});

describe('guesses of a password', () => {
  beforeEach(() => reset());

  test('are limited to ten a minute for an address in any spelling, also in parallel, with Retry-After', async () => {
    await makeUser();
    const spelled = [EMAIL, 'ADA@example.com', ' ada@example.com ', 'ada@EXAMPLE.com'];
    const guesses = Array.from({ length: 100 }, (_, at) => signIn(spelled[at % 4] ?? EMAIL, `guess ${at}`));
    const responses = await Promise.all(guesses);
    // A busy machine may reject some with 503.
    expect(responses.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(10);
    const rejected = responses.filter(({ status }) => status === 429);
    expect(rejected.length).toBeGreaterThan(0);
    for (const { status } of responses) expect([400, 429, 503]).toContain(status);
    for (const { body, headers } of rejected) {
      expect(body.code).toBe('daily_quota_exceeded');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    // Not even the correct code is accepted until the minute is over.
    expect((await signIn(EMAIL, PASSWORD)).status).toBe(429);
    await advance(61);
    expect((await signIn(EMAIL, PASSWORD)).status).toBe(200);
  });
});

describe('the limit of a client’s address', () => {
  let target: Target;
  let environmentId: string;

  beforeAll(async () => {
    target = await openTarget();
    ({ environmentId } = target.apiWith(target.keys.here));
  });
  afterAll(() => target.stop());

  const post = (body: Record<string, unknown>) =>
    target.send('POST', '/user_management/authenticate', {
      body: JSON.stringify({ client_id: makeClientId(environmentId), ...body }),
    });
  const exchange = () => post({ grant_type: 'authorization_code', code: 'none', code_verifier: 'x'.repeat(43) });
  const signInFrom = (at: number, members: Record<string, unknown>) =>
    post({
      grant_type: 'urn:workos:oauth:grant-type:magic-auth:code',
      client_secret: target.keys.here,
      email: `user${at}@example.com`,
      code: '000000',
      ...members,
    });

  /** Sends more than a hundred attempts, ten in parallel, of which a hundred may be checked. */
  async function expectAHundred(send: (at: number) => Promise<{ status: number }>): Promise<void> {
    const statuses: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const responses = await Promise.all(Array.from({ length: 10 }, (_, at) => send(10 * round + at)));
      statuses.push(...responses.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(100);
    expect(statuses).toContain(429);
  }

  test('counts the requests of a public client by the address that they come from, and rejects with an OAuth error', async () => {
    await expectAHundred(exchange);
    const last = await exchange();
    expect(last.json).toMatchObject({ error: 'too_many_requests' });
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('counts each user of a back end by the address that it forwards, and never all of them together', async () => {
    await expectAHundred((at) => signInFrom(at, { ip_address: '198.51.100.7' }));
    const another = await signInFrom(200, { ip_address: '198.51.100.8' });
    expect(another.status).toBe(400);
    const withoutClient = await signInFrom(201, {});
    expect(withoutClient.status).toBe(400);
  });

  test.each([
    ['password', '198.51.100.9', { password: 'a guess' }],
    ['urn:workos:oauth:grant-type:email-completion', '198.51.100.10', { email_completion_token: 'a guess' }],
  ])('also applies to the grant %s', async (grant_type, ip_address, members) => {
    await set(environmentId, 'limits', { 'sign-in.address': { limit: 3 } });
    const from = { client_secret: target.keys.here, email: 'user400@example.com', ip_address };
    const tries = Array.from({ length: 6 }, () => post({ grant_type, ...from, ...members }));
    expect((await Promise.all(tries)).map(({ status }) => status)).toContain(429);
    await set(environmentId, 'limits', {});
  });

  test('counts all addresses of an IPv6 network together', async () => {
    await expectAHundred((at) => signInFrom(300 + at, { ip_address: `2001:db8:1:2::${at.toString(16)}` }));
    const neighbour = await signInFrom(500, { ip_address: '2001:db8:1:3::1' });
    expect(neighbour.status).toBe(400);
  });
});
