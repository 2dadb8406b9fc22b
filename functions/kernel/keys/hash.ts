import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { toBytes } from './cipher.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** SHA-256 in lower-case hexadecimal, 64 characters: the stored form of lookup secrets of full entropy. */
export function sha256Hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Compares two texts or byte strings in a time that reveals neither the first difference nor the length. */
export function constantTimeEqual(a: string | Uint8Array, b: string | Uint8Array): boolean {
  const digest = (content: string | Uint8Array) => createHash('sha256').update(toBytes(content)).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * A random secret with exactly `bytes` bytes of entropy.
 * @param bytes at least 16
 * @param alphabet `base62` can be selected by a double click, needs no escaping in URLs, and always has the same
 *   length; `base64url` is shorter
 */
export function randomSecret(bytes: number, alphabet: 'base62' | 'base64url' = 'base62'): string {
  if (!Number.isInteger(bytes) || bytes < 16) throw new RangeError('a secret has at least 16 bytes');
  const random = randomBytes(bytes);
  return alphabet === 'base64url' ? random.toString('base64url') : toBase62(random);
}

/** Bytes as base62 text, whose length depends only on their number: 43 characters for 32 bytes. */
export function toBase62(bytes: Uint8Array): string {
  const length = Math.ceil((bytes.byteLength * 8) / Math.log2(base62.length));
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = base62.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
