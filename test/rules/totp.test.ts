import { randomBytes, randomInt } from 'node:crypto';
import { inflateSync } from 'node:zlib';

import { describe, expect, test } from '@jest/globals';
import { generateSync } from 'otplib';
import { encode } from 'uqr';

import { qrCode } from '../../functions/proofs/mfa/totp/picture.ts';
import { acceptedStep, fromBase32, keyUri, toBase32 } from '../../functions/proofs/mfa/totp/codes.ts';

/** The secret of SHA-1 in RFC 6238 appendix B, and the last six of the eight digits for each of its times. */
const SEED = Buffer.from('12345678901234567890');
const VECTORS: [number, string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

const codeAt = (seconds: number): string => generateSync({ secret: SEED, epoch: seconds });

describe('a code of an authenticator app', () => {
  test.each(VECTORS)('matches the value in RFC 6238, appendix B, at %d', (seconds, code) => {
    expect(acceptedStep(SEED, code, seconds, undefined)).toBe(Math.floor(seconds / 30));
  });

  test('equals that of another implementation, for any seed and time', () => {
    for (let at = 0; at < 200; at += 1) {
      const [secret, epoch] = [randomBytes(16 + (at % 49)), randomInt(4_000_000_000)];
      expect(acceptedStep(secret, generateSync({ secret, epoch }), epoch, undefined)).toBeDefined();
    }
  });

  test('is valid only in its own time step and the adjacent ones', () => {
    const code = codeAt(3_000);
    const accepted = Array.from({ length: 200 }, (_, at) => 2_900 + at).filter(
      (seconds) => acceptedStep(SEED, code, seconds, undefined) !== undefined,
    );
    expect([accepted[0], accepted.at(-1), accepted.length]).toEqual([2_970, 3_059, 90]);
  });

  test('is accepted once, and earlier codes are rejected from then on', () => {
    expect(acceptedStep(SEED, codeAt(3_000), 3_000, 99)).toBe(100);
    expect(acceptedStep(SEED, codeAt(3_000), 3_000, 100)).toBeUndefined();
    expect(acceptedStep(SEED, codeAt(2_970), 3_000, 100)).toBeUndefined();
    expect(acceptedStep(SEED, codeAt(3_030), 3_000, 100)).toBe(101);
    expect(acceptedStep(SEED, codeAt(3_000), 3_000, 1_000_000)).toBeUndefined();
  });

  test.each(['', '28708', '2870821', 'abcdef', '２８７０８２', '-87082', '28708e', '0x1234'])(
    'is rejected without a 500 if it is %j',
    (code) => expect(acceptedStep(SEED, code, 59, undefined)).toBeUndefined(),
  );
});

describe('Base32', () => {
  /** The test vectors of RFC 4648 section 10. */
  const vectors: [string, string][] = [
    ['', ''],
    ['f', 'MY======'],
    ['fo', 'MZXQ===='],
    ['foo', 'MZXW6==='],
    ['foob', 'MZXW6YQ='],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI======'],
  ];

  test.each(vectors)('of %j matches RFC 4648, section 10, without padding', (text, padded) => {
    expect(toBase32(Buffer.from(text))).toBe(padded.replaceAll('=', ''));
    expect(Buffer.from(fromBase32(padded) ?? []).toString()).toBe(text);
    expect(Buffer.from(fromBase32(padded.replaceAll('=', '').toLowerCase()) ?? []).toString()).toBe(text);
  });

  test('is accepted as users copy it: in groups, with dashes, in upper and lower case', () => {
    expect(Buffer.from(fromBase32('mzxw 6ytb-OI') ?? []).toString()).toBe('foobar');
  });

  test.each(['M', 'MZX', 'MZXW6Y', 'MZ', 'MZXW6YTB0', 'MZXW6YTB1', 'MZ=XW6', 'ＭＹ', 'MZXW6YTBOJ'])(
    'is rejected when it is %j',
    (text) => expect(fromBase32(text)).toBeUndefined(),
  );
});

describe('the otpauth URI of a secret', () => {
  test('is a Key URI: issuer and account in the label, and the issuer again as a parameter, each escaped', () => {
    const uri = new URL(keyUri({ issuer: 'Acme & Söhne', user: 'ada+1@example.com' }, SEED));
    expect(uri.protocol + '//' + uri.host).toBe('otpauth://totp');
    expect(decodeURIComponent(uri.pathname)).toBe('/Acme & Söhne:ada+1@example.com');
    expect(uri.searchParams.get('issuer')).toBe('Acme & Söhne');
    expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  });

  test('fits into a QR code with the longest issuer and account', () => {
    const account = { issuer: 'é'.repeat(64), user: 'é'.repeat(159) };
    expect(qrCode(keyUri(account, Buffer.alloc(64, 255)))).toMatch(/^data:image\/png;base64,/);
  });
});

describe('a QR code', () => {
  const text = 'otpauth://totp/Acme:ada@example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Acme';

  test('is a PNG image whose pixels are the modules of the text, in a quiet zone of four modules', () => {
    const png = Buffer.from(qrCode(text).slice('data:image/png;base64,'.length), 'base64');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    const data = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)));
    const bare = encode(text, { ecc: 'L', boostEcc: true, border: 0 });
    expect([width, height]).toEqual([(bare.size + 8) * 6, (bare.size + 8) * 6]);
    const stride = 1 + Math.ceil(width / 8);
    const isBlack = (x: number, y: number) => ((data[y * stride + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7))) === 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        const module = bare.data[Math.floor(y / 6) - 4]?.[Math.floor(x / 6) - 4] ?? false;
        if (isBlack(x, y) !== module) throw new Error(`The pixel ${x}, ${y} is wrong`);
      }
    }
  });
});
