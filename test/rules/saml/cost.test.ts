import { describe, expect, test } from '@jest/globals';
import { DOMParser } from '@xmldom/xmldom';

import { issueResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import { replaced } from '../../support/saml/forgeries.ts';
import { responseValues, signedResponse, toBase64, verifyHere } from '../../support/saml/responses.ts';

/** The minimum CPU time of a call in ms, after the first ones, since other tests slow each of them down. */
function measure(call: () => unknown, samples: number): number {
  const found = Array.from({ length: samples + 25 }, () => {
    const begin = process.cpuUsage();
    call();
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  });
  return Math.min(...found.slice(25));
}

/** A document of 2,000 elements, whose parsing shows how fast the machine is now. */
const REFERENCE = `<list>${'<item kind="one" xmlns:x="urn:x"><x:name>a text &amp; more</x:name></item>'.repeat(1_000)}</list>`;

/** The CPU time of a verification in units of the time in which the reference is parsed, so that it does not depend on the machine. */
function compare(base64: string, samples: number): number {
  const parse = () => measure(() => new DOMParser().parseFromString(REFERENCE, 'text/xml'), 9);
  const before = parse();
  const verifying = measure(() => verifyHere(base64), samples);
  return verifying / ((before + parse()) / 2);
}

const groups = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`);

describe('the CPU time of a verification', () => {
  test('is at most twice that of parsing 2,000 elements, for a typical response', () => {
    expect(compare(signedResponse(), 15)).toBeLessThan(2);
  });

  test.each([
    ['assertion', 5],
    ['both', 14],
  ] as const)('with 150 groups, signed: %s, is at most %i times that of parsing 2,000 elements', (signed, most) => {
    expect(compare(signedResponse({ signed, attributes: { groups: groups(150) } }), 9)).toBeLessThan(most);
  });

  test('is bounded for the largest document that an attacker can send', () => {
    const xml = issueResponse(responseValues());
    const room = 262_000 - xml.length;
    const filled = (part: string): string =>
      replaced(
        xml,
        '<samlp:Status>',
        `<samlp:Extensions>${part.repeat(Math.floor((room - 50) / part.length))}</samlp:Extensions><samlp:Status>`,
      );
    for (const part of ['<a/>', '<a b="c"/>', '<a xmlns:x="urn:x" x:b=""/>', 'text &amp; ', '<!-- -->']) {
      const base64 = toBase64(filled(part));
      const begin = process.cpuUsage();
      verifyHere(base64);
      const { user, system } = process.cpuUsage(begin);
      expect((user + system) / 1000).toBeLessThan(1500);
    }
  });
});
