import { beforeEach, describe, expect, test } from '@jest/globals';

import { type Browser, browser } from '../../support/browser.ts';
import { advance, call, reset, service } from '../../support/service.ts';
import { webhookEvents } from './events.ts';
import { type ForgingProvider, forgingProvider } from './forging-provider.ts';
import {
  authorizeUrl,
  configure,
  enter,
  redeem,
  REDIRECT_URI,
  registerApplication,
  signIn,
  usersWith,
} from './sign-in.ts';

const ENDED = 'This sign-in has expired';

let provider: ForgingProvider;

beforeEach(async () => {
  await reset();
  provider = await forgingProvider();
  await Promise.all([registerApplication(), configure(provider.url)]);
});

/** The address of a browser's next redirect, without following it. */
const next = async (person: Browser, url: string): Promise<string> =>
  new URL((await person.request(url)).headers.get('location') ?? '', url).href;

/**
 * Navigates a browser to the provider.
 * @returns the provider's URL
 */
const toProvider = async (person: Browser, more: Record<string, string> = {}): Promise<string> =>
  next(person, await next(person, await authorizeUrl(more)));

/**
 * Navigates a browser until the provider redirects back.
 * @returns the callback's URL
 */
const toCallback = async (person: Browser, more: Record<string, string> = {}): Promise<string> =>
  next(person, await toProvider(person, more));

const changed = (address: string, members: Record<string, string | undefined>): string => {
  const url = new URL(address);
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
  }
  return url.href;
};

describe('a provider’s redirect back', () => {
  test('works only in the browser that was redirected to the provider (login CSRF)', async () => {
    const attacker = browser();
    const callback = await toCallback(attacker);
    expect((await browser().open(callback)).text).toContain(ENDED);
    expect(provider.requests).toHaveLength(0);
    expect((await attacker.open(callback)).url).toContain(REDIRECT_URI);
  });

  test('works once, also in parallel (replay)', async () => {
    const person = browser();
    const callback = await toCallback(person);
    const ends = await Promise.all(Array.from({ length: 10 }, () => person.request(callback)));
    expect(ends.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(ends.filter(({ text }) => text.includes(ENDED))).toHaveLength(9);
    expect((await person.open(callback)).text).toContain(ENDED);
    expect(provider.requests).toHaveLength(1);
  });

  test('rejects another browser’s code (code injection)', async () => {
    const [attacker, victim] = [browser(), browser()];
    const stolen = new URL(await toCallback(victim)).searchParams.get('code') ?? '';
    const own = await toCallback(attacker);
    const { url } = await attacker.open(changed(own, { code: stolen }));
    expect(new URL(url).searchParams.get('error')).toBe('server_error');
    expect(await usersWith('ada@example.com')).toEqual([]);
  });

  test('is rejected for another provider or another environment (mix-up)', async () => {
    await configure(provider.url, 'SlackOAuth');
    const person = browser();
    const callback = await toCallback(person);
    expect((await person.open(callback.replace('GoogleOAuth', 'SlackOAuth'))).text).toContain(ENDED);
    const { clientId } = await service();
    const elsewhere = callback.replace(clientId, `${clientId.slice(0, -1)}${clientId.endsWith('0') ? '1' : '0'}`);
    expect((await person.open(elsewhere)).text).toContain(ENDED);
    expect(provider.requests).toHaveLength(0);
    expect((await person.open(callback)).url).toContain(REDIRECT_URI);
  });

  test('of another issuer is rejected without sending its code (mix-up)', async () => {
    const person = browser();
    const { url } = await person.open(changed(await toCallback(person), { iss: 'https://evil.example' }));
    expect(new URL(url).searchParams.get('error')).toBe('server_error');
    expect(provider.requests).toHaveLength(0);
  });

  test('is rejected without sending its code if the provider’s configuration has changed in between', async () => {
    const evil = await forgingProvider();
    const person = browser();
    const callback = await toCallback(person);
    await configure(evil.url);
    const { url } = await person.open(callback);
    expect(new URL(url).searchParams.get('error')).toBe('temporarily_unavailable');
    expect([evil.requests, provider.requests]).toEqual([[], []]);
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['without a state', { state: undefined }],
    ['with a state that is none', { state: 'social_nonsense' }],
    ['with the application’s state', { state: 'of the application' }],
  ])('with %s is rejected', async (_title, members) => {
    const person = browser();
    expect((await person.open(changed(await toCallback(person), members))).text).toContain(ENDED);
  });

  test('without a code, or after the user cancelled, returns to the application with the reason', async () => {
    const person = browser();
    const bare = await person.open(changed(await toCallback(person), { code: undefined }));
    expect(new URL(bare.url).searchParams.get('error')).toBe('server_error');
    const denied = { code: undefined, error: 'access_denied', error_description: '"><script>alert(1)</script>' };
    const { url } = await person.open(changed(await toCallback(person), denied));
    expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: 'The provider denied the sign-in.',
      state: 'of the application',
    });
  });

  test('is rejected after half an hour', async () => {
    const person = browser();
    const callback = await toCallback(person);
    await advance(1_801);
    expect((await person.open(callback)).text).toContain(ENDED);
  });

  test('redirects only to the application’s own redirect URI', async () => {
    const person = browser();
    const callback = await toCallback(person);
    const evil = { redirect_uri: 'https://evil.example', return_to: 'https://evil.example', flow: 'x' };
    expect((await person.open(changed(callback, evil))).url.startsWith(REDIRECT_URI)).toBe(true);
  });

  test('cannot be framed, and reveals nothing', async () => {
    const { headers, text } = await browser().open(changed(await toCallback(browser()), {}));
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(/<main[^]*<\/main>/.exec(text)?.[0]).not.toMatch(/code/);
  });
});

