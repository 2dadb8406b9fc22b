import { beforeEach, describe, expect, test } from '@jest/globals';

import { LANGUAGES } from '../../../functions/kernel/locale.ts';
import { templateNames } from '../../../functions/kernel/messages/templates/index.ts';
import { askAs, operatorGrant } from '../../support/console.ts';
import { visitConsole } from '../../support/console-pages.ts';
import { advance, call, idle, messages, reset } from '../../support/service.ts';

interface Preview {
  name: string;
  title: string;
  html: string;
  names: { name: string }[];
}

const preview = (path: string, query: Record<string, string> = {}) =>
  call<Preview & { code?: string }>('GET', `/x/${path}/preview?${new URLSearchParams(query).toString()}`);

beforeEach(() => reset({ calm: true }));

const KINDS = { pages: 20, account: 12, portal: 15, messages: 20 };

describe('a preview', () => {
  test('exists of every hosted page, section of the account, page of the portal and mail, and sends none', async () => {
    for (const [path, least] of Object.entries(KINDS)) {
      const { names } = (await preview(path)).body;
      expect(names.length).toBeGreaterThan(least);
      for (const { name } of names) {
        const { status, body } = await preview(path, { name });
        expect([name, status, body.html.includes('<h1')]).toEqual([name, 200, true]);
      }
    }
    const mails = (await preview('messages')).body.names.map(({ name }) => name);
    expect(mails).toEqual(templateNames().filter((name) => name !== 'sms-code'));
    await idle();
    expect(await messages('ada@acme.example')).toEqual([]);
  });

  test('has the language and the scheme of its query, and the brand of the environment', async () => {
    await call('PUT', '/x/pages/settings', { brand_name: 'Acme & Söhne 😀' });
    await advance(6);
    for (const path of Object.keys(KINDS)) {
      for (const locale of LANGUAGES) {
        const { body } = await preview(path, { locale });
        expect(body.html).toMatch(new RegExp(`<html[^>]* lang="${locale}"`));
        expect(body.html).toContain('Acme &amp; Söhne 😀');
      }
      const [light, dark] = [await preview(path), await preview(path, { scheme: 'dark' })];
      expect(light.body.html).not.toBe(dark.body.html);
    }
  });

  test('is rejected for an unknown name, language and scheme', async () => {
    for (const path of Object.keys(KINDS)) {
      for (const name of ['unknown', '😀\uffff', 'constructor', '__proto__'])
        expect((await preview(path, { name })).status).toBe(404);
      for (const query of [{ locale: 'xx' }, { scheme: 'blue' }, { name: 'x'.repeat(65) }])
        expect([400, 422]).toContain((await preview(path, query)).status);
    }
  });

  test('is open to operators who may see the configuration, and to no other', async () => {
    for (const path of Object.keys(KINDS).map((kind) => `/x/${kind}/preview`)) {
      expect((await askAs(await operatorGrant(['config.read']), 'GET', path)).status).toBe(200);
      expect((await askAs(await operatorGrant(['people.read']), 'GET', path)).status).toBe(403);
    }
  });
});

describe('the previews in the console', () => {
  test('have every page of a sign-in, of the account and of the portal, and every mail', async () => {
    const { person, open } = await visitConsole();
    for (const show of ['account:account-passkeys', 'portal:portal-domains']) {
      const page = await open(`previews?show=${show}&locale=fr`);
      expect([show, page.status]).toEqual([show, 200]);
      expect(page.text).toContain(`<option value="${show}" selected>`);
      expect([...page.text.matchAll(/<optgroup label="([^"]+)"/g)].map(([, label]) => label)).toEqual([
        'Pages of a sign-in',
        'Account page',
        'Portal',
        'Mails',
      ]);
      const [, address = ''] = /<iframe[^>]*src="([^"]+)"/.exec(page.text) ?? [];
      const framed = await person.open(new URL(address.replaceAll('&amp;', '&'), page.url).href);
      expect(framed.text).toContain('lang="fr"');
    }
  });

  test('are two frames without rights, in both schemes, of the chosen page or mail and language', async () => {
    const { person, open } = await visitConsole();
    const page = await open('previews?show=mail:magic-auth&locale=de');
    expect(page.headers.get('content-security-policy')).toContain("frame-src 'self'");
    const frames = [...page.text.matchAll(/<iframe[^>]*>/g)].map(([tag]) => tag);
    expect(frames.map((tag) => tag.includes('sandbox=""'))).toEqual([true, true]);
    expect(page.text).toContain('<option value="mail:magic-auth" selected>');
    for (const tag of frames) {
      const address = (/src="([^"]+)"/.exec(tag)?.[1] ?? '').replaceAll('&amp;', '&');
      const framed = await person.open(new URL(address, page.url).href);
      expect(framed.text).toContain('lang="de"');
      const policy = framed.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/);
      expect(policy).toContain("frame-ancestors 'self'");
    }
    for (const show of ['mail:unknown', 'account:sign-in', 'portal:account', 'constructor:x'])
      expect([show, (await open(`previews?show=${show}`)).status]).toEqual([
        show,
        show.startsWith('constructor') ? 200 : 404,
      ]);
    expect((await open('redirect-uris')).headers.get('content-security-policy')).not.toContain('frame-src');
  });
});
