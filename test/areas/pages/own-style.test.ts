import { beforeEach, describe, expect, test } from '@jest/globals';

import type { Browser, Page } from '../../support/browser.ts';
import { call } from '../../support/service.ts';
import { collectPages } from '../../browser/pictures/pages.ts';
import { authorizeUrl, newPerson } from './application.ts';

const EMAIL = 'ada@example.com';
const RULES = `/* Flat */
.card { border-radius: 0; box-shadow: 0 1px 2rem #0003, 0 0 4px var(--line) }
h1, .lead { text-align: center; font-size: 1.75rem }
.button:hover { letter-spacing: .06em }
input { border-width: 2px; padding: .5rem 1rem }
@media (prefers-color-scheme: dark) and (min-width: 30rem) { body { background-image: linear-gradient(180deg, var(--bg), var(--surface) 60%) } }`;

let person: Browser;

beforeEach(async () => {
  person = await newPerson();
});

interface Stored {
  css: string;
  errors?: { field: string; code: string; message: string }[];
  message: string;
}

const put = (css: unknown) => call<Stored>('PUT', '/x/pages/style', { css });

const open = async (more: Record<string, string> = {}): Promise<Page> => person.open(await authorizeUrl(more));

const readStyle = ({ text }: Page): string => /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';

describe('the own style rules of the pages', () => {
  test('are empty by default, and can be replaced and removed', async () => {
    expect((await call<Stored>('GET', '/x/pages/style')).body).toEqual({ css: '' });
    const { status, body } = await put(RULES);
    expect([status, body.css]).toEqual([
      200,
      '.card{border-radius:0;box-shadow:0 1px 2rem #0003,0 0 4px var(--line)}' +
        'h1,.lead{text-align:center;font-size:1.75rem}' +
        '.button:hover{letter-spacing:.06em}' +
        'input:not([type=hidden]):not([type=checkbox]){border-width:2px;padding:.5rem 1rem}' +
        '@media (prefers-color-scheme:dark) and (min-width:30rem){body{background-image:linear-gradient(180deg,var(--bg),var(--surface) 60%)}}',
    ]);
    expect((await call<Stored>('GET', '/x/pages/style')).body).toEqual(body);
    expect((await put('')).body).toEqual({ css: '' });
    expect(readStyle(await open())).not.toContain('letter-spacing:.06em');
  });

  test('are on the pages of sign-in, sign-up and passwords, under a policy with the digest of the style', async () => {
    const { body } = await put(RULES);
    const first = await open();
    const second = await person.submit(await open(), { email: EMAIL });
    const signUp = await open({ screen_hint: 'sign-up' });
    const forgot = await person.open(second.url.replace('/sign-in/password', '/forgot-password'));
    const { createHash } = await import('node:crypto');
    for (const page of [first, second, signUp, forgot]) {
      const style = readStyle(page);
      expect([page.url, style.endsWith(body.css)]).toEqual([page.url, true]);
      const digest = createHash('sha256').update(style).digest('base64');
      expect(page.headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}';`);
    }
  });

  test('are on no page of an approval, an invitation, a passkey, a second factor, a new device or the account', async () => {
    const pages = await collectPages('en', {}, RULES);
    const styled = [...pages].filter(([, text]) => /<style>[^<]*letter-spacing:\.06em[^<]*<\/style>/.test(text));
    expect(styled.map(([name]) => name).sort()).toEqual([
      'code',
      'code-wrong',
      'forgot',
      'forgot-sent',
      'password',
      'password-wrong',
      'reset',
      'sign-in',
      'sign-in-invalid',
      'sign-up',
      'sign-up-code',
      'sign-up-invited',
      'sign-up-wrong',
      'signed-out',
      'verify-email',
    ]);
    expect(pages.size).toBeGreaterThan(40);
  });

  test.each<[string, string, string]>([
    // Reading values by what a page loads.
    ['an attribute selector', 'input[value^="a"]{border-width:1px}', 'selector'],
    ['an address', '.card{background-image:url(https://evil.example/?a)}', 'value'],
    ['an address as text', '.card{background-image:"https://evil.example"}', 'value'],
    ['image-set', '.card{background-image:image-set("a.png" 1x)}', 'value'],
    ['another style sheet', '@import url(https://evil.example/a.css);', '@media'],
    ['a font', '@font-face{font-family:x;src:url(https://evil.example/a)}', '@media'],
    ['a name space', '@namespace url(https://evil.example);', '@media'],
    ['an address behind a variable', '.card{background-image:var(--bg, url(https://evil.example))}', 'value'],
    ['an attribute as value', '.card{background-image:attr(data-x url)}', 'value'],
    // Hiding texts.
    ['display', '.lead{display:none}', 'property'],
    ['visibility', 'footer{visibility:hidden}', 'property'],
    ['opacity', 'form{opacity:0}', 'property'],
    ['a text of no size', '.lead{font-size:0}', 'value'],
    ['a text of a negative size', '.lead{font-size:-20px}', 'value'],
    ['a text in the colour of its background', '.lead{color:var(--surface)}', 'property'],
    ['a background in the colour of a text', '.card{background-color:var(--text)}', 'value'],
    ['a clipped form', 'form{clip-path:inset(100%)}', 'property'],
    ['a height of zero', 'form{max-height:0}', 'only for'],
    ['an overflow', '.card{overflow:hidden}', 'property'],
    ['an indent', 'h1{text-indent:-999rem}', 'property'],
    ['a filter', 'body{filter:contrast(0)}', 'property'],
    ['a gap in a text', 'h1{letter-spacing:200px}', 'value'],
    ['the focus without outline', '.button:focus-visible{outline:none}', 'property'],
    // Covering, moving and faking texts.
    ['a position', '.brand{position:fixed}', 'property'],
    ['a margin that covers', '.button{margin-top:-9rem}', 'value'],
    ['a margin that moves the page out of the window', '.card{margin:9000px}', 'value'],
    ['a calculated margin', '.card{margin:calc(1px*9000)}', 'value'],
    ['spaces that leave no room for words', 'h1{padding:3rem}', 'value'],
    ['spaces of the card on another element', '.card,h1{padding-inline:40px}', 'value'],
    ['a margin with an exponent', '.card{margin:1e4px}', 'value'],
    ['a transformation', '.card{transform:translate(99rem)}', 'property'],
    ['a shadow over the whole page', '.card{box-shadow:0 0 0 200rem #fff}', 'value'],
    ['a shadow inside', '.card{box-shadow:inset 0 0 1px #fff}', 'value'],
    ['a shadow over the text before', '.button{box-shadow:0 -4rem #fff}', 'only for'],
    ['another order', '.button{order:-1}', 'property'],
    ['another direction', 'h1{direction:rtl}', 'property'],
    ['generated content', '.lead::before{content:"Approved"}', 'selector'],
    ['an animation', '.card{animation:x 1s}', 'property'],
    ['every property', '.card{all:unset}', 'property'],
    // Reaching other elements, and other ways to write the same.
    ['every element', '*{margin:0}', 'selector'],
    ['an alert', '.alert{padding:0}', 'selector'],
    ['elements with another', '.card:has(input){margin:0}', 'selector'],
    ['all but one', ':not(.card){margin:0}', 'selector'],
    ['a sibling', '.card+footer{margin:0}', 'selector'],
    ['an inherited name', 'constructor{margin:0}', 'selector'],
    ['an inherited name as property', '.card{constructor:1}', 'property'],
    ['a nested rule', '.card{margin:0;.lead{display:none}}', 'line 1'],
    ['a nested condition', '@media (min-width:1px){@media (min-width:1px){.card{margin:0}}}', 'rules only'],
    ['a condition of another kind', '@supports (display:grid){.card{margin:0}}', '@media'],
    ['another feature', '@media (forced-colors:active){.card{margin:0}}', '@media'],
    ['the medium of a printer', '@media print{.card{margin:0}}', '@media'],
    ['a layer', '@layer a{.card{margin:0}}', '@media'],
    ['a variable of the theme', 'body{--text:#fff}', 'property'],
    ['importance', '.card{margin:0!important}', 'important'],
    ['a property with an escape', '.lead{d\\69splay:none}', 'property'],
    ['a property for an old browser', '.card{*margin:0}', 'property'],
    ['the end of the style', '.card{margin:0}</style><script>alert(1)</script>', 'line 1'],
    ['the end of the style in a selector', 'h1,</style>{margin:0}', 'line 1'],
    ['a rule without an end in a text', '.card{font-style:"', 'line 1'],
  ])('are rejected with %s', async (_, css, reason) => {
    await put('.card{margin:0}');
    const { status, body } = await put(css);
    expect([css, status]).toEqual([css, 400]);
    expect(body.errors?.[0]).toMatchObject({ field: 'css', code: 'css_not_allowed' });
    expect(body.errors?.[0]?.message).toContain(reason);
    expect((await call<Stored>('GET', '/x/pages/style')).body).toEqual({ css: '.card{margin:0}' });
  });

  test('are rejected by the line of the fault, and above 4,096 bytes or as another type', async () => {
    const { body } = await put('.card { margin: 0 }\n\n.lead {\n  color: red }');
    expect(body.errors?.[0]?.message).toMatch(/^line 4: "color" is not an allowed property/);
    for (const css of ['/*'.padEnd(4_095, 'x') + '*/', undefined, null, 1, ['a']]) {
      expect((await put(css)).status).toBe(400);
    }
    expect((await put(`/*${'x'.repeat(4_093)}*/`)).status).toBe(400);
    expect((await put(`/*${'x'.repeat(4_092)}*/`)).status).toBe(200);
  });

  test('that are deeply nested or broken are rejected, and never cause a server error', async () => {
    const broken = [
      '{',
      '}',
      '@',
      '@media',
      '@media{',
      '(((',
      '[',
      '\\',
      '"',
      '/*',
      '<!--',
      'a{b:c',
      ';;;',
      '\u0000',
      '{}',
    ];
    for (const css of [
      ...broken,
      '{'.repeat(4_000),
      '('.repeat(4_000),
      '@media('.repeat(500),
      'h1{margin:'.padEnd(4_000, '('),
    ]) {
      const { status } = await put(css);
      expect([css.slice(0, 20), [200, 400].includes(status)]).toEqual([css.slice(0, 20), true]);
    }
  });
});
