import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { makeClientId } from '../../../functions/kernel/authentication/api-key.ts';
import { clock } from '../../../functions/kernel/clock.ts';
import { findLimit } from '../../../functions/kernel/limits/named-limits.ts';
import { openTarget, type Target } from '../../contract/target.ts';
import type { Api } from '../../contract/samples/sample.ts';
import { set } from '../sessions/inside.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { PASSWORD, REDIRECT_URI } from './application.ts';

/**
 * Attacks on a user whose address is known, from many networks. The functions run in this process, since the tests' service
 * has only one network.
 */
const BASE_URL = 'http://localhost:8787';

const BOUNDS = [
  'page-message.network.daily',
  'page-message.everybody.daily',
  'page-message.known-browser.daily',
  'sign-in.email',
  'sign-in.email.hourly',
  'sign-in.email.everybody',
  'sign-in.known-browser',
  'sign-in.password.daily',
  'sign-in.password.everybody.daily',
  'sign-in.password.known-browser.daily',
] as const;

/** Small limits test the same code; the defaults are checked below. */
const FEW = {
  'page-message.network.daily': { limit: 4 },
  'page-message.everybody.daily': { limit: 12 },
  'page-message.known-browser.daily': { limit: 4 },
  'sign-in.email': { limit: 4 },
  'sign-in.email.hourly': { limit: 12 },
  'sign-in.email.everybody': { limit: 30 },
  'sign-in.known-browser': { limit: 4 },
};

let target: Target;
let api: Api;
let email: string;
let number = 0;

beforeAll(async () => {
  process.env.GATEHOUSE_BASE_URL = BASE_URL;
  target = await openTarget();
  api = target.apiWith(target.keys.here);
  await api.create('/user_management/redirect_uris', { uri: REDIRECT_URI });
  await set(api.environmentId, 'limits', FEW);
});
afterAll(() => target.stop());

beforeEach(async () => {
  number += 1;
  email = `user${number}@example.com`;
  await api.create('/user_management/users', { email, password: PASSWORD, email_verified: true });
});
afterEach(() => clock.reset());

/** A browser in a network. */
const inNetwork = (sourceIp: string): Browser =>
  browser({}, async (url, { method = 'GET', headers, body }) => {
    const sent = {
      ...(headers as Record<string, string>),
      ...(body instanceof URLSearchParams && { 'content-type': 'application/x-www-form-urlencoded' }),
    };
    const options = { headers: sent, sourceIp, ...(body instanceof URLSearchParams && { body: body.toString() }) };
    const response = await target.send(method, url.slice(BASE_URL.length), options);
    const received = new Headers(response.headers);
    for (const cookie of response.cookies) received.append('set-cookie', cookie);
    const hasBody = response.status !== 204 && response.status !== 304;
    return new Response(hasBody ? response.text : null, { status: response.status, headers: received });
  });

const network = (at: number): string => `198.51.${Math.floor(at / 250)}.${(at % 250) + 1}`;
const OWN = '203.0.113.7';

async function opened(person: Browser): Promise<Page> {
  const query = new URLSearchParams({
    client_id: makeClientId(api.environmentId),
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    provider: 'hosted',
    prompt: 'login',
  });
  return person.open(`${BASE_URL}/user_management/authorize?${query.toString()}`);
}

const isSignedIn = ({ url }: Page): boolean => url.startsWith(REDIRECT_URI);

/** The page with the password field. */
const named = async (person: Browser): Promise<Page> => person.submit(await opened(person), { email });

/** A user who has signed in in this browser before. */
async function knownBrowser(sourceIp = OWN): Promise<Browser> {
  const person = inNetwork(sourceIp);
  expect(isSignedIn(await person.submit(await named(person), { password: PASSWORD }))).toBe(true);
  return person;
}

/** Requests a sign-in code. @returns whether it was sent */
async function asksForCode(person: Browser): Promise<boolean> {
  const { url } = await person.submit(await named(person), { do: 'code' });
  return new URL(url).pathname === '/hosted/sign-in/code';
}

/** Requests a link to reset the password. @returns whether it was sent */
async function asksForReset(person: Browser): Promise<boolean> {
  const { url } = await named(person);
  const form = await person.open(url.replace('/hosted/sign-in/password', '/hosted/forgot-password'));
  return (await person.submit(form, { email })).url.includes('/hosted/forgot-password/sent');
}

/** Signs up with an existing user's address, which sends a notice. @returns whether that was sent */
async function signsUp(person: Browser): Promise<boolean> {
  const { url } = await opened(person);
  const form = await person.open(url.replace('/hosted/sign-in', '/hosted/sign-up'));
  return (await person.submit(form, { email, password: PASSWORD })).url.includes('/hosted/sign-up/code');
}

/** Requests repeatedly, as often as a minute allows. @returns how often it was sent */
async function insist(ask: (person: Browser) => Promise<boolean>, person: Browser, times: number): Promise<number> {
  let sent = 0;
  for (let time = 0; time < times; time += 1) {
    if (time % 3 === 0) clock.advance(61_000);
    if (await ask(person)) sent += 1;
  }
  return sent;
}

