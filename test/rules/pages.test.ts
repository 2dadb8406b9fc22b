import { describe, expect, test } from '@jest/globals';

import { pagesSettings } from '../../functions/kernel/pages/settings.ts';
import { chooseLanguage } from '../../functions/kernel/locale.ts';
import { contrast, readable, textOn } from '../../functions/kernel/pages/theme/colour.ts';
import { themeRules } from '../../functions/kernel/pages/theme/palette.ts';
import { LANGUAGES } from '../../functions/kernel/locale.ts';
import { acceptedLanguages, languageFor } from '../../functions/kernel/pages/words/index.ts';
import { page } from '../../functions/kernel/pages/layout.ts';
import { plainSurroundings } from '../../functions/kernel/pages/surroundings.ts';
import { readSource } from '../../functions/kernel/pages/headers.ts';

describe('colours', () => {
  test('have the contrast that WCAG 2.2 computes', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5);
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2);
  });

  test('that are derived from any accent have enough contrast on their background, in both schemes', () => {
    for (const accent of ['#ffff00', '#000000', '#ffffff', '#808080', '#ff0000', '#00ff99', '#1f4fd8']) {
      const rules = themeRules(pagesSettings.schema.parse({ light: { accent }, dark: { accent } }));
      const schemes = rules.split('@media');
      expect(schemes).toHaveLength(2);
      for (const scheme of schemes) {
        const of = (name: string): string => new RegExp(`--${name}:(#[0-9a-f]{6})`).exec(scheme)?.[1] ?? '';
        for (const name of ['link', 'muted', 'danger', 'success', 'text']) {
          expect({ accent, name, ok: contrast(of(name), of('surface')) >= 4.5 }).toEqual({ accent, name, ok: true });
        }
        expect(contrast(of('danger'), of('danger-soft'))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(of('success'), of('success-soft'))).toBeGreaterThanOrEqual(4.5);
        expect(contrast(of('on-accent'), of('accent'))).toBeGreaterThanOrEqual(4.5);
        for (const name of ['ring', 'control']) expect(contrast(of(name), of('surface'))).toBeGreaterThanOrEqual(3);
      }
    }
  });

  test('with too little contrast are rejected, with the measured contrast in the error', () => {
    const { error } = pagesSettings.schema.safeParse({ light: { text: '#999999' } });
    expect(error?.issues[0]?.path).toEqual(['light', 'text']);
    expect(error?.issues[0]?.message).toMatch(/2\.\d+ : 1, at least 4\.5 : 1/);
  });

  test('are mixed with another colour only as far as needed', () => {
    expect(readable('#1f4fd8', '#000000', ['#ffffff'], 4.5)).toBe('#1f4fd8');
    expect(contrast(readable('#ffe000', '#000000', ['#ffffff'], 4.5), '#ffffff')).toBeLessThan(6);
    expect(textOn('#ffe000')).toBe('#0b0d10');
  });
});

describe('settings', () => {
  test.each([
    ['a script as logo', { logo_url: 'javascript:alert(1)' }],
    ['a logo without encryption', { logo_url: 'http://example.com/logo.png' }],
    ['a page as logo', { logo_url: 'data:text/html;base64,PGI+' }],
    ['a style as colour', { light: { accent: 'red;} body{display:none' } }],
    ['a script as link', { terms_url: 'javascript:alert(1)' }],
    ['an origin with a path', { redirect_origins: ['https://example.com/x'] }],
    ['an origin that ends a directive', { redirect_origins: ['https://a;script-src'] }],
    ['an origin that begins a policy', { redirect_origins: ['https://a,b'] }],
    ['every origin', { redirect_origins: ['https://*'] }],
    ['a text that no page has', { texts: { en: { 'no.such': 'x' } } }],
  ])('reject %s', (_what, settings) => {
    expect(pagesSettings.schema.safeParse(settings).success).toBe(false);
  });
});

