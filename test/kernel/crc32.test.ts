import { randomBytes } from 'node:crypto';
import { crc32 as expected } from 'node:zlib';

import { expect, test } from '@jest/globals';

import { crc32 } from '../../functions/kernel/crc32.ts';

test('the checksum of a text is that of Node’s own function', () => {
  // The check value of the polynomial (RFC 1952 names no text; this is the one of all catalogues of checksums).
  expect(crc32('123456789')).toBe(0xcbf43926);
  const texts = ['', 'a', 'sk_env_01KF', 'é ☃ 🙂 \uffff', 'x'.repeat(10_000)];
  const random = Array.from({ length: 200 }, () => randomBytes(60).toString('base64url'));
  for (const text of [...texts, ...random]) expect(crc32(text)).toBe(expected(text));
});