test('the default limits for each address are those in the README', () => {
  const limits = Object.fromEntries(BOUNDS.map((name) => [name, findLimit(name)]));
  expect(limits).toEqual({
    'page-message.network.daily': { limit: 10, windowSeconds: 86_400 },
    'page-message.everybody.daily': { limit: 50, windowSeconds: 86_400 },
    'page-message.known-browser.daily': { limit: 10, windowSeconds: 86_400 },
    'sign-in.email': { limit: 10, windowSeconds: 60 },
    'sign-in.email.hourly': { limit: 60, windowSeconds: 3_600 },
    'sign-in.email.everybody': { limit: 300, windowSeconds: 3_600 },
    'sign-in.known-browser': { limit: 10, windowSeconds: 60 },
    'sign-in.password.daily': { limit: 100, windowSeconds: 86_400 },
    'sign-in.password.everybody.daily': { limit: 1_000, windowSeconds: 86_400 },
    'sign-in.password.known-browser.daily': { limit: 100, windowSeconds: 86_400 },
  });
});

describe.each([
  ['a sign-in code', asksForCode],
  ['a link to reset the password', asksForReset],
  ['the mail of a sign-up', signsUp],
])('%s, requested by unknown clients', (_title, ask) => {
  test('is sent a few times a day for one network, while the owner in another network can still get one', async () => {
    expect(await insist(ask, inNetwork(network(1)), 6)).toBe(4);
    expect(await ask(inNetwork(OWN))).toBe(true);
  });

  test('is limited each day for all networks together, with a separate limit for a browser that the owner has used', async () => {
    const owner = await knownBrowser();
    let sent = 0;
    for (let at = 0; at < 15; at += 1) if (await ask(inNetwork(network(at)))) sent += 1;
    expect(sent).toBe(12);
    expect(await ask(inNetwork(OWN))).toBe(false);
    expect(await insist(ask, owner, 6)).toBe(4);
    clock.advance(86_400_000);
    expect(await ask(inNetwork('203.0.113.8'))).toBe(true);
  });
});

describe('wrong passwords from unknown clients', () => {
  const tries = async (person: Browser, times: number): Promise<number> => {
    const page = await named(person);
    let looked = 0;
    for (let time = 0; time < times; time += 1) {
      const { text } = await person.submit(page, { password: `guess ${time}` });
      if (text.includes('aria-invalid="true"')) looked += 1;
    }
    return looked;
  };
  const signsIn = async (person: Browser): Promise<boolean> =>
    isSignedIn(await person.submit(await named(person), { password: PASSWORD }));

  test('are limited each minute and hour for one network, without affecting other networks', async () => {
    const stranger = inNetwork(network(1));
    expect(await tries(stranger, 5)).toBe(4);
    expect(await signsIn(stranger)).toBe(false);
    expect(await signsIn(inNetwork(OWN))).toBe(true);
    // Attempts that the minute's limit rejected also count for the hour.
    let looked = 4;
    for (let minute = 0; minute < 3; minute += 1) {
      clock.advance(61_000);
      looked += await tries(stranger, 4);
    }
    expect(looked).toBe(10);
    expect(await signsIn(inNetwork(OWN))).toBe(true);
  }, 60_000);

  test('are limited each hour for all networks together, without affecting a browser that the owner has used', async () => {
    const owner = await knownBrowser();
    const networks = Array.from({ length: 9 }, (_, at) => inNetwork(network(at)));
    let looked = 1;
    for (const stranger of networks) looked += await tries(stranger, 4);
    expect(looked).toBe(30);
    expect(await signsIn(inNetwork(OWN))).toBe(false);
    expect(await signsIn(owner)).toBe(true);
    // The owner's own limit is four a minute in this test.
    expect(await tries(owner, 6)).toBe(3);
    clock.advance(3_601_000);
    expect(await signsIn(inNetwork(OWN))).toBe(true);
  }, 120_000);

  test('are also limited each day, without affecting a browser that the owner has used', async () => {
    const daily = { 'sign-in.password.daily': { limit: 6 }, 'sign-in.password.everybody.daily': { limit: 20 } };
    await set(api.environmentId, 'limits', { ...FEW, ...daily });
    const owner = await knownBrowser();
    let looked = 0;
    for (let hour = 0; hour < 4; hour += 1) {
      looked += await tries(inNetwork(network(1)), 2);
      clock.advance(3_601_000);
    }
    expect(looked).toBe(6);
    expect(await signsIn(inNetwork(network(1)))).toBe(false);
    expect(await signsIn(inNetwork(OWN))).toBe(true);
    for (let at = 2; at < 7; at += 1) looked += await tries(inNetwork(network(at)), 4);
    expect(looked).toBe(20);
    clock.advance(3_601_000);
    expect(await signsIn(inNetwork(OWN))).toBe(false);
    expect(await signsIn(owner)).toBe(true);
    await set(api.environmentId, 'limits', FEW);
  }, 120_000);

  test('also block a browser in which only another user has signed in', async () => {
    const [ada, eve] = [email, `eve${number}@example.com`];
    await api.create('/user_management/users', { email: eve, password: PASSWORD, email_verified: true });
    email = eve;
    const theirs = await knownBrowser(network(1));
    email = ada;
    expect(await tries(theirs, 6)).toBe(4);
    expect(await signsIn(theirs)).toBe(false);
  });
});
