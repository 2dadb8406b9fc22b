import { describe, expect, test } from '@jest/globals';

import { emailAddress, phoneNumber } from '../../../functions/kernel/address.ts';
import { readMessageSettings } from '../../../functions/kernel/messages/brand.ts';
import { LANGUAGES } from '../../../functions/kernel/locale.ts';
import type { Block } from '../../../functions/kernel/messages/content.ts';
import { renderMail } from '../../../functions/kernel/messages/render.ts';
import { describeDevice } from '../../../functions/kernel/messages/templates/request-facts.ts';
import { messageLanguageFor } from '../../../functions/kernel/messages/words/index.ts';
import { itContactInvitation } from '../../../functions/kernel/messages/templates/it-contact-invitation.ts';
import { oneLine } from '../../../functions/kernel/messages/text.ts';
import { formatSender } from '../../../functions/outbound/messages/sender.ts';

const brand = { name: 'Acme', logoUrl: undefined, colour: '#1f4fd8', supportEmail: 'help@acme.example' };

const invitation = {
  organizationName: 'Foo Corp',
  intents: ['sso', 'directory_sync'] as ('sso' | 'directory_sync')[],
  setupUrl: 'https://auth.example.com/setup?token=abc&x=1',
  expiresAt: '2026-11-27T10:00:00.000Z',
};

const settingIn = async (locale: string, under = brand) => ({
  ...(await messageLanguageFor([locale], {}, { brand: under.name })),
  brand: under,
  isCodeInSubject: false,
});

const english = await settingIn('en');

const render = (values: Partial<typeof invitation> = {}, under = brand) => {
  const setting = { ...english, brand: under };
  return renderMail(itContactInvitation.email?.({ ...invitation, ...values }, setting) as never, setting);
};

const renderBlocks = async (blocks: Block[], locale: string, under = brand) =>
  renderMail({ subject: '-', preheader: '-', heading: '-', blocks }, await settingIn(locale, under));

describe('an invitation of an IT contact', () => {
  test('contains the organization, the features, the link and its expiry, as text and as HTML', () => {
    const { subject, text, html } = render();
    expect(subject).toBe('Set up single sign-on and directory sync for Foo Corp');
    for (const part of [text, html]) {
      for (const text of ['Acme', 'Foo Corp', 'single sign-on', 'directory sync', 'November 27, 2026', 'UTC']) {
        expect(part).toContain(text);
      }
    }
    expect(text).toContain('\nhttps://auth.example.com/setup?token=abc&x=1\n');
    expect(html).toContain('href="https://auth.example.com/setup?token=abc&amp;x=1"');
  });

  test('is accessible: language, title, one heading, layout tables marked as such, and pictures with a text', () => {
    const { html } = render({}, { ...brand, logoUrl: 'https://acme.example/logo.png' } as never);
    expect(html).toContain('<html lang="en" dir="ltr" ');
    expect(html).toMatch(/<title>[^<]+<\/title>/);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html.match(/<table(?! role="presentation")/g)).toBeNull();
    expect(html).toContain('alt="Acme"');
  });

  test('escapes every value', () => {
    const evil = `<script>alert("1")</script>'&`;
    const { html } = render({ organizationName: evil }, { ...brand, name: evil });
    expect(html).not.toContain('<script');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
  });

  test('contains no value that injects a header or a line', () => {
    for (const breaking of ['\r\nBcc: all@example.com', '\nBcc: x', '\u2028Bcc: x', '\u0000x', '\u202Egpj.exe']) {
      const { subject, text } = render({ organizationName: `Foo${breaking}` });
      expect(subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/);
      expect(text).not.toMatch(/^Bcc/m);
    }
  });

  test('has a subject of limited length', () => {
    expect([...render({ organizationName: '𝒜'.repeat(5_000) }).subject]).toHaveLength(150);
  });

  test('links only to http and https', () => {
    expect(() => render({ setupUrl: 'javascript:alert(1)' })).toThrow(TypeError);
    expect(() => render({ setupUrl: 'data:text/html,x' })).toThrow(TypeError);
  });
});

