import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Browser, Page } from '../../support/browser.ts';
import { receiver, type Receiver } from '../../support/receiver.ts';
import { call, idle, messages } from '../../support/service.ts';
import { authorizeUrl, makeUser, newPerson, PASSWORD } from './application.ts';

const EMAIL = 'ada@example.com';
const SECRET = 'the-secret-of-the-site';
const TOKEN = 'a-token-of-a-person';

let person: Browser;
let provider: Receiver;

beforeEach(async () => {
  person = await newPerson();
  provider = await receiver('/siteverify');
  provider.respondWith({ body: JSON.stringify({ success: true }) });
  await makeUser(EMAIL);
});

const configure = async (more: Record<string, unknown> = {}) => {
  const body = { provider: 'turnstile', site_key: '0x4AAA', secret_key: SECRET, verify_url: provider.url, ...more };
  return call<Record<string, unknown>>('PUT', '/x/pages/captcha', body);
};

/** The three pages that mail any address, with their forms. */
const FORMS: readonly (readonly [string, (first: Page) => Promise<Page>, Record<string, string>])[] = [
  [
    'a sign-up',
    (first) => person.open(first.url.replace('/hosted/sign-in', '/hosted/sign-up')),
    { email: 'new@example.com', password: PASSWORD },
  ],
  ['a sign-in code', (first) => person.submit(first, { email: EMAIL }), { do: 'code' }],
  [
    'a forgotten password',
    (first) => person.open(first.url.replace('/hosted/sign-in', '/hosted/forgot-password')),
    { email: EMAIL },
  ],
];

const openForm = async (open: (first: Page) => Promise<Page>): Promise<Page> =>
  open(await person.open(await authorizeUrl()));

async function countMails(): Promise<number> {
  await idle();
  return (await messages()).length;
}

describe.each(FORMS)('the captcha at %s', (_, open, fields) => {
  test('is not shown by default', async () => {
    const page = await openForm(open);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect([page.text.includes('data-sitekey'), policy.includes('cloudflare'), policy.includes('frame-src')]).toEqual([
      false,
      false,
      false,
    ]);
    expect((await person.submit(page, fields)).url).not.toBe(page.url);
    expect(await countMails()).toBe(1);
  });

  test('accepts a form if the provider accepts its token; the provider gets the secret and the client address', async () => {
    await configure();
    const page = await openForm(open);
    expect(page.text).toMatch(/class="captcha cf-turnstile"\s+data-sitekey="0x4AAA"/);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/script-src [^;]*https:\/\/challenges\.cloudflare\.com/);
    expect(policy).toContain('frame-src https://challenges.cloudflare.com');
    expect((await person.submit(page, { ...fields, 'cf-turnstile-response': TOKEN })).url).not.toBe(page.url);
    expect(provider.requests.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      { secret: SECRET, response: TOKEN, remoteip: '127.0.0.1', sitekey: '0x4AAA' },
    ]);
    expect(await countMails()).toBe(1);
  });

  test('rejects a form without a token, with one of another provider, and with one that the provider rejects', async () => {
    await configure();
    const page = await openForm(open);
    provider.respondWith({ body: JSON.stringify({ success: false, 'error-codes': ['timeout-or-duplicate'] }) });
    const attempts = [{}, { 'h-captcha-response': TOKEN }, { 'cf-turnstile-response': TOKEN }];
    for (const token of attempts) {
      const rejected = await person.submit(page, { ...fields, ...(token as Record<string, string>) });
      expect([token, rejected.status, rejected.text.includes('Confirm that you’re a person')]).toEqual([
        token,
        422,
        true,
      ]);
    }
    expect([provider.requests.length, await countMails()]).toEqual([1, 0]);
  });
});

describe('a provider that does not respond', () => {
  const [, [, open, fields]] = FORMS as [unknown, (typeof FORMS)[number]];

  test.each([
    ['an error', { status: 503 }],
    ['a text that is no JSON', { body: '<html>' }],
    ['a redirect', { status: 302, headers: { location: 'https://example.com' } }],
  ])('with %s does not block forms, unless the settings require that', async (_name, response) => {
    provider.respondWith(response);
    await configure();
    const page = await openForm(open);
    expect((await person.submit(page, { ...fields, 'cf-turnstile-response': TOKEN })).url).not.toBe(page.url);
    await configure({ fail_open: false });
    const next = await openForm(open);
    expect((await person.submit(next, { ...fields, 'cf-turnstile-response': TOKEN })).status).toBe(422);
    expect(await countMails()).toBe(1);
  });
});

describe('the configuration of the captcha', () => {
  test('is read without the secret, and removed', async () => {
    const { status, body } = await configure({ provider: 'hcaptcha' });
    const expected = { provider: 'hcaptcha', site_key: '0x4AAA', fail_open: true, verify_url: provider.url };
    expect([status, body]).toEqual([200, expected]);
    expect((await call('GET', '/x/pages/captcha')).body).toEqual(expected);
    const page = await person.open(
      (await person.open(await authorizeUrl())).url.replace('/hosted/sign-in', '/hosted/sign-up'),
    );
    const policy = page.headers.get('content-security-policy') ?? '';
    for (const directive of ['script-src', 'frame-src', 'style-src', 'connect-src'])
      expect(policy).toMatch(new RegExp(`${directive} [^;]*https://hcaptcha\\.com https://\\*\\.hcaptcha\\.com`));
    expect((await call('DELETE', '/x/pages/captcha')).status).toBe(204);
    expect((await call('GET', '/x/pages/captcha')).body).toMatchObject({ provider: null, site_key: '' });
  });

  test.each([
    ['site_key', { site_key: '"><script>' }],
    ['secret_key', { secret_key: '' }],
    ['verify_url', { verify_url: 'http://169.254.169.254/latest' }],
    ['provider', { provider: 'another' }],
  ])('with a wrong %s is rejected', async (field, more) => {
    const { status, body } = await configure(more);
    expect([status, JSON.stringify(body).includes(field)]).toEqual([400, true]);
  });
});

describe('the captcha at a sign-in code', () => {
  test('is not avoided by asking for another code without a first one, or to another address', async () => {
    await configure();
    const password = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
    const code = password.url.replace('/hosted/sign-in/password', '/hosted/sign-in/code');
    const open = await person.open(code);
    expect(new URL((await person.submit(open, { do: 'resend' })).url).pathname).toBe('/hosted/sign-in');
    expect([await countMails(), provider.requests.length]).toEqual([0, 0]);
    const again = await person.submit(await person.open(await authorizeUrl()), { email: EMAIL });
    const sent = await person.submit(again, { do: 'code', 'cf-turnstile-response': TOKEN });
    await person.submit(sent, { do: 'resend' });
    expect([await countMails(), provider.requests.length]).toEqual([2, 1]);
    await person.submit(await person.open(sent.url.replace('/code', '')), { email: 'other@example.com' });
    const other = await person.open(sent.url);
    expect(new URL((await person.submit(other, { do: 'resend' })).url).pathname).toBe('/hosted/sign-in');
    expect(await countMails()).toBe(2);
  });
});
