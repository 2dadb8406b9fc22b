import { readFileSync } from 'node:fs';

import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

import {
  type CookieDeclaration,
  type CookiePurpose,
  COOKIES,
  MARKER,
  cookieValue,
  removeCookie,
  setCookie,
  withinBudget,
} from '../../../functions/kernel/http/cookies.ts';
import { serveAt } from '../../support/base-url.ts';

const VALUE = 'A'.repeat(43);
const binding = (at: number, purpose: CookiePurpose = 'flow') => ({ purpose, id: String(at).padStart(26, '0') });
const nameAndValue = (at: number, purpose?: CookiePurpose, value = VALUE): string =>
  setCookie(binding(at, purpose), value, { maxAgeSeconds: 60 }).split(';', 1)[0] ?? '';
const from = (...cookies: string[]) => ({ cookies, headers: {} });

const before = process.env.GATEHOUSE_BASE_URL;

beforeEach(() => serveAt('https://auth.example.com'));
afterAll(() => serveAt(before));

describe('a cookie of the service', () => {
  test('is limited to its host, and to TLS if the service uses it', () => {
    expect(setCookie(binding(1), VALUE)).toBe(
      `__Host-gatehouse_flow_0000000000000001=${VALUE}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax; Secure`,
    );
    expect(removeCookie(binding(1))).toBe(
      '__Host-gatehouse_flow_0000000000000001=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
    );
    expect(setCookie(binding(1, 'refresh'), VALUE, { maxAgeSeconds: 60 })).toBe(
      `__Host-gatehouse_refresh_0000000000000001=${VALUE}; Path=/; Max-Age=60; HttpOnly; SameSite=Strict; Secure`,
    );
    serveAt('http://localhost:8787');
    expect(setCookie(binding(1), VALUE)).not.toMatch(/__Host-|Secure/);
  });

  test('has the random part of an id in its name, so that two ids of one millisecond have different cookies', () => {
    const [first, second] = ['01KANKQ9VRAAAAAAAAAAAAAAAA', '01KANKQ9VRAAAAAAAAAAAAAAAB'];
    expect(setCookie({ purpose: 'flow', id: first }, VALUE)).not.toBe(
      setCookie({ purpose: 'flow', id: second }, VALUE),
    );
  });

  test('is read from API Gateway’s list and from the header, and never under a name without its prefix', () => {
    expect(cookieValue(from(nameAndValue(1)), binding(1))).toBe(VALUE);
    expect(cookieValue({ headers: { cookie: `x=1; ${nameAndValue(1)}` } }, binding(1))).toBe(VALUE);
    expect(cookieValue(from(nameAndValue(1).replace('__Host-', '')), binding(1))).toBeUndefined();
  });
});

describe('the cookies of the service in one browser', () => {
  const removedNames = (carried: string[], set: string[]): string[] =>
    withinBudget(from(...carried), set)
      .slice(set.length)
      .map((line) => {
        expect(line).toMatch(/^[^=]+=; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/);
        return line.split('=', 1)[0] ?? '';
      });
  const names = (cookies: string[]): string[] => cookies.map((cookie) => cookie.split('=', 1)[0] ?? '');
  const many = (count: number): string[] => Array.from({ length: count }, (_, at) => nameAndValue(at));

  test('are unchanged while they take less than 4 KB in total', () => {
    expect(removedNames(many(40), [setCookie(binding(99), VALUE)])).toEqual([]);
  });

  test('are removed beyond 4 KB, the oldest first', () => {
    const carried = many(60);
    const removed = removedNames(carried, [setCookie(binding(99), VALUE)]);
    const kept = [...carried.slice(removed.length), nameAndValue(99)];
    expect(removed).toEqual(names(carried.slice(0, removed.length)));
    expect(kept.join('; ').length).toBeLessThanOrEqual(4_096);
    expect([carried[removed.length - 1], ...kept].join('; ').length).toBeGreaterThan(4_096 - 3);
  });

  test('that outlive a sign-in are removed last, and those that the response sets are never removed', () => {
    const lasting = Array.from({ length: 60 }, (_, at) => nameAndValue(at, 'session'));
    const set = [setCookie(binding(0, 'session'), VALUE, { maxAgeSeconds: 60 })];
    const removed = removedNames([...lasting, nameAndValue(1, 'page')], set);
    expect(removed.slice(0, 2)).toEqual(names([nameAndValue(1, 'page'), lasting[1] ?? '']));
    expect(removed).not.toContain(names(lasting)[0]);
  });

  test('are removed without affecting cookies of other programs on the host', () => {
    const others = Array.from({ length: 100 }, (_, at) => `gatehouse_flow_${String(at).padStart(16, '0')}=${VALUE}`);
    expect(removedNames([...others, `application=${VALUE}`], [setCookie(binding(99), VALUE)])).toEqual([]);
  });
});

describe('the README of the kernel', () => {
  const words = (seconds: number): string => {
    const [count, unit] =
      seconds % 86_400 === 0
        ? [seconds / 86_400, 'day']
        : seconds % 3_600 === 0
          ? [seconds / 3_600, 'hour']
          : [seconds / 60, 'minute'];
    return `${count} ${unit}${count === 1 ? '' : 's'}`;
  };

  test('lists every cookie of the service as the code declares it', () => {
    const readme = readFileSync(new URL('../../../functions/kernel/README.md', import.meta.url), 'utf8');
    const [, section = ''] = readme.split('## Cookies');
    const rows = section
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .slice(1, -1)
          .split('|')
          .map((cell) => cell.trim()),
      );
    const all: [string, Omit<CookieDeclaration, 'isLasting'>][] = [
      ...Object.entries(COOKIES).map(([purpose, cookie]): [string, CookieDeclaration] => [
        `gatehouse_${purpose}_…`,
        cookie,
      ]),
      [MARKER.name, MARKER],
    ];
    const declared = all.map(([name, { sameSite, life, scope, proves }]) => [
      `\`${name}\``,
      '`/`',
      sameSite,
      typeof life === 'number' ? words(life) : life,
      scope,
      proves,
    ]);
    expect(rows).toEqual(declared);
  });
});
