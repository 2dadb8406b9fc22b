import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

import { browserCookie, browserValue, isOwnPage, removalOfOldest } from '../../../functions/kernel/http/browser.ts';
import type { IncomingRequest } from '../../../functions/kernel/operation.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';

const VALUE = 'A'.repeat(43);
const binding = (at: number) => ({ purpose: 'flow', id: String(at).padStart(16, '0') });
const from = (...cookies: string[]) => ({ cookies, headers: {} }) as unknown as IncomingRequest;

const before = process.env.GATEHOUSE_BASE_URL;

function serveAt(url: string | undefined): void {
  if (url === undefined) delete process.env.GATEHOUSE_BASE_URL;
  else process.env.GATEHOUSE_BASE_URL = url;
  forgetSettings();
}

beforeEach(() => serveAt('https://auth.example.com'));
afterAll(() => serveAt(before));

describe('the cookie of a browser', () => {
  test('is of the host alone and goes over TLS, where the service does', () => {
    expect(browserCookie(binding(1), VALUE, { maxAgeSeconds: 60 })).toBe(
      `__Host-gatehouse_flow_0000000000000001=${VALUE}; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure`,
    );
    serveAt('http://localhost:8787');
    expect(browserCookie(binding(1), VALUE, { maxAgeSeconds: 60 })).not.toMatch(/__Host-|Secure/);
  });

  test('is not taken from one that a neighbouring host could have set', () => {
    expect(browserValue(from(`gatehouse_flow_0000000000000001=${VALUE}`), binding(1))).toBeUndefined();
    expect(browserValue(from(`__Host-gatehouse_flow_0000000000000001=${VALUE}`), binding(1))).toBe(VALUE);
    expect(browserValue(from('__Host-gatehouse_flow_0000000000000001=short'), binding(1))).toBeUndefined();
  });

  test('goes when there are many of its purpose: the oldest first, never its own, and none of others', () => {
    const cookies = [1, 2, 3, 4].map((at) => `__Host-gatehouse_flow_${binding(at).id}=${VALUE}`);
    const others = [
      'session=1',
      `__Host-gatehouse_page_${binding(9).id}=${VALUE}`,
      `gatehouse_flow_${binding(8).id}=x`,
    ];
    const removed = removalOfOldest(from(...others, ...cookies), binding(1), 2);
    expect(removed).toEqual([
      expect.stringMatching(/^__Host-gatehouse_flow_0000000000000002=; Path=\/; Max-Age=0;.*Secure$/),
    ]);
    expect(removalOfOldest(from(...others, ...cookies), binding(1), 3)).toEqual([]);
  });
});

describe('a form', () => {
  test.each([
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://auth.example.com' }, true],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ origin: 'https://auth.example.com.evil.example' }, false],
    [{ origin: 'http://auth.example.com' }, false],
    [{ origin: 'null' }, false],
    [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: 'null' }, false],
    [{ 'sec-fetch-site': 'none', origin: 'null' }, false],
  ])('with %j is the page’s own: %s', (headers, own) => {
    expect(isOwnPage({ cookies: [], headers } as unknown as IncomingRequest)).toBe(own);
  });
});
