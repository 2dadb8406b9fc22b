import { describe, expect, test } from '@jest/globals';

import { issueAround, issueAssertion } from '../../../functions/sign-in/sso/saml/issue.ts';
import { verifyResponse, type ResponseOutcome } from '../../../functions/sign-in/sso/saml/response.ts';
import { replaced } from '../../support/saml/forgeries.ts';
import {
  encryptAssertion,
  encryptedResponse,
  EXPECTED,
  keyPair,
  responseValues,
  toBase64,
  verifyHere,
  type EncryptionMethods,
} from '../../support/saml/responses.ts';

const XENC = 'http://www.w3.org/2001/04/xmlenc#';
const GCM = 'http://www.w3.org/2009/xmlenc11#aes256-gcm';
const CBC = `${XENC}aes128-cbc`;
const values = responseValues();

/** A response whose encrypted content is a given text. */
async function encrypted(text: string, methods: EncryptionMethods = {}, party = 'sp'): Promise<string> {
  return issueAround(await encryptAssertion(text, methods, keyPair(party)), { ...values, signed: 'none' });
}

/** Changes bytes of the last ciphertext of a response, which is that of the assertion. */
function withCipher(xml: string, change: (bytes: Buffer) => Buffer): string {
  const at = xml.lastIndexOf('CipherValue>', xml.lastIndexOf('CipherValue>') - 1) + 'CipherValue>'.length;
  const end = xml.indexOf('</', at);
  return xml.slice(0, at) + change(Buffer.from(xml.slice(at, end), 'base64')).toString('base64') + xml.slice(end);
}

const flip =
  (at: number) =>
  (bytes: Buffer): Buffer => {
    const copy = Buffer.from(bytes);
    const index = at < 0 ? copy.length + at : at;
    copy[index] = (copy[index] ?? 0) ^ 1;
    return copy;
  };

const verify = (xml: string): ResponseOutcome => verifyHere(toBase64(xml));

describe('an encrypted assertion', () => {
  test.each([GCM, 'http://www.w3.org/2009/xmlenc11#aes128-gcm', `${XENC}aes256-cbc`, CBC])(
    'is decrypted if its data is encrypted with %s',
    async (data) => {
      for (const signed of ['none', 'response'] as const) {
        const inner = issueAssertion({ ...values, signed: signed === 'none' ? 'assertion' : 'none' });
        const xml = issueAround(await encryptAssertion(inner, { data }), { ...values, signed });
        expect(verify(xml)).toMatchObject({
          isAccepted: true,
          assertion: {
            nameId: 'ada@example.com',
            isEncrypted: true,
            signedPart: signed === 'none' ? 'assertion' : 'response',
          },
        });
      }
    },
  );

  test.each([`${XENC}rsa-oaep-mgf1p`, 'http://www.w3.org/2009/xmlenc11#rsa-oaep'])(
    'is decrypted if its data key is encrypted with %s',
    async (key) => {
      expect(verifyHere(await encryptedResponse({}, { key })).isAccepted).toBe(true);
    },
  );

  test.each([
    ['triple DES', { data: `${XENC}tripledes-cbc` }, 'tripledes-cbc'],
    ['RSA 1.5', { key: `${XENC}rsa-1_5` }, 'rsa-1_5'],
  ])('is rejected with %s, which the error detail names', async (_, methods, word) => {
    expect(verifyHere(await encryptedResponse({}, methods))).toMatchObject({
      isAccepted: false,
      reason: 'decryption',
      detail: expect.stringContaining(word),
    });
  });

  test('is readable if it uses namespaces that are declared outside of the encrypted part', async () => {
    const text = issueAssertion(values);
    const inherited = replaced(text, / xmlns:saml="[^"]*"/, '');
    expect(verify(await encrypted(inherited))).toMatchObject({ isAccepted: true });
    const otherwise = (await encrypted(inherited)).replace(
      /(<saml:EncryptedAssertion xmlns:saml=)"[^"]*"/,
      '$1"urn:x"',
    );
    expect(verify(otherwise)).toMatchObject({ isAccepted: false });
  });

  test('is decrypted with any of the keys of the connection', async () => {
    const base64 = await encryptedResponse();
    const outcome = (...parties: readonly string[]): ResponseOutcome =>
      verifyResponse(
        base64,
        { certificates: [values.certificate ?? ''], decryptionKeys: parties.map((party) => keyPair(party).privateKey) },
        EXPECTED,
      );
    expect(outcome('old', 'sp').isAccepted).toBe(true);
    expect(outcome('sp', 'old').isAccepted).toBe(true);
    expect(outcome('old')).toMatchObject({ reason: 'decryption' });
    expect(outcome()).toMatchObject({ reason: 'decryption' });
  });

  test('is rejected unless it or the response around it is signed', async () => {
    const unsigned = issueAssertion({ ...values, signed: 'none' });
    expect(verify(await encrypted(unsigned))).toMatchObject({ isAccepted: false, reason: 'decryption' });
    const foreign = issueAssertion({ ...values, ...keyPair('attacker') });
    expect(verify(await encrypted(foreign))).toMatchObject({ isAccepted: false, reason: 'signature' });
    expect(verify(await encrypted(foreign, { data: CBC }))).toMatchObject({ isAccepted: false, reason: 'decryption' });
  });

  test('must have the same structure as an unencrypted one', async () => {
    const genuine = issueAssertion(values);
    const forged = issueAssertion({
      ...values,
      nameId: 'mallory@evil.example',
      assertionId: '_forged',
      signed: 'none',
    });
    const inside = replaced(forged, '</saml:Assertion>', `<saml:Advice>${genuine}</saml:Advice></saml:Assertion>`);
    for (const text of [
      inside,
      `<a>${genuine}</a>`,
      genuine + genuine,
      `<!DOCTYPE a>${genuine}`,
      forged.replace('<saml:Subject>', `<saml:Subject>${genuine}`),
    ]) {
      expect(verify(await encrypted(text))).toMatchObject({ isAccepted: false, reason: 'decryption' });
    }
  });

  test('is rejected in forms that libraries read in different ways', async () => {
    const xml = await encrypted(issueAssertion(values));
    const key = /<e:EncryptedKey.*<\/e:EncryptedKey>/s.exec(xml)?.[0] ?? '';
    const data = /<xenc:EncryptedData.*<\/xenc:EncryptedData>/s.exec(xml)?.[0] ?? '';
    expect(key).not.toBe('');
    for (const other of [
      xml.replace(key, key + key),
      xml.replace(key, ''),
      xml.replace(data, data + data),
      xml.replace(key, `<a>${key}</a>`),
      withCipher(xml, (bytes) => bytes.subarray(0, 20)),
    ]) {
      expect(other).not.toBe(xml);
      expect(verify(other)).toMatchObject({ isAccepted: false });
    }
  });
});