describe('texts of the pages', () => {
  const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();

  const folders = ['kernel/pages', 'kernel/messages', 'faces/portal', 'faces/account'];
  const translations = folders.flatMap((folder) =>
    LANGUAGES.filter((tag) => tag !== 'en').map((tag): [string, string] => [tag, folder]),
  );

  test.each(translations)(
    'in %s of %s have the same keys and placeholders as the English ones',
    async (tag, folder) => {
      const load = async (language: string): Promise<Record<string, string>> => {
        const module = (await import(`../../functions/${folder}/words/${language}.ts`)) as Record<string, object>;
        return (module[language] ?? Object.values(module)[0]) as Record<string, string>;
      };
      const [words, english] = await Promise.all([load(tag), load('en')]);
      expect(Object.keys(words)).toEqual(Object.keys(english));
      for (const [key, text] of Object.entries(english)) {
        expect([key, placeholders(words[key] ?? '')]).toEqual([key, placeholders(text)]);
      }
    },
  );

  test.each([
    ['de-CH-1996', 'de'],
    ['fr_CA', 'fr'],
    ['zh-HK', 'zh-TW'],
    ['zh-Hant', 'zh-TW'],
    ['zh-MO', 'zh-TW'],
    ['zh', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['iw-IL', 'he'],
    ['pt-PT', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['nb', 'en'],
    ['constructor', 'en'],
    ['"><script>', 'en'],
  ])('for %s are in %s', (asked, chosen) => {
    const tags = ['en', 'de', 'fr', 'pt-BR', 'zh-CN', 'zh-TW', 'he'];
    expect(chooseLanguage(tags, [asked, undefined])).toBe(chosen);
  });

  test('are in a requested language, the application’s before the browser’s', async () => {
    const preferences = { uiLocales: 'xx fr-CA', acceptLanguage: 'de;q=0.9, en;q=0.5', fallback: 'es' };
    expect((await languageFor(preferences, {}, {})).locale).toBe('fr');
    expect((await languageFor({ ...preferences, uiLocales: undefined }, {}, {})).locale).toBe('de');
    const none = await languageFor({ ...preferences, uiLocales: undefined, acceptLanguage: '*' }, {}, {});
    expect(none.locale).toBe('es');
  });

  test('of an environment replace the built-in ones, also in languages that are not built in', async () => {
    const texts = { sv: { 'sign_in.title': 'Logga in på {brand}' } };
    const preferences = { uiLocales: undefined, acceptLanguage: 'sv', fallback: undefined };
    const { locale, translate } = await languageFor(preferences, texts, { brand: 'Tulp' });
    expect([locale, translate('sign_in.title'), translate('sign_in.submit')]).toEqual([
      'sv',
      'Logga in på Tulp',
      'Sign in',
    ]);
  });

  test('are never read from the prototype of an object', async () => {
    const preferences = { uiLocales: undefined, acceptLanguage: 'en', fallback: undefined };
    const { translate } = await languageFor(preferences, {}, {});
    expect(translate('page.error', { title: '{constructor} {__proto__}' })).toBe('Error: {constructor} {__proto__}');
  });

  test('are chosen by the weights in Accept-Language, in which invalid languages are ignored', () => {
    expect(acceptedLanguages('en;q=0.2, de-AT, fr;q=0, "><script>;q=1, es;q=0.8')).toEqual(['de-AT', 'es', 'en']);
  });
});

describe('the brand of a page', () => {
  const logo = (name: string) => `https://${name}.example/logo.png`;
  const rendered = async (settings: object) => {
    const surroundings = await plainSurroundings({ headers: { 'accept-language': 'en' } });
    return page(
      { ...surroundings, brand: 'Nimbus', settings: pagesSettings.schema.parse(settings) },
      { title: 'Hello' },
    );
  };

  test('has a logo for each scheme, an icon, the colours of both schemes and a title, which its policy permits', async () => {
    const icon = 'https://icons.example/favicon.ico';
    const { body, headers } = await rendered({
      logo_url: logo('common'),
      favicon_url: icon,
      dark: { logo_url: logo('dark'), background: '#101010' },
    });
    expect(body).toContain(`<source srcset="${logo('dark')}" media="(prefers-color-scheme: dark)"`);
    expect(body).toContain(`<img src="${logo('common')}"`);
    expect(body).toContain(`<link rel="icon" href="${icon}"`);
    expect(body).toContain('content="#101010"');
    expect(body).toContain('<title>Hello – Nimbus</title>');
    const policy = headers['content-security-policy'] ?? '';
    for (const source of ['https://common.example', 'https://dark.example', 'https://icons.example'])
      expect(policy).toContain(source);
  });

  test('of one appearance has only the colours and the logo of that scheme', async () => {
    const logos = { light: { logo_url: logo('light') }, dark: { logo_url: logo('dark') } };
    const { body } = await rendered({ appearance: 'dark', ...logos });
    expect(body).toContain('<meta name="color-scheme" content="dark"');
    expect(body).toContain(`<img src="${logo('dark')}"`);
    expect(body).not.toMatch(/light\.example|prefers-color-scheme/);
  });
});

describe('the Content Security Policy source', () => {
  test.each([
    ['https://app.example.com/callback?x=1', 'https://app.example.com'],
    ['http://127.0.0.1:4000/cb', 'http://127.0.0.1:4000'],
    ['com.example.app:/callback', 'com.example.app:'],
    ['javascript:alert(1)', undefined],
    ['not an address', undefined],
    ['https://a;sandbox/callback', undefined],
    ['https://a,b/callback', undefined],
  ])('of %s is %s', (address, source) => {
    expect(readSource(address)).toBe(source);
  });
});
