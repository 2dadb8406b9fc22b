import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

import { bytesIn, numberIn, parametersIn, sameDigest } from './encoding.ts';
import { InvalidPasswordHash, type PasswordHash } from './hash.ts';

const derive = promisify(pbkdf2);

/** Maximum number of rounds. Two million take about a second of one core; OWASP recommends 600,000 with SHA-256. */
const MAX_ROUNDS = 2_000_000;
const ENCODED = /^\$pbkdf2(?:-(sha256|sha512))?\$([^$]+)\$([^$]+)\$([^$]+)$/;

/**
 * A PBKDF2 hash (RFC 8018 section 5.2) with HMAC-SHA256 or HMAC-SHA512: `$pbkdf2$i=100000,d=sha256$salt$hash`,
 * `$pbkdf2-sha256$i=100000,l=32$salt$hash` or `$pbkdf2-sha256$100000$salt$hash`.
 * @throws InvalidPasswordHash
 */
export function pbkdf2Hash(encoded: string): PasswordHash {
  const [, tagged, given = '', salt = '', tag = ''] = ENCODED.exec(encoded) ?? [];
  if (tag === '') throw new InvalidPasswordHash('it is not of the form $pbkdf2-sha256$i=600000$salt$hash');
  const named = parametersIn(/^\d+$/.test(given) ? `i=${given}` : given);
  const digest = tagged ?? named.get('d');
  if (digest !== 'sha256' && digest !== 'sha512') {
    throw new InvalidPasswordHash('its digest must be sha256 or sha512');
  }
  const rounds = numberIn('i', named.get('i'), { least: 1, most: MAX_ROUNDS });
  const nonce = bytesIn('salt', salt, { least: 1, most: 256 });
  // The hash is at most as long as the digest, since each further block would repeat the cost.
  const expected = bytesIn('hash', tag, { least: 16, most: digest === 'sha256' ? 32 : 64 });
  // Some encodings give the length in bits instead of bytes.
  const length = numberIn('l', named.get('l') ?? String(expected.length), { least: 16, most: 512 });
  if (length !== expected.length && length !== expected.length * 8) {
    throw new InvalidPasswordHash('its parameter l is not the length of its hash');
  }
  return {
    verify: async (password) => sameDigest(await derive(password, nonce, rounds, expected.length, digest), expected),
  };
}
