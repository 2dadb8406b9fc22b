import { decodeTime } from 'ulid';

/**
 * An id is `<prefix>_<ULID>`: 26 characters of Crockford base32, of which the first ten are the millisecond. So ids sort by
 * creation, and an id is its own position in a list (README.md, "The wire").
 */
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** An id that no user has, for reads that cost the same whether or not there is a user. */
export const ABSENT_USER_ID = 'user_nobody';

/** Reports whether a text has the format of an id of this kind; it does not check that the record exists. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ULID.test(text.slice(prefix.length + 1));
}

/** The ULID within an id. */
export function readUlid(id: string): string {
  return id.slice(id.lastIndexOf('_') + 1);
}

/** Reports whether a text ends with a ULID, as every id of this service does. */
export const hasUlid = (text: string): boolean => ULID.test(readUlid(text));

/** The creation time of an id, in milliseconds since the Unix epoch. */
export function readTime(id: string): number {
  return decodeTime(readUlid(id));
}

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The smallest ULID of a millisecond: a bound for time ranges over ids. */
export function firstUlidAt(milliseconds: number): string {
  let time = Math.max(0, Math.floor(milliseconds));
  let text = '';
  for (let place = 0; place < 10; place += 1) {
    text = ALPHABET.charAt(time % 32) + text;
    time = Math.floor(time / 32);
  }
  return text.padEnd(26, '0');
}

/**
 * The ULID of a millisecond whose other 16 characters are derived from bytes, five bits of each, for an id that can be
 * derived again.
 */
export const ulidAt = (milliseconds: number, bytes: Uint8Array): string =>
  firstUlidAt(milliseconds).slice(0, 10) +
  Array.from(bytes.subarray(0, 16), (byte) => ALPHABET.charAt(byte % 32)).join('');

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Formats 32 hexadecimal digits as a UUID. */
export const uuidText = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');

/** Reports whether a text is a UUID in the spelling of this service (lower case). */
export const isUuid = (text: string): boolean => UUID.test(text);
