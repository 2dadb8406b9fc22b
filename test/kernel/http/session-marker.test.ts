import { afterAll, describe, expect, test } from '@jest/globals';

import { markSession, sharedDomain, unmarkSession } from '../../../functions/kernel/http/session-marker.ts';
import { forgetSettings } from '../../../functions/kernel/settings.ts';
import { registrableDomain } from '../../../lib/topology/registrable-domain.ts';

const VARIABLES = ['GATEHOUSE_BASE_URL', 'GATEHOUSE_REGISTRABLE_DOMAIN'] as const;
const before = VARIABLES.map((name) => process.env[name]);

/** Sets the two variables as the stack and the local service do. */
function serveAt(url: string): void {
  process.env.GATEHOUSE_BASE_URL = url;
  process.env.GATEHOUSE_REGISTRABLE_DOMAIN = registrableDomain(new URL(url).hostname);
  forgetSettings();
}

afterAll(() => {
  VARIABLES.forEach((name, at) => {
    if (before[at] === undefined) delete process.env[name];
    else process.env[name] = before[at];
  });
  forgetSettings();
});

const CLIENT = 'client_01KANKQ9VRAAAAAAAAAAAAAAAA';
const OTHER = 'client_01KANKQ9VRAAAAAAAAAAAAAAAB';
const carrying = (...values: string[]) => ({
  cookies: values.map((value) => `workos-has-session=${value}`),
  headers: {},
});

describe('the domain that a page and the service share', () => {
  test.each([
    ['https://auth.example.com', 'https://app.example.com', 'example.com'],
    ['https://auth.example.com', 'https://example.com', 'example.com'],
    ['https://auth.example.com', 'https://a.b.example.com:8443', 'example.com'],
    ['https://auth.example.com', 'https://auth.example.com', 'example.com'],
    ['https://auth.example.com', 'https://badexample.com', undefined],
    ['https://auth.example.com', 'https://example.org', undefined],
    ['https://auth.example.com', 'http://app.example.com', undefined],
    ['https://auth.example.com', 'null', undefined],
    ['https://auth.example.com', 'capacitor://localhost', undefined],
    // Hosts below a public suffix belong to different owners.
    ['https://auth.co.uk', 'https://app.co.uk', undefined],
    ['https://auth.example.co.uk', 'https://app.example.co.uk', 'example.co.uk'],
    ['https://acme.vercel.app', 'https://rival.vercel.app', undefined],
    ['https://a1.execute-api.eu-west-1.amazonaws.com', 'https://b2.execute-api.eu-west-1.amazonaws.com', undefined],
    ['https://d1.cloudfront.net', 'https://d2.cloudfront.net', undefined],
    ['http://auth.gatehouse.localhost:8787', 'http://app.gatehouse.localhost:3000', 'gatehouse.localhost'],
    ['http://auth.gatehouse.localhost:8787', 'http://app.elsewhere.localhost:3000', undefined],
    // A name of one label and an IP address have no registrable domain, so the cookie names no domain and belongs to the
    // host.
    ['http://localhost:8787', 'http://localhost:3000', ''],
    ['http://localhost:8787', 'http://127.0.0.1:3000', undefined],
    ['http://127.0.0.1:8787', 'http://127.0.0.1:3000', ''],
  ])('of %s and %s is %s', (service, page, domain) => {
    serveAt(service);
    expect(sharedDomain(page)).toBe(domain);
  });
});

describe('the readable session cookie', () => {
  test('names the shared domain, and is limited to TLS if the service uses it', () => {
    serveAt('https://auth.example.com');
    expect(markSession(carrying(OTHER), CLIENT, 'example.com')).toBe(
      `workos-has-session=${OTHER}.${CLIENT}; Path=/; Max-Age=31536000; SameSite=Lax; Domain=example.com; Secure`,
    );
    expect(unmarkSession(carrying(`${OTHER}.${CLIENT}`), CLIENT)).toBe(
      `workos-has-session=${OTHER}; Path=/; Max-Age=31536000; SameSite=Lax; Domain=example.com; Secure`,
    );
    expect(unmarkSession(carrying(CLIENT), CLIENT)).toBe(
      'workos-has-session=; Path=/; Max-Age=0; SameSite=Lax; Domain=example.com; Secure',
    );
  });

  test('keeps only valid client ids, however many cookies a browser sends', () => {
    serveAt('https://auth.example.com');
    const sent = carrying('1', `${OTHER}.x; Domain=evil.example`, `${CLIENT}.client_short.${OTHER}`);
    expect(markSession(sent, CLIENT, 'example.com').split(';', 1)).toEqual([`workos-has-session=${OTHER}.${CLIENT}`]);
  });
});
