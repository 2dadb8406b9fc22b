import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';

import { findMalformation } from '../../../functions/sign-in/sso/saml/well-formed.ts';
import { MalformedXml, parseXml } from '../../../functions/sign-in/sso/saml/xml.ts';
import { issueResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import { replaced } from '../../support/saml/forgeries.ts';
import { responseValues, signedResponse, toBase64, verifyHere } from '../../support/saml/responses.ts';

const genuine = issueResponse(responseValues());
const inNameId = (text: string): string =>
  replaced(genuine, '>ada@example.com</saml:NameID>', `>${text}</saml:NameID>`);
const deep = (levels: number): string => '<a>'.repeat(levels) + '</a>'.repeat(levels);

const LAUGHS =
  '<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>';

/** Documents that contain a genuine signed response and are not parsed. */
const DOCUMENTS: readonly (readonly [string, string, string])[] = [
  ['a document type definition', `<!DOCTYPE samlp:Response>${genuine}`, 'document type'],
  ['an internal entity', `<!DOCTYPE r [<!ENTITY x "ada@example.com">]>${inNameId('&x;')}`, 'document type'],
  ['an external entity', `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${inNameId('&x;')}`, 'document type'],
  ['entities within entities', LAUGHS + inNameId('&c;'), 'document type'],
  ['a document type definition in the content', inNameId('<!DOCTYPE x>'), 'document type'],
  ['an entity that is not declared', inNameId('&x;'), 'well-formed'],
  ['a processing instruction', `<?xml-stylesheet href="x"?>${genuine}`, 'processing instruction'],
  ['a processing instruction in the content', inNameId('ada@example.com<?x .evil?>'), 'processing instruction'],
  ['5,000 levels', inNameId(deep(5000)), '64 levels'],
  ['65 levels', deep(65), '64 levels'],
  ['more than 8,192 elements', inNameId('<a/>'.repeat(8200)), '8,192'],
  ['more than 8,192 comments', inNameId('<!---->'.repeat(8200)), '8,192'],
  ['more than 256 KiB', inNameId('a'.repeat(262_144)), '256 KiB'],
  ['two root elements', genuine + genuine, 'well-formed'],
  ['text after the root element', `${genuine}ada`, 'well-formed'],
  ['an end tag that does not match', inNameId('<a></b>'), 'well-formed'],
  ['an element that is not closed', inNameId('<a>'), 'well-formed'],
  ['an attribute without quotes', inNameId('<a b=c></a>'), 'well-formed'],
  ['an attribute without value', inNameId('<a b></a>'), 'well-formed'],
  ['an attribute twice', inNameId('<a b="c" b="d"></a>'), 'well-formed'],
  [
    'an attribute twice, by two prefixes',
    inNameId('<a xmlns:x="urn:x" xmlns:y="urn:x" x:b="" y:b=""></a>'),
    'well-formed',
  ],
  ['a prefix without namespace', inNameId('<x:a></x:a>'), 'well-formed'],
  ['a prefix that is a property of objects', inNameId('<constructor:a></constructor:a>'), 'well-formed'],
  ['a namespace with a quotation mark', inNameId("<a xmlns:x='urn:\"'></a>"), 'well-formed'],
  ['a bare ampersand', inNameId('a & b'), 'well-formed'],
  ['a comment with two hyphens', inNameId('<!-- -- -->'), 'well-formed'],
  ['a reference to a forbidden character', inNameId('&#0;'), 'well-formed'],
  ['a reference to a surrogate', inNameId('&#xD800;'), 'well-formed'],
  ['a reference beyond Unicode', inNameId('&#x110000;'), 'well-formed'],
  ['a control character', inNameId('\u0001'), 'character'],
  ['U+FFFF', inNameId('\uFFFF'), 'character'],
  ['another encoding', `<?xml version="1.0" encoding="ISO-8859-1"?>${genuine}`, 'processing instruction'],
  ['XML 1.1', `<?xml version="1.1"?>${genuine}`, 'processing instruction'],
  ['the declaration after a space', ` <?xml version="1.0"?>${genuine}`, 'processing instruction'],
  ['nothing but space', '  ', 'well-formed'],
];

describe('documents that are rejected before they are parsed', () => {
  test.each(DOCUMENTS)('%s', (_, xml, detail) => {
    expect(verifyHere(toBase64(xml))).toMatchObject({
      isAccepted: false,
      reason: 'document',
      detail: expect.stringContaining(detail),
    });
  });

  test.each([
    ['bytes that are not UTF-8', Buffer.from([0x3c, 0x61, 0xff, 0x3e]).toString('base64'), 'UTF-8'],
    ['UTF-16', Buffer.from(`\uFEFF${genuine}`, 'utf16le').toString('base64'), 'UTF-8'],
    ['a value that is not base64', '<samlp:Response>', 'base64'],
    ['base64 of URLs', signedResponse().replaceAll('+', '-').replaceAll('=', '') + '_', 'base64'],
    ['an empty value', '', 'base64'],
    ['64 MiB', 'A'.repeat(67_108_864), '256 KiB'],
  ])('%s', (_, base64, detail) => {
    expect(verifyHere(base64)).toMatchObject({ reason: 'document', detail: expect.stringContaining(detail) });
  });

  test('do not include one with 64 levels of elements, an XML declaration, or comments and whitespace around the root', () => {
    expect(parseXml(deep(64), 4096).root.localName).toBe('a');
    expect(
      verifyHere(toBase64(`<?xml version="1.0" encoding="UTF-8"?>\n<!-- a -->${genuine}\n<!-- b -->\n`)).isAccepted,
    ).toBe(true);
    expect(verifyHere(signedResponse().replace(/(.{76})/g, '$1\r\n')).isAccepted).toBe(true);
  });

  test('the time to reject grows linearly with the length, for inputs that make parsers slow', () => {
    const slow = (count: number): readonly string[] => [
      `<a ${' '.repeat(count)}`,
      `<a${' b="c"'.repeat(count / 6)}`,
      '<'.repeat(count),
      `<a>${'&'.repeat(count)}`,
      `<a>${'&amp;'.repeat(count / 5)}</a`,
      `</${' '.repeat(count)}x>`,
      '<!--'.repeat(count / 4),
      `<${'a'.repeat(count)}`,
    ];
    for (const text of slow(250_000)) {
      const begin = process.cpuUsage();
      expect(findMalformation(text, 1_000_000)).toBeDefined();
      const { user } = process.cpuUsage(begin);
      expect(user / 1000).toBeLessThan(1500);
    }
  });
});

describe('values of a verified assertion', () => {
  test('a comment within a name does not truncate it, since the name is read from the signed bytes', () => {
    const { nameId } = { nameId: 'ada@example.com.evil.example' };
    const xml = replaced(issueResponse(responseValues({ nameId })), nameId, 'ada@example.com<!---->.evil.example');
    expect(verifyHere(toBase64(xml))).toMatchObject({ isAccepted: true, assertion: { nameId } });
  });

  test('a CDATA section and character references are read as the text that was signed', () => {
    const nameId = 'a&b <c>@example.com';
    const written = issueResponse(responseValues({ nameId }));
    const xml = replaced(written, 'a&amp;b &lt;c&gt;@example.com', '<![CDATA[a&b <c]]>&#62;@&#x65;xample.com');
    expect(verifyHere(toBase64(xml))).toMatchObject({ isAccepted: true, assertion: { nameId } });
  });

  test.each(['\u{1F9D1}\u200D\u{1F680} Zoë', 'a\u2028b', 'a\u0085b', 'שלום', 'ﬀ', '__proto__', '\uFFFD'])(
    'the value %j is returned as it was sent',
    (value) => {
      const outcome = verifyHere(
        signedResponse({ nameId: value, attributes: { __proto: value, [value]: [value, 'b'] } }),
      );
      expect(outcome).toMatchObject({ isAccepted: true, assertion: { nameId: value } });
      expect(outcome.isAccepted && outcome.assertion.attributes.at(-1)).toEqual({ name: value, values: [value, 'b'] });
    },
  );

  test('any attribute that XML can express is returned as it was sent', () => {
    const texts = fc
      .string({ unit: 'binary', maxLength: 40 })
      .filter(
        (text) =>
          !/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.test(text) &&
          text.trim() !== '' &&
          text.trim() === text,
      );
    fc.assert(
      fc.property(texts, (value) => {
        const outcome = verifyHere(signedResponse({ attributes: { a: value } }));
        expect(outcome.isAccepted && outcome.assertion.attributes).toEqual([{ name: 'a', values: [value] }]);
      }),
      { numRuns: 60 },
    );
  });

  test('no byte of a response can be changed without a rejection, unless the values stay the same', () => {
    const xml = genuine;
    const expected = verifyHere(toBase64(xml));
    if (!expected.isAccepted) throw new Error(expected.detail);
    const bytes = Buffer.from(xml);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] ?? 0) ^ change;
        const outcome = verifyHere(copy.toString('base64'));
        if (outcome.isAccepted) expect(outcome.assertion).toEqual(expected.assertion);
      }),
      { numRuns: 400 },
    );
  });

  test('random text is rejected, and causes no other exception', () => {
    const parts = fc.constantFrom(
      '<a',
      '>',
      '</a>',
      '/>',
      ' b="c"',
      '&amp;',
      '&',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<?x',
      '?>',
      'xmlns="d"',
      '"',
      "'",
      '=',
      'ä',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (texts) => {
        try {
          parseXml(texts.join(''), 1000);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedXml);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