describe('a sign-in through a provider', () => {
  test('that does not exist redirects to no provider', async () => {
    const { url } = await service();
    for (const flow of ['', 'x', 'login_flow_nonsense']) {
      expect((await browser().open(`${url}/x/social/start?flow=${flow}&provider=GoogleOAuth`)).text).toContain(ENDED);
    }
  });

  test('completes with its first code: another browser tab that returns from the provider gets an error', async () => {
    const person = browser();
    const start = await next(person, await authorizeUrl());
    const [one, other] = [await next(person, await next(person, start)), await next(person, await next(person, start))];
    expect((await person.open(one)).url).toContain(REDIRECT_URI);
    expect((await person.open(other)).text).toContain(ENDED);
  });

  test('has a unique state, nonce and code challenge', async () => {
    await Promise.all([signIn(), signIn(), signIn()]);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(new Set(provider.asked.map((query) => query[name])).size).toBe(3);
    }
  });

  test('is bound to the browser by an HttpOnly cookie', async () => {
    const person = browser();
    const response = await person.request(await next(person, await authorizeUrl()));
    expect(response.headers.get('set-cookie')).toMatch(
      /^gatehouse_social_\w+=[\w-]{43}; Path=\/; .*HttpOnly; SameSite=Lax/,
    );
  });

  test('returns a code that is bound to the application’s PKCE challenge', async () => {
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const { result: emitted } = await signIn({ code_challenge: challenge, code_challenge_method: 'S256' });
    expect((await redeem(emitted.code)).status).toBe(400);
  });

  test('emits events for success and failure', async () => {
    const events = await webhookEvents(['authentication.oauth_succeeded', 'authentication.oauth_failed']);
    const { user } = await enter();
    const person = browser();
    await person.open(changed(await toCallback(person), { code: undefined, error: 'access_denied' }));
    const emitted = await events();
    expect(emitted.find(({ event }) => event === 'authentication.oauth_succeeded')?.data).toMatchObject({
      type: 'oauth',
      status: 'succeeded',
      email: 'ada@example.com',
      user_id: user.id,
      ip_address: '127.0.0.1',
    });
    expect(emitted.find(({ event }) => event === 'authentication.oauth_failed')?.data).toMatchObject({
      type: 'oauth',
      status: 'failed',
      user_id: null,
      email: null,
      error: { code: 'access_denied', message: 'The provider denied the sign-in.' },
    });
  });
});

test('a disabled provider causes no redirect', async () => {
  await call('PUT', '/x/social/providers/GoogleOAuth', { enabled: false });
  expect((await signIn()).result).toMatchObject({ error: 'invalid_request' });
  expect(provider.asked).toEqual([]);
});
