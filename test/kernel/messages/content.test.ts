import { describe, expect, test } from '@jest/globals';

import { emailAddress, phoneNumber } from '../../../functions/kernel/address.ts';
import { readMessageSettings } from '../../../functions/kernel/messages/brand.ts';
import { pick } from '../../../functions/kernel/locale.ts';
import { readableOn, renderMail } from '../../../functions/kernel/messages/render.ts';
import { itContactInvitation } from '../../../functions/kernel/messages/templates/it-contact-invitation.ts';
import { oneLine } from '../../../functions/kernel/messages/text.ts';
import { formatSender } from '../../../functions/messages/sender.ts';

const brand = { name: 'Acme', logoUrl: undefined, colour: '#1f4fd8', supportEmail: 'help@acme.example' };

const invitation = {
  organizationName: 'Foo Corp',
  intents: ['sso', 'directory_sync'] as ('sso' | 'directory_sync')[],
  setupUrl: 'https://auth.example.com/setup?token=abc&x=1',
  expiresAt: '2026-11-27T10:00:00.000Z',
};

const render = (values: Partial<typeof invitation> = {}, under = brand) =>
  renderMail(
    itContactInvitation.email?.en({ ...invitation, ...values }, { brand: under, locale: 'en' }) as never,
    under,
    'en',
  );

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
    expect(html).toContain('<html lang="en" dir="ltr">');
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
  test.each(['de', 'fr', 'es'])('is completely translated to %s', (locale) => {
    const blocks = [{ kind: 'action' as const, label: '-', url: 'https://example.com/' }];
    const { text, html } = renderMail({ subject: '-', preheader: '-', heading: '-', blocks }, brand, locale);
    expect(`${text}${html}`).not.toMatch(/Questions\?|If the button/);
    expect(text).toContain('help@acme.example');
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
  const words = { en: 'en', de: 'de', 'pt-BR': 'pt-BR' };

  test.each([
    [['de-CH-1996'], 'de'],
    [['pt_br'], 'pt-BR'],
    [['fr', 'de'], 'de'],
    [['fr', undefined], 'en'],
    [['de-x-private'], 'de'],
    [['constructor'], 'en'],
    [[''], 'en'],
  ])('for %j are in %s', (preferences, locale) => expect(pick(words, preferences)).toEqual({ locale, words: locale }));

  test('on one line keep their characters', () => {
    expect(oneLine('  a\r\n\tb\u0085c  ')).toBe('a b c');
    expect(oneLine('😀😀😀', 2)).toBe('😀…');
  });
});

describe('a brand', () => {
  test('has the name of its environment by default', () => {
    expect(readMessageSettings({ name: 'Production' })).toEqual({
      brand: { name: 'Production', logoUrl: undefined, colour: '#1f4fd8', supportEmail: undefined },
      locale: undefined,
    });
  });

  test('ignores invalid settings and uses the valid ones', () => {
    const settings = {
      messages: {
        brand: { name: 'Acme', logo_url: 'http://insecure.example/x.png', colour: 'red;}', support_email: 'nobody' },
        locale: 'de',
      },
    };
    expect(readMessageSettings({ name: 'Production', settings })).toEqual({
      brand: { name: 'Acme', logoUrl: undefined, colour: '#1f4fd8', supportEmail: undefined },
      locale: 'de',
    });
    for (const broken of [null, 7, 'x', { messages: 7 }, { messages: { brand: null } }]) {
      expect(readMessageSettings({ name: 'P', settings: broken }).brand.name).toBe('P');
    }
  });

  test('has a readable button in any colour', () => {
    expect(readableOn('#ffffff')).toBe('#000000');
    expect(readableOn('#ffe600')).toBe('#000000');
    expect(readableOn('#1f4fd8')).toBe('#ffffff');
    expect(readableOn('#000000')).toBe('#ffffff');
  });
});
