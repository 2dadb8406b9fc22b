import { createHash } from 'node:crypto';

import { describe, expect, test } from '@jest/globals';

import { mintKey, readKey } from '../../../functions/kernel/authentication/secret-key.ts';

const ULID = '01KF0000000000000000000000';

describe('secret keys', () => {
  test('are parsed to their ULID and the SHA-256 that is stored', () => {
    const { value, hash, lastFour } = mintKey('sk_env_', ULID);
    expect(readKey('sk_env_', value)).toEqual({ ulid: ULID, hash });
    expect(hash).toBe(createHash('sha256').update(value).digest('hex'));
    expect(value.endsWith(lastFour)).toBe(true);
    expect(value).toMatch(/^sk_env_[0-9A-Za-z]{75}$/);
  });

  test.each([
    [`${'a'.repeat(43)}14e5oA`, '94f471cdeb870c85e536764023df6968386c75f73d6fb788fd54ca218f054019'],
    [
      '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefg1opizs',
      'e1ddac87d969b08c320f01d98bc2b50de32dce0b2ed5c39a7ca7004186abf03f',
    ],
  ])('in the format of earlier releases stay valid: %s', (secret, hash) => {
    // Checksum and hash were computed by another program (CRC-32 of zlib in base62 with six digits, SHA-256).
    expect(readKey('sk_env_', `sk_env_${ULID}${secret}`)).toEqual({ ulid: ULID, hash });
  });

  test('are rejected if any single character differs', () => {
    const { value } = mintKey('sk_env_', ULID);
    for (let at = 0; at < value.length; at += 1) {
      const other = value[at] === '2' ? '3' : '2';
      expect(readKey('sk_env_', value.slice(0, at) + other + value.slice(at + 1))).toBeUndefined();
    }
  });

  test('are rejected with another prefix, shortened, lengthened or with two characters swapped', () => {
    const { value } = mintKey('sk_env_', ULID);
    expect(readKey('sk_org_', value)).toBeUndefined();
    expect(readKey('sk_org_', value.replace('sk_env_', 'sk_org_'))).toBeUndefined();
    expect(readKey('sk_env_', value.slice(0, -1))).toBeUndefined();
    expect(readKey('sk_env_', `${value}0`)).toBeUndefined();
    expect(readKey('sk_env_', `${value}\n`)).toBeUndefined();
    const at = [...value].findIndex((character, index) => index > 33 && character !== value[index + 1]);
    const swapped = value.slice(0, at) + value[at + 1] + value[at] + value.slice(at + 2);
    expect(readKey('sk_env_', swapped)).toBeUndefined();
  });

  test('are unique and use every character of their alphabet', () => {
    const secrets = Array.from({ length: 400 }, () => mintKey('sk_env_', ULID).value.slice(33, 76));
    expect(new Set(secrets).size).toBe(400);
    expect(new Set(secrets.join('')).size).toBe(62);
  });
});
