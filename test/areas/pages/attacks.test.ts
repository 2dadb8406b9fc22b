import { beforeEach, describe, expect, test } from '@jest/globals';

import { pagesArea } from '../../../functions/faces/pages/area.ts';
import { browser, type Browser, type Page } from '../../support/browser.ts';
import { advance, call, messages, service } from '../../support/service.ts';
import {
  authorizeUrl,
  exchange,
  isAtApplication,
  mailedCode,
  makeUser,
  newPerson,
  PASSWORD,
  register,
} from './application.ts';

const EMAIL = 'ada@example.com';

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

const opened = async (more: Record<string, string> = {}, by = person): Promise<Page> =>
  by.open(await authorizeUrl(more));

/** The address and the fields of a form. */
const readForm = ({ text, url }: Page): { action: string; fields: Record<string, string> } => ({
  action: new URL((/<form[^>]*action="([^"]+)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&'), url).href,
  fields: Object.fromEntries(
    [...text.matchAll(/<input[^>]*name="([^"]*)"[^>]*value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  ),
});

/** Sends a page's form with the given changes, without following redirects. */
async function send(page: Page, changes: Record<string, string>, headers = {}, by = person): Promise<Page> {
  const { action, fields } = readForm(page);
  return by.request(action, { method: 'POST', body: new URLSearchParams({ ...fields, ...changes }), headers });
}

/** Every page, with the steps to reach it. */
async function everyPage(): Promise<[string, Page][]> {
  const { url } = await service();
  const signIn = await opened();
  const at = (path: string): Promise<Page> => person.open(signIn.url.replace('/hosted/sign-in', path));
  return [
    ['sign in', signIn],
    ['password', await person.submit(signIn, { email: EMAIL })],
    ['sign up', await at('/hosted/sign-up')],
    ['forgot password', await at('/hosted/forgot-password')],
    ['refused form', await person.submit(signIn, { email: 'nonsense' })],
    ['reset password', await person.open(`${url}/hosted/reset-password?token=x`)],
    ['invitation', await person.open(`${url}/hosted/invitation?invitation_token=x`)],
    ['device', await person.open(`${url}/device`)],
    ['signed out', await person.open(`${url}/hosted/signed-out`)],
    ['expired', await person.open(`${url}/hosted/sign-in?flow=x`)],
  ];
}

describe('every page', () => {
  test('forbids framing, runs only its own script and sends its forms only to the service', async () => {
    for (const [name, { headers, status }] of await everyPage()) {
      const policy = headers.get('content-security-policy') ?? '';
      const directives = Object.fromEntries(
        policy.split('; ').map((directive): [string, string] => {
          const [name = '', ...sources] = directive.split(' ');
          return [name, sources.join(' ')];
        }),
      );
      const { url } = await service();
      expect({ name, status: status < 500, ...directives }).toMatchObject({
        name,
        status: true,
        'default-src': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        'script-src': `${url}/hosted/assets/`,
        'style-src': expect.stringMatching(/^'sha256-[\w+/]{43}='$/) as unknown,
        'form-action': expect.stringMatching(/^'self'( https:\/\/app\.example\.com)?$/) as unknown,
      });
      expect(policy).not.toMatch(/unsafe|\*/);
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/) as unknown,
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test('allows only the registered redirect URI as a redirect target of forms', async () => {
    await register('com.example.app:/callback');
    const own = await opened({ redirect_uri: 'com.example.app:/callback' });
    expect(own.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;");
    await call('PUT', '/x/pages/settings', { redirect_origins: ['https://www.example.com'] });
    const more = await opened();
    expect(more.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://app.example.com https://www.example.com;",
    );
  });

  test('escapes names, addresses, hints, states and brands', async () => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
    const texts = { en: { 'sign_in.lead': `${evil} {brand}` } };
    await call('PUT', '/x/pages/settings', { brand_name: evil.slice(0, 80), texts });
    const pages = [
      await opened({ login_hint: evil, state: evil }),
      await person.submit(await opened(), { email: `${evil}@x` }),
      await person.open(`${(await service()).url}/device?user_code=${encodeURIComponent(evil)}`),
      await person.open(
        `${(await service()).url}/hosted/signed-out?client_id=${encodeURIComponent(evil.slice(0, 100))}`,
      ),
    ];
    for (const { text } of pages) {
      expect(text.replaceAll(/<script src="\/hosted\/assets\/[\w.-]+" defer><\/script>/g, '')).not.toMatch(
        /<script|<img/,
      );
      expect(text).not.toMatch(/value="">/);
    }
    expect(pages[0]?.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('returns the state parameter unchanged, whatever its characters', async () => {
    await makeUser(EMAIL);
    const state = `"><script>&state=2#x%00é\u{1F511}`;
    const second = await person.submit(await opened({ state }), { email: EMAIL });
    const done = new URL((await person.submit(second, { password: PASSWORD })).url);
    expect(done.searchParams.getAll('state')).toEqual([state]);
  });
});

describe('a form that another site sends', () => {
  test.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from a sibling', { 'sec-fetch-site': 'same-site' }],
    ['of another origin', { origin: 'https://evil.example' }],
    ['of a hidden origin', { origin: 'null' }],
  ])('%s is rejected and has no effect', async (_title, headers) => {
    await makeUser(EMAIL);
    const second = await person.submit(await opened(), { email: EMAIL });
    const rejected = await send(second, { password: PASSWORD }, headers);
    expect([rejected.status, rejected.text.includes('We couldn’t verify this request')]).toEqual([403, true]);
    expect(isAtApplication(await person.submit(second, { password: PASSWORD }))).toBe(true);
  });

  test.each<[string, boolean, Record<string, string> | 'of another browser', string]>([
    ['without the cookie of the page', true, {}, 'Allow cookies for this site'],
    ['without the page’s proof', false, { proof: '' }, 'This page was out of date'],
    ['with another proof', false, { proof: 'f'.repeat(64) }, 'This page was out of date'],
    ['with the proof that another browser was shown', false, 'of another browser', 'This page was out of date'],
  ])('%s has no effect and shows the page again', async (_title, isStranger, changes, notice) => {
    await makeUser(EMAIL);
    await call('PUT', '/x/pages/settings', { sign_in_form: 'email_and_password' });
    const page = await opened({ login_hint: EMAIL });
    const by = isStranger ? browser() : person;
    const { fields } = readForm(await browser().open(page.url));
    const own = changes === 'of another browser' ? { proof: fields.proof ?? '' } : changes;
    const response = await send(page, { password: PASSWORD, ...own }, {}, by);
    expect([response.status, response.headers.get('location')]).toEqual([302, expect.stringContaining('notice=')]);
    const { text } = await by.open(new URL(response.headers.get('location') ?? '', page.url).href);
    expect(text).toContain(notice);
  });

  test('is rejected by every page with a form', async () => {
    const flow = new URL((await opened()).url).searchParams.get('flow') ?? '';
    const taking = pagesArea.operations.filter(({ method, id }) => method === 'POST' && id.startsWith('pages.take_'));
    expect(taking.length).toBeGreaterThan(12);
    for (const { path, id } of taking) {
      const response = await call('POST', `${path}?flow=${flow}`, {}, { headers: { 'sec-fetch-site': 'cross-site' } });
      expect([id, response.status, response.body.code]).toEqual([id, 403, 'foreign_form']);
    }
  });

  test('is also rejected by the reset, invitation and device pages', async () => {
    const { url } = await service();
    await makeUser(EMAIL);
    const forgot = await person.open((await opened()).url.replace('/sign-in', '/forgot-password'));
    await person.submit(forgot, { email: EMAIL });
    const link = (await messages(EMAIL))[0]?.links[0] ?? '';
    const invited = await call<{ accept_invitation_url: string }>('POST', '/user_management/invitations', {
      email: 'bob@example.com',
    });
    for (const address of [link, `${url}/device`, invited.body.accept_invitation_url]) {
      const page = await person.open(address);
      const filled = { password: 'another set of tulips', user_code: 'BBBB-BBBB' };
      const rejected = await send(page, filled, { 'sec-fetch-site': 'cross-site' });
      expect([address, rejected.status]).toEqual([address, 403]);
      const other = browser();
      const { fields } = readForm(await other.open(address));
      for (const [by, proof] of [
        [browser(), readForm(page).fields.proof],
        [person, fields.proof],
        [person, ''],
      ] as const) {
        const stale = await send(page, { ...filled, proof: proof ?? '' }, {}, by);
        expect([address, stale.status, stale.headers.get('location')]).toEqual([
          address,
          302,
          expect.stringMatching(/notice=(stale|cookies)$/),
        ]);
      }
    }
  });
});

describe('a browser session', () => {
  const sessionCookie = async (): Promise<string | undefined> => {
    const { host } = new URL((await service()).url);
    return [...person.cookies(host)].find(([name]) => name.includes('gatehouse_session'))?.[1];
  };

  const signIn = async (more = {}): Promise<Page> => {
    const second = await person.submit(await opened({ prompt: 'login', ...more }), { email: EMAIL });
    return person.submit(second, { password: PASSWORD });
  };

  test('gets a new cookie at every sign-in, and a cookie that an attacker planted is invalid', async () => {
    const id = await makeUser(EMAIL);
    const { host } = new URL((await service()).url);
    const { clientId } = await service();
    const planted = `${id}.${'A'.repeat(43)}`;
    person.cookies(host).set(`gatehouse_session_${clientId.slice(-16)}`, planted);
    expect(isAtApplication(await opened())).toBe(false);
    await signIn();
    const first = await sessionCookie();
    await signIn();
    const second = await sessionCookie();
    expect(new Set([planted, first, second]).size).toBe(3);
    const thief = browser();
    thief.cookies(host).set(`gatehouse_session_${clientId.slice(-16)}`, first ?? '');
    expect(isAtApplication(await opened({}, thief))).toBe(false);
    expect(isAtApplication(await opened())).toBe(true);
  });

  test('uses cookies that scripts cannot read and other sites cannot send', async () => {
    await makeUser(EMAIL);
    const page = await opened();
    const second = await send(page, { email: EMAIL });
    const at = await person.open(new URL(second.headers.get('location') ?? '', page.url).href);
    const done = await send(at, { password: PASSWORD });
    const lines = [...page.headers.getSetCookie(), ...done.headers.getSetCookie()];
    expect(lines.length).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line).toMatch(/; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
  });
});

describe('a sign-in', () => {
  test('continues only in the browser that began it', async () => {
    await makeUser(EMAIL, { email_verified: false });
    const second = await person.submit(await opened(), { email: EMAIL });
    const verify = await person.submit(second, { password: PASSWORD });
    const thief = browser();
    for (const address of [verify.url, second.url]) {
      expect((await thief.open(address)).text).toContain('This page has expired');
    }
    const stolen = await send(verify, { code: await mailedCode(EMAIL) }, {}, thief);
    expect(stolen.text).toContain('This page has expired');
    expect(isAtApplication(await person.submit(verify, { code: await mailedCode(EMAIL) }))).toBe(true);
  });

  test('whose form is sent twice completes once, and both responses have the same redirect', async () => {
    await makeUser(EMAIL);
    const second = await person.submit(await opened(), { email: EMAIL });
    const [one, other] = await Promise.all([
      send(second, { password: PASSWORD }),
      send(second, { password: PASSWORD }),
    ]);
    const third = await send(second, { password: PASSWORD });
    const places = [one, other, third].map(({ headers }) => headers.get('location') ?? '');
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toMatch(/^https:\/\/app\.example\.com\/callback\?code=/);
    await exchange(places[0] ?? '');
    await expect(exchange(places[1] ?? '')).rejects.toThrow('invalid_grant');
  });

  test('expires after an hour, and its page links back to the application', async () => {
    const page = await person.submit(await opened(), { email: EMAIL });
    await advance(3_601);
    const ended = await person.submit(page, { password: PASSWORD });
    expect(ended.text).toContain('This page has expired');
    expect(ended.text).toMatch(/<a class="button" href="https:\/\/app\.example\.com">Back to/);
  });

  test('redirects only to the application’s redirect URI', async () => {
    await makeUser(EMAIL);
    for (const redirect_uri of [
      'https://evil.example/callback',
      'https://app.example.com.evil.example/callback',
      'https://app.example.com@evil.example/callback',
      'https://app.example.com\\@evil.example/callback',
    ]) {
      const response = await person.request(await authorizeUrl({ redirect_uri }));
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
    }
    const page = await opened();
    for (const more of [
      '&redirect_uri=https://evil.example',
      '&return_to=//evil.example',
      '&home=https://evil.example',
    ]) {
      const { text, headers } = await person.open(`${page.url}${more}`);
      expect(`${text}${headers.get('content-security-policy')}`).not.toContain('evil.example"');
    }
    const other = (character = ''): string => (character === 'x' ? 'y' : 'x');
    const changed = (flow: string): string => `flow=${flow.slice(0, -20)}${other(flow.at(-20))}${flow.slice(-19)}`;
    const forged = page.url.replace(/flow=(\w+)/, (_, flow: string) => changed(flow));
    expect((await person.open(forged)).text).toContain('This page has expired');
  });

  test('reaches the limit of an address after the same number of attempts with and without an account', async () => {
    await makeUser(EMAIL);
    const counts: number[] = [];
    for (const email of [EMAIL, 'nobody@example.com']) {
      const page = await person.submit(await opened(), { email });
      let tries = 0;
      while (tries < 15) {
        const { text, status } = await send(page, { password: 'not the right one' });
        expect(status).toBe(422);
        if (text.includes('Too many attempts')) break;
        tries += 1;
      }
      counts.push(tries);
    }
    expect(counts).toEqual([10, 10]);
  });
});

describe('user codes of devices', () => {
  test('are filled in from a link, but not submitted', async () => {
    const { clientId, url } = await service();
    const { body } = await call<{ user_code: string; verification_uri_complete: string }>(
      'POST',
      '/user_management/authorize/device',
      { client_id: clientId },
      { apiKey: null },
    );
    const page = await person.open(body.verification_uri_complete);
    expect(page.url).toBe(`${url}/device?client_id=${clientId}&user_code=${body.user_code}`);
    expect(page.text).toContain(`value="${body.user_code}"`);
    expect(page.text).not.toContain('Allow this device?');
  });
});