describe('the layout of a mail', () => {
  const action: Block = { kind: 'action', label: 'Open', url: 'https://example.com/' };

  test.each(LANGUAGES.filter((tag) => tag !== 'en'))('is completely translated to %s', async (locale) => {
    const { text, html } = await renderBlocks([action], locale);
    expect(`${text}${html}`).not.toMatch(/Questions\?|If the button/);
    expect(text).toContain('help@acme.example');
  });

  test('has colours for a dark scheme, and a logo for each scheme if the brand has two', async () => {
    const logos = { logoUrl: 'https://acme.example/light.png', darkLogoUrl: 'https://acme.example/dark.png' };
    const { html } = await renderBlocks([action], 'en', { ...brand, ...logos } as never);
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(html).toMatch(/class="has-dark"[^>]+>.*src="https:\/\/acme\.example\/dark\.png"/s);
  });

  test('has a button of a table cell, and a shape with the same address for Outlook', async () => {
    const { html } = await renderBlocks([action], 'en');
    expect(html).toMatch(/<v:roundrect [^>]*href="https:\/\/example\.com\/"[^>]*fillcolor="#1f4fd8"/);
    expect(html).toMatch(/<td align="center" bgcolor="#1f4fd8"[^>]*><a href="https:\/\/example\.com\/"/);
  });

  test('shows a code so that one click selects it, and reads it from left to right in every language', async () => {
    const { html } = await renderBlocks([{ kind: 'code', code: '123456' }], 'en');
    expect(html).toMatch(/dir="ltr"[^>]*user-select:all[^>]*><strong>123456<\/strong>/);
  });
});

describe('the device of a request', () => {
  const chrome =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0 Safari/537.36';
  test.each([
    [chrome, 'Chrome, macOS'],
    [`${chrome} Edg/131.0`, 'Edge, macOS'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox, Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1 Version/18.1 Safari/604.1',
      'Safari, iPhone',
    ],
    ['curl/8.5.0', undefined],
    ['Call +1 555 0100 now', undefined],
    ['', undefined],
  ])('%s is named %s, without any text of its own', (userAgent, named) => {
    expect(describeDevice(userAgent)).toBe(named);
  });
});

describe('a sender', () => {
  test('has the brand’s name and the stage’s address', () => {
    expect(formatSender('Acme', 'Gatehouse <no-reply@example.com>')).toBe('"Acme" <no-reply@example.com>');
    expect(formatSender('Acme', 'no-reply@example.com')).toBe('"Acme" <no-reply@example.com>');
  });

  test('cannot get another address or header through the name of a brand', () => {
    expect(formatSender('x" <evil@example.com>, "y', 'no-reply@example.com')).toBe(
      '"x\\" <evil@example.com>, \\"y" <no-reply@example.com>',
    );
    expect(formatSender('x\r\nBcc: y@example.com', 'no-reply@example.com')).not.toMatch(/[\r\n]/);
  });

  test('with a name beyond ASCII is encoded in words of at most 75 characters', () => {
    const name = 'Ünïcödé Ĝesellschaft für Zügänge ☂ und Schlüssel';
    const encoded = formatSender(name, 'no-reply@example.com').replace(/ <.*$/, '').split(' ');
    expect(encoded.length).toBeGreaterThan(1);
    const decoded = encoded.map((word) => {
      expect(word.length).toBeLessThanOrEqual(75);
      return Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)?.[1] ?? '', 'base64').toString();
    });
    expect(decoded.join('')).toBe(name);
  });
});

