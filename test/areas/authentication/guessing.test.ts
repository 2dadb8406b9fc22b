import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { clientIdOf } from '../../../functions/kernel/authentication/api-key.ts';
import { openTarget, type Target } from '../../contract/target.ts';
import { advance, call, idle, reset, sdk } from '../../support/service.ts';
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

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values: readonly number[], of = mean(values)): number =>
  values.reduce((sum, value) => sum + (value - of) ** 2, 0) / (values.length - 1);

/** Welch's t of two samples: how far their means are apart, in standard errors. */
const welch = (a: readonly number[], b: readonly number[]): number =>
  (mean(a) - mean(b)) / Math.sqrt(variance(a) / a.length + variance(b) / b.length);

/** The middle of a sample, without the tenth at each end that the machine's other work makes. */
function trimmed(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 10);
  return sorted.slice(cut, sorted.length - cut);
}

/** Compares how long a known and an unknown address's refusals take: Welch's t. */
async function compareTimes(): Promise<number> {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let at = 0; at < 65; at += 1) {
    // The limit of an address is ten a minute.
    if (at % 9 === 0) await advance(61);
    // In turn, and each first every other time: what the machine does beside falls on both alike.
    const order = at % 2 === 0 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const who of order) {
      const startedAt = performance.now();
      const { status } = await signIn(who === 'known' ? EMAIL : 'nobody@example.com', 'a wrong password');
      const took = performance.now() - startedAt;
      expect(status).toBe(400);
      if (at >= 5) times[who].push(took);
    }
  }
  return welch(trimmed(times.known), trimmed(times.unknown));
}

describe('who has an account', () => {
  beforeEach(() => reset({ calm: true }));

  test('is told neither by the answer nor by the events of a sign-in', async () => {
    await makeUser();
    const origin = { ip_address: '203.0.113.7', user_agent: 'a browser' };
    const wrong = await signIn(EMAIL, 'wrong', origin);
    const unknown = await signIn('nobody@example.com', 'wrong', origin);
    const odd = await signIn('no address at all', 'wrong', origin);
    expect(wrong).toMatchObject({ status: 400, body: { code: 'invalid_credentials' } });
    for (const answer of [unknown, odd]) {
      expect(answer.body).toEqual(wrong.body);
      expect(answer.headers['content-length']).toBe(wrong.headers['content-length']);
    }
    const [first, second] = await eventsNamed('authentication.password_failed');
    expect(first).toMatchObject({ data: { email: EMAIL, ipAddress: '203.0.113.7', userAgent: 'a browser' } });
    expect(Object.keys(second?.data ?? {}).sort()).toEqual(Object.keys(first?.data ?? {}).sort());
  });

  test('is not told by the time of a sign-in (Welch’s t-test)', async () => {
    await makeUser();
    await call('PUT', '/x/authentication/settings', {});
    // What a sign-in tells by its time it tells each time; what the machine does beside is different in the next sample.
    const found: number[] = [];
    while (found.length < 3 && !found.some((t) => t < 4)) found.push(Math.abs(await compareTimes()));
    expect(Math.min(...found)).toBeLessThan(4);
  }, 600_000);
});

describe('guesses of a password', () => {
  beforeEach(() => reset());

  test('are ten a minute at an address, a hundred at once, whatever it is written like; then 429 says when', async () => {
    await makeUser();
    const spelled = [EMAIL, 'ADA@example.com', ' ada@example.com ', 'ada@EXAMPLE.com'];
    const guesses = Array.from({ length: 100 }, (_, at) => signIn(spelled[at % 4] ?? EMAIL, `guess ${at}`));
    const answers = await Promise.all(guesses);
    // On a busy machine some may be answered that it is busy.
    expect(answers.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status } of answers) expect([400, 429, 503]).toContain(status);
    for (const { body, headers } of refused) {
      expect(body.code).toBe('daily_quota_exceeded');
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    // Not even the right one, until the minute is over.
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
      body: JSON.stringify({ client_id: clientIdOf(environmentId), ...body }),
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

  /** Tries a hundred and more, ten at a time, of which a hundred may be looked at. */
  async function expectAHundred(send: (at: number) => Promise<{ status: number }>): Promise<void> {
    const statuses: number[] = [];
    for (let round = 0; round < 12; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, (_, at) => send(10 * round + at)));
      statuses.push(...answers.map(({ status }) => status));
    }
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(100);
    expect(statuses).toContain(429);
  }

  test('counts a public client by its own, in the words of the standard', async () => {
    await expectAHundred(exchange);
    const last = await exchange();
    expect(last.json).toMatchObject({ error: 'too_many_requests' });
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
  });

  test('counts a back end’s users by the address that it tells, and never all of them together', async () => {
    await expectAHundred((at) => signInFrom(at, { ip_address: '198.51.100.7' }));
    const another = await signInFrom(200, { ip_address: '198.51.100.8' });
    expect(another.status).toBe(400);
    const untold = await signInFrom(201, {});
    expect(untold.status).toBe(400);
  });

  test('counts all addresses that somebody has in IPv6 together, since they may take another for each try', async () => {
    await expectAHundred((at) => signInFrom(300 + at, { ip_address: `2001:db8:1:2::${at.toString(16)}` }));
    const neighbour = await signInFrom(500, { ip_address: '2001:db8:1:3::1' });
    expect(neighbour.status).toBe(400);
  });
});
