import { beforeEach, describe, expect, test } from '@jest/globals';

import { LANGUAGES } from '../../../functions/kernel/locale.ts';
import { templateNames } from '../../../functions/kernel/messages/templates/index.ts';
import { PAGES } from '../../../lib/local/page/brand/brand.ts';
import { listMails } from '../../../functions/outbound/messages/preview/apart.ts';
import { call, reset } from '../../support/service.ts';
import { send, visit } from './visit.ts';

beforeEach(() => reset({ calm: true }));

const frame = (show: string, more: Record<string, string> = {}) =>
  visit(`/brand/frame?${new URLSearchParams({ show, ...more }).toString()}`);

describe('the brand page', () => {
  test('shows each page of a sign-in, of the account and of the portal, and each mail', async () => {
    expect(listMails()).toEqual(templateNames().filter((name) => name !== 'sms-code'));
    const { text } = await visit('/brand');
    for (const show of [
      ...Object.values(PAGES)
        .flat()
        .map(({ name }) => `page:${name}`),
      ...listMails().map((name) => `mail:${name}`),
    ]) {
      expect(text).toContain(`<option value="${show}"`);
      const opened = await frame(show);
      expect([show, opened.status, opened.text.includes('<h1')]).toEqual([show, 200, true]);
    }
  });

  test('shows them in every language, with its direction', async () => {
    const titles = new Set<string>();
    for (const locale of LANGUAGES) {
      for (const show of ['page:sign-in', 'mail:magic-auth']) {
        const { text } = await frame(show, { locale });
        expect(text).toMatch(
          new RegExp(`<html lang="${locale}" dir="${['ar', 'he'].includes(locale) ? 'rtl' : 'ltr'}"`),
        );
        titles.add(/<title>([^<]*)/.exec(text)?.[1] ?? '');
      }
    }
    expect(titles.size).toBe(2 * LANGUAGES.length);
  });

  test('shows a page and a mail in the chosen scheme on any machine', async () => {
    expect((await frame('page:sign-in', { scheme: 'dark' })).text).toContain(
      '<meta name="color-scheme" content="dark"',
    );
    expect((await frame('page:sign-in', { scheme: 'light' })).text).toContain(
      '<meta name="color-scheme" content="light"',
    );
    expect((await frame('mail:invitation', { scheme: 'dark' })).text).toContain('@media all{');
    expect((await frame('mail:invitation', { scheme: 'light' })).text).toContain('@media not all{');
  });

  test('uses the current settings of the brand', async () => {
    await call('PUT', '/x/pages/settings', { brand_name: 'Looms & Co', light: { accent: '#aa0055' } });
    const { text } = await frame('page:sign-in');
    expect(text).toContain('Looms &amp; Co');
    expect(text).toContain('--accent:#aa0055');
    expect((await frame('mail:invitation')).text).toContain('#aa0055');
  });

  test('shows the sample pages and mails in a sandbox that executes no script', async () => {
    const { headers } = await frame('page:sign-in');
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
    expect((await visit('/brand')).text).toContain('sandbox=""');
  });

  test('shows the first page for unknown values', async () => {
    const { text } = await frame('page:unknown', { locale: '"><script>', scheme: 'x' });
    expect(text).toContain('<html lang="en"');
    expect((await visit('/brand?show=%22%3E%3Cscript%3E')).text).not.toContain('"><script>');
  });

  const palette = { accent: '#7a1fa2', background: '#ffffff', surface: '#ffffff', text: '#1d1228' };
  const form = (text: string): Record<string, string> => ({
    brand_name: 'Looms & Co',
    font: 'serif',
    appearance: 'light',
    sign_in_form: 'email_first',
    provider_position: 'above',
    stay_signed_in: 'always',
    radius: '4',
    show: 'page:account',
    locale: 'de',
    ...Object.fromEntries(
      ['light', 'dark'].flatMap((scheme) =>
        Object.entries({ ...palette, text }).map(([name, value]) => [`${scheme}.${name}`, value]),
      ),
    ),
  });

  test('changes the brand by its form, keeps settings that the form does not have, and shows the page again', async () => {
    await call('PUT', '/x/pages/settings', { brand_name: 'Nimbus', texts: { en: { 'sign_in.lead': 'Hello.' } } });
    const { status, headers } = await send('brand', form(palette.text));
    expect([status, headers.get('location')]).toEqual([303, '/_local/brand?show=page%3Aaccount&locale=de&done=brand']);
    const { body } = await call<Record<string, unknown>>('GET', '/x/pages/settings');
    expect(body).toMatchObject({
      brand_name: 'Looms & Co',
      font: 'serif',
      radius: 4,
      language_menu: false,
      light: { ...palette, logo_url: null },
      texts: { en: { 'sign_in.lead': 'Hello.' } },
    });
    const { text } = await visit(headers.get('location')?.slice('/_local'.length) ?? '');
    expect(text).toContain('The brand was changed.');
    expect(text).toContain('value="Looms &amp; Co"');
    expect(text).toMatch(/curl -X PUT[^<]*\/x\/pages\/settings/);
    expect((await frame('page:account', { locale: 'de' })).text).toContain('Looms &amp; Co');
  });

  test('changes the order of providers, the style rules, the texts and the captcha, each by its form', async () => {
    const chosen = { show: 'page:sign-in', locale: 'en' };
    await send('brand', { ...form(palette.text), provider_order: 'GoogleOAuth, GitHubOAuth' });
    const css = '.button:hover{letter-spacing:.06em}';
    await send('brand-style', { ...chosen, form: 'brand-style', css });
    await send('brand-texts', { ...chosen, form: 'brand-texts', texts: '{"en": {"sign_in.lead": "Hello there."}}' });
    const keys = { provider: 'turnstile', site_key: '1x00', secret_key: 'secret-of-the-site', fail_open: 'true' };
    const { status } = await send('brand-captcha', { ...chosen, form: 'brand-captcha', ...keys });
    expect(status).toBe(303);
    const { body } = await call<Record<string, unknown>>('GET', '/x/pages/settings');
    expect(body).toMatchObject({
      brand_name: 'Looms & Co',
      provider_order: ['GoogleOAuth', 'GitHubOAuth'],
      texts: { en: { 'sign_in.lead': 'Hello there.' } },
    });
    expect((await call('GET', '/x/pages/style')).body).toEqual({ css });
    expect((await call('GET', '/x/pages/captcha')).body).toMatchObject({ provider: 'turnstile', site_key: '1x00' });
    const { text } = await visit('/brand');
    for (const value of ['GoogleOAuth, GitHubOAuth', css, 'Hello there.', 'value="1x00"'])
      expect(text).toContain(value);
    expect(text).not.toContain('secret-of-the-site');
    expect((await frame('page:sign-in')).text).toContain(css);
    await send('brand-captcha', { ...chosen, form: 'brand-captcha', provider: '' });
    expect((await call('GET', '/x/pages/captcha')).body).toMatchObject({ provider: null });
  });

  test.each([
    ['brand-style', { css: '.lead{display:none}' }, 'display:none'],
    ['brand-texts', { texts: '{"en": ' }, 'not a JSON object'],
    ['brand-texts', { texts: '{"en": {"no.such.key": "x"}}' }, 'no.such.key'],
    ['brand-captcha', { provider: 'hcaptcha', site_key: 'a b', secret_key: 'hidden-key' }, 'site_key'],
  ])('rejects a wrong %s with the entered values, never a secret, and changes nothing', async (name, fields, part) => {
    const { status, text } = await send(name, { show: 'page:sign-in', locale: 'en', form: name, ...fields });
    expect(status).toBe(422);
    expect(text).toContain(part);
    expect(text).toMatch(new RegExp(`id="${name}"\\s+open`));
    expect(text).not.toContain('hidden-key');
    expect((await call('GET', '/x/pages/style')).body).toEqual({ css: '' });
    expect((await call('GET', '/x/pages/captcha')).body).toMatchObject({ provider: null });
  });

  test('rejects colours that are hard to read, with the reason and the entered values, and changes nothing', async () => {
    const { status, text } = await send('brand', form('#fefefe'));
    expect(status).toBe(422);
    expect(text).toContain('hard to read');
    expect(text).toContain('name="light.text" value="#fefefe"');
    expect((await call<{ brand_name: null }>('GET', '/x/pages/settings')).body.brand_name).toBeNull();
  });
});