describe('an address', () => {
  test.each([
    ['ada@example.com', 'ada@example.com'],
    ['Ada.Lovelace+x@EXAMPLE.com', 'Ada.Lovelace+x@example.com'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ["o'hara@sub.example.co", "o'hara@sub.example.co"],
  ])('%s is normalized to %s', (given, sent) => expect(emailAddress(given)).toBe(sent));

  test.each([
    '',
    'ada',
    '@example.com',
    'ada@',
    'ada@localhost',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@example.com\r\nBcc: eve@example.com',
    'ada@example.com,eve@example.com',
    'Ada <ada@example.com>',
    'a da@example.com',
    '.ada@example.com',
    'a..da@example.com',
    'ada@exa_mple.com',
    'ada@example.com:25',
    'ada@example.com/x',
    'ada@-example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(130)}com`,
    'ада@example.com',
  ])('%j is not an email address', (given) => expect(emailAddress(given)).toBeUndefined());

  test('of a phone is in E.164 form', () => {
    expect(phoneNumber('+49 (30) 1234-567')).toBe('+49301234567');
    for (const given of ['030 1234567', '+0301234567', '+1', '+1234567890123456', '+49\n301234567']) {
      expect(phoneNumber(given)).toBeUndefined();
    }
  });
});

describe('texts of mails and SMS', () => {
  test('of an environment replace the built-in ones', async () => {
    const texts = { de: { 'magic_auth.heading': 'Ihr Zugang zu {brand}' } };
    const { translate } = await messageLanguageFor(['de-AT'], texts, { brand: 'Acme' });
    expect([translate('magic_auth.heading'), translate('request.time')]).toEqual(['Ihr Zugang zu Acme', 'Zeit']);
  });

  test('on one line have single spaces, and are shortened between whole characters', () => {
    expect(oneLine('  a\r\n\tb\u0085c  ')).toBe('a b c');
    expect(oneLine('😀😀😀', 2)).toBe('😀…');
  });

  test('keep a bidirectional isolate around a value, and remove one that is open, nested or contains a line break', () => {
    expect(oneLine('a \u2068b\u2069.')).toBe('a \u2068b\u2069.');
    expect(oneLine('a \u2068b.')).toBe('a b.');
    expect(oneLine('a \u2068b\r\nBcc: c\u2069.')).toBe('a b Bcc: c .');
    expect(oneLine('\u2068\u202eb\u2069')).toBe('b');
  });

  test('have no blank between a name and the full stop of an Arabic sentence', async () => {
    const setting = await settingIn('ar');
    const { text, html } = renderMail(itContactInvitation.email?.(invitation, setting) as never, setting);
    for (const part of [text, html]) expect(part).toContain('\u2068Foo Corp\u2069');
    expect(text).not.toMatch(/ [.:]/);
  });
});

describe('a brand', () => {
  const defaults = { name: 'Production', logoUrl: undefined, colour: '#1f4fd8', supportEmail: undefined };

  test('has the name of its environment by default', () => {
    expect(readMessageSettings({ name: 'Production' })).toMatchObject({ brand: defaults, locale: undefined });
  });

  test('is that of the hosted pages if the messages have none', () => {
    const pages = {
      brand_name: 'Nimbus',
      logo_url: 'https://nimbus.example/logo.png',
      home_url: 'https://nimbus.example/',
      light: { accent: '#008060' },
    };
    const inherited = readMessageSettings({ name: 'Production', settings: { pages } }).brand;
    expect(inherited).toMatchObject({ name: 'Nimbus', logoUrl: pages.logo_url, colour: '#008060' });
    const messages = { brand: { name: 'Nimbus Mail', colour: '#ff0000' } };
    const own = readMessageSettings({ name: 'Production', settings: { pages, messages } }).brand;
    expect(own).toMatchObject({ name: 'Nimbus Mail', logoUrl: pages.logo_url, colour: '#ff0000' });
  });

  test('ignores invalid settings and uses the valid ones', () => {
    const settings = {
      messages: {
        brand: { name: 'Acme', logo_url: 'http://insecure.example/x.png', colour: 'red;}', support_email: 'nobody' },
        locale: 'de',
      },
    };
    expect(readMessageSettings({ name: 'Production', settings })).toMatchObject({
      brand: { ...defaults, name: 'Acme' },
      locale: 'de',
    });
    for (const broken of [null, 7, 'x', { messages: 7 }, { messages: { brand: null } }]) {
      expect(readMessageSettings({ name: 'P', settings: broken }).brand.name).toBe('P');
    }
  });
});
