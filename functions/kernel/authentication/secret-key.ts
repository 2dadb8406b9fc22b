import { createHash, randomBytes } from 'node:crypto';

import { crc32 } from '../crc32.ts';

/**
 * Keys of this service have a prefix, a ULID that locates the record, 43 characters with 256 random bits, and a checksum of
 * six characters. With prefix and checksum a secret scanner can recognize a leaked key, and a mistyped key is rejected
 * without a read.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const BODY = /^([0-7][0-9A-HJKMNP-TV-Z]{25})([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;

/** A new key and the hash that is stored. */
export interface MintedKey {
  /** The value, which is shown once. */
  value: string;
  /** SHA-256 of the value in hex, the only part that is stored. A key has full entropy, so a fast hash suffices. */
  hash: string;
  lastFour: string;
}

/** Makes a key whose record is found by a ULID: `sk_env_` + ULID + secret + checksum. */
export function mintKey(prefix: string, ulid: string): MintedKey {
  return composeKey(prefix, ulid, randomText(SECRET_LENGTH));
}

/** Makes a key from a secret of 43 characters of base62, for a local environment, whose key must stay the same. */
export function composeKey(prefix: string, ulid: string, secret: string): MintedKey {
  const body = `${prefix}${ulid}${secret}`;
  const value = `${body}${checksum(body)}`;
  return { value, hash: hashOfKey(value), lastFour: value.slice(-4) };
}

/** The ULID within a well-formed key of this prefix; undefined for any other text, without a read. */
export function readKey(prefix: string, value: string): { ulid: string; hash: string } | undefined {
  if (!value.startsWith(prefix)) return undefined;
  const match = BODY.exec(value.slice(prefix.length));
  if (match === null) return undefined;
  const [, ulid = '', secret = '', sum = ''] = match;
  if (checksum(`${prefix}${ulid}${secret}`) !== sum) return undefined;
  return { ulid, hash: hashOfKey(value) };
}

/** SHA-256 in hex. */
export const hashOfKey = (value: string): string => createHash('sha256').update(value).digest('hex');

/**
 * Random base62 text; six bits are drawn for each character and values beyond the alphabet are discarded, so that all
 * characters are equally likely.
 */
function randomText(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (text.length < length) text += ALPHABET.charAt(byte & 63);
    }
  }
  return text;
}

function checksum(text: string): string {
  let sum = crc32(text);
  let digits = '';
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(sum % 62) + digits;
    sum = Math.floor(sum / 62);
  }
  return digits;
}
