import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';

import { browserValue, isOwnPage } from '../../../functions/kernel/http/browser.ts';
import type { IncomingRequest } from '../../../functions/kernel/http/incoming-request.ts';
import { serveAt } from '../../support/base-url.ts';

const VALUE = 'A'.repeat(43);
const binding = { purpose: 'flow', id: '0000000000000001' } as const;
const from = (...cookies: string[]) => ({ cookies, headers: {} }) as unknown as IncomingRequest;

const before = process.env.GATEHOUSE_BASE_URL;

beforeEach(() => serveAt('https://auth.example.com'));
afterAll(() => serveAt(before));

describe('the cookie of a browser', () => {
  test('is ignored if another host of the domain could have set it', () => {
    expect(browserValue(from(`gatehouse_flow_0000000000000001=${VALUE}`), binding)).toBeUndefined();
    expect(browserValue(from(`__Host-gatehouse_flow_0000000000000001=${VALUE}`), binding)).toBe(VALUE);
    expect(browserValue(from('__Host-gatehouse_flow_0000000000000001=short'), binding)).toBeUndefined();
  });
});

describe('a form of a hosted page', () => {
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
  ])('with the headers %j is accepted as the page’s own: %s', (headers, own) => {
    expect(isOwnPage({ cookies: [], headers } as unknown as IncomingRequest)).toBe(own);
  });
});
