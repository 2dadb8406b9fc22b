import { timingSafeEqual } from 'node:crypto';

import { InvalidPasswordHash } from './hash.ts';

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * Decodes base64 with or without padding, in the usual alphabet, the one for URLs (RFC 4648 section 5) or that of passlib,
 * which writes `.` for `+`.
 * @throws InvalidPasswordHash for any other text and for lengths out of bounds
 */
export function bytesIn(name: string, text: string, { least, most }: { least: number; most: number }): Buffer {
  const usual = text.replaceAll('-', '+').replaceAll('_', '/').replaceAll('.', '+');
  const bytes = Buffer.from(usual, 'base64');
  const isWhole = usual.replace(/=+$/, '').length === Math.ceil((bytes.length * 4) / 3);
  if (!BASE64.test(usual) || !isWhole) throw new InvalidPasswordHash(`its ${name} is not base64`);
  if (bytes.length < least || bytes.length > most) {
    throw new InvalidPasswordHash(`its ${name} has ${bytes.length} bytes, which must be ${least} to ${most}`);
  }
  return bytes;
}

/**
 * Parameters such as `m=19456,t=2,p=1`, in any order.
 * @throws InvalidPasswordHash for a duplicate or unnamed parameter
 */
export function parametersIn(text: string, separator = ','): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const part of text.split(separator)) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at));
    if (name === '' || parameters.has(name)) throw new InvalidPasswordHash('its parameters cannot be read');
    parameters.set(name, part.slice(at + 1));
  }
  return parameters;
}

/**
 * A whole number within bounds.
 * @throws InvalidPasswordHash
 */
export function numberIn(name: string, text: string | undefined, bounds: { least: number; most: number }): number {
  const number = /^\d{1,10}$/.test(text ?? '') ? Number(text) : Number.NaN;
  if (!(number >= bounds.least && number <= bounds.most)) {
    throw new InvalidPasswordHash(`its parameter ${name} must be ${bounds.least} to ${bounds.most}`);
  }
  return number;
}

/** Reports whether two digests are equal; digests of one hash have the same length. */
export const sameDigest = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && timingSafeEqual(a, b);
