import { describe, expect, test } from '@jest/globals';

import { issueResponse } from '../../../functions/sso/saml/issue.ts';
import { replaced } from '../../support/saml/forgeries.ts';
import { responseValues, signedResponse, toBase64, verifyHere } from '../../support/saml/responses.ts';

/** The minimum CPU time in ms of a verification, after the first ones, since other tests slow each of them down. */
function measure(base64: string, samples: number): number {
  const found = Array.from({ length: samples + 25 }, () => {
    const begin = process.cpuUsage();
    verifyHere(base64);
    const { user, system } = process.cpuUsage(begin);
    return (user + system) / 1000;
  });
  return Math.min(...found.slice(25));
}

const groups = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`);

describe('the CPU time of a verification', () => {
  test('is below 15 ms for a typical response', () => {
    expect(measure(signedResponse(), 15)).toBeLessThan(15);
  });

  test.each(['assertion', 'both'] as const)('is below 80 ms with 150 groups, signed: %s', (signed) => {
    expect(measure(signedResponse({ signed, attributes: { groups: groups(150) } }), 9)).toBeLessThan(80);
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