describe('a changed ciphertext', () => {
  const failures = async (data: string): Promise<readonly (readonly [string, string])[]> => {
    const xml = await encrypted(issueAssertion(values), { data });
    const [, wrappedKey = ''] = /CipherValue>([^<]*)</.exec(xml) ?? [];
    const otherKey = Buffer.from(wrappedKey, 'base64').reverse().toString('base64');
    return [
      ['the encrypted key', xml.replace(wrappedKey, otherKey)],
      ['the first block, which leaves the XML malformed', withCipher(xml, flip(3))],
      ['a block in the middle', withCipher(xml, flip(800))],
      ['the last byte, which is padding or tag', withCipher(xml, flip(-1))],
      ['the block before the padding', withCipher(xml, flip(-17))],
      ['its length', withCipher(xml, (bytes) => bytes.subarray(0, -16))],
      ['its content: other text', await encrypted('not XML', { data })],
      [
        'its content: XML without a signature',
        await encrypted(issueAssertion({ ...values, signed: 'none' }), { data }),
      ],
      ['the key of another party', await encrypted(issueAssertion(values), { data }, 'other')],
    ];
  };

  test.each([CBC, GCM])('has the same outcome, whichever part was changed (%s)', async (data) => {
    const outcomes = (await failures(data)).map(([, xml]) => JSON.stringify(verify(xml)));
    expect(new Set(outcomes).size).toBe(1);
    expect(outcomes[0]).toContain('decryption');
  });

  test('has the same outcome as an assertion that decrypts to an invalid signature, with CBC', async () => {
    const changed = replaced(issueAssertion(values), '>ada@example.com<', '>mallory@evil.example<');
    const [[, first = ''] = []] = await failures(CBC);
    expect(verify(await encrypted(changed, { data: CBC }))).toEqual(verify(first));
  });

  test('takes about as long as one that can be decrypted, so that an attacker learns nothing from the time', async () => {
    const attributes = {
      groups: Array.from({ length: 60 }, (_, at) => `00000000-0000-0000-0000-${String(at).padStart(12, '0')}`),
    };
    const signed = issueAssertion(responseValues({ attributes }));
    const genuine = await encrypted(signed, { data: CBC });
    const other = replaced(signed, '>ada@example.com<', '>mallory@evil.example<');
    const cases = {
      malformed: withCipher(genuine, flip(3)),
      padding: withCipher(genuine, flip(-17)),
      readable: await encrypted(other, { data: CBC }),
    };
    const milliseconds = (xml: string): number => {
      const samples = Array.from({ length: 15 }, () => {
        const begin = process.cpuUsage();
        verify(xml);
        const { user, system } = process.cpuUsage(begin);
        return (user + system) / 1000;
      });
      return samples.toSorted((a, b) => a - b)[7] ?? 0;
    };
    for (const xml of Object.values(cases)) milliseconds(xml);
    const { malformed, padding, readable } = {
      malformed: milliseconds(cases.malformed),
      padding: milliseconds(cases.padding),
      readable: milliseconds(cases.readable),
    };
    for (const cost of [malformed, padding]) {
      expect(cost / readable).toBeGreaterThan(0.5);
      expect(cost / readable).toBeLessThan(2);
    }
  });
});
