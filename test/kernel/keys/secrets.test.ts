import { describe, expect, test } from '@jest/globals';
import { derivedOpen, derivedSeal } from '../../../functions/kernel/keys/derived-seal.ts';
import { SealedValueError } from '../../../functions/kernel/keys/errors.ts';
import { constantTimeEqual, randomSecret, sha256Hex } from '../../../functions/kernel/keys/hash.ts';

describe('a value encrypted under a derived key', () => {
  const secret = ['sk_credential', 'POST /organizations'];
  const info = 'idempotency key_1';

  test('is decrypted with its secret', () => {
    for (const value of ['', 'café ☃', 'x'.repeat(100_000)]) {
      expect(Buffer.from(derivedOpen(secret, info, derivedSeal(secret, info, value))).toString()).toBe(value);
    }
    const bytes = Uint8Array.from([0, 255, 1]);
    expect([...derivedOpen(secret, info, derivedSeal(secret, info, bytes))]).toEqual([0, 255, 1]);
  });

  test('has a different ciphertext each time', () => {
    expect(derivedSeal(secret, info, 'x')).not.toEqual(derivedSeal(secret, info, 'x'));
  });

  const others: [string, string[], string][] = [
    ['another secret', ['sk_other', 'POST /organizations'], info],
    ['a part less', ['sk_credential'], info],
    ['the parts in another order', ['POST /organizations', 'sk_credential'], info],
    ['the same letters split elsewhere', ['sk_credentialP', 'OST /organizations'], info],
    ['another place', secret, 'idempotency key_2'],
    ['a place longer than the derivation takes', secret, 'x'.repeat(5_000)],
  ];

  test.each(others)('cannot be decrypted with %s', (_what, otherSecret, otherInfo) => {
    expect(() => derivedOpen(otherSecret, otherInfo, derivedSeal(secret, info, 'x'))).toThrow(SealedValueError);
  });

  test('cannot be decrypted with any byte changed or removed', () => {
    const sealed = derivedSeal(secret, info, 'secret');
    for (let at = 0; at < sealed.length; at += 1) {
      const altered = Uint8Array.from(sealed);
      altered[at] = (altered[at] ?? 0) ^ 0x80;
      expect(() => derivedOpen(secret, info, altered)).toThrow(SealedValueError);
      expect(() => derivedOpen(secret, info, sealed.subarray(0, at))).toThrow(SealedValueError);
    }
  });
});

describe('secrets and hashes', () => {
  test('the SHA-256 of "abc" is that of FIPS 180-4', () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    expect([sha256Hex('abc'), sha256Hex(Buffer.from('abc'))]).toEqual([abc, abc]);
  });

  test('constant-time comparison accepts texts of different lengths', () => {
    expect(constantTimeEqual('secret', Buffer.from('secret'))).toBe(true);
    expect(constantTimeEqual('', '')).toBe(true);
    for (const other of ['secreT', 'secre', 'secret ', '']) expect(constantTimeEqual('secret', other)).toBe(false);
  });

  test('a random secret has a fixed length and alphabet, and is unique', () => {
    const base62 = Array.from({ length: 500 }, () => randomSecret(32));
    expect(new Set(base62).size).toBe(500);
    for (const secret of base62) expect(secret).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(new Set(base62.join('')).size).toBe(62);
    expect(randomSecret(16)).toHaveLength(22);
    expect(randomSecret(32, 'base64url')).toMatch(/^[\w-]{43}$/);
  });

  test('a random secret with too little entropy is rejected', () => {
    for (const bytes of [0, 15, 16.5, NaN]) expect(() => randomSecret(bytes)).toThrow(RangeError);
  });
});
