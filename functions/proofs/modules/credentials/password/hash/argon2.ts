import { argon2, type Argon2Algorithm, type Argon2Parameters, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import { bytesIn, numberIn, parametersIn, sameDigest } from './encoding.ts';
import { InvalidPasswordHash, MAX_MEMORY_BYTES, type PasswordHash } from './hash.ts';

type Parameters = Omit<Argon2Parameters, 'message'> & { message: string };

/**
 * The function is looked up when it is called: on a Node before 24.7, which has no argon2, the rest of the area still
 * works.
 */
const derive = (algorithm: Argon2Algorithm, parameters: Parameters): Promise<Buffer> =>
  promisify(argon2)(algorithm, parameters);

/** Maximum of memory (in KiB) times passes, which takes about half a second on one core. PHP's default is 262,144. */
const MAX_WORK = 524_288;
/** The version of RFC 9106 (0x13). Node does not support the previous one, which fills memory in another way. */
const VERSION = '19';
const ENCODED = /^\$argon2(id|i|d)\$(?:v=(\d+)\$)?([^$]+)\$([^$]+)\$([^$]+)$/;

/** The service's own parameters: argon2id, 19 MiB, two passes, one lane (OWASP Password Storage Cheat Sheet, 2024). */
const OWN = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32, saltLength: 16 };
const OWN_PREFIX = `$argon2id$v=${VERSION}$m=${OWN.memory},t=${OWN.passes},p=${OWN.parallelism}$`;

/** An argon2i, argon2d or argon2id hash in PHC form, version 1.3 (RFC 9106). @throws InvalidPasswordHash */
export function argon2Hash(encoded: string): PasswordHash {
  const [, kind = 'id', version, parameters = '', salt = '', tag = ''] = ENCODED.exec(encoded) ?? [];
  if (tag === '') throw new InvalidPasswordHash('it is not of the form $argon2id$v=19$m=19456,t=2,p=1$salt$hash');
  if (version !== VERSION) throw new InvalidPasswordHash('it is of another version than 19 (argon2 1.3)');
  const named = parametersIn(parameters);
  const parallelism = numberIn('p', named.get('p'), { least: 1, most: 16 });
  const memory = numberIn('m', named.get('m'), { least: 8 * parallelism, most: MAX_MEMORY_BYTES / 1_024 });
  const passes = numberIn('t', named.get('t'), { least: 1, most: 64 });
  if (memory * passes > MAX_WORK) throw new InvalidPasswordHash(`m times t must be at most ${MAX_WORK}`);
  const nonce = bytesIn('salt', salt, { least: 8, most: 64 });
  const expected = bytesIn('hash', tag, { least: 16, most: 64 });
  const shape = { memory, passes, parallelism, nonce, tagLength: expected.length };
  return {
    verify: async (password) =>
      sameDigest(await derive(`argon2${kind as 'i' | 'd' | 'id'}`, { message: password, ...shape }), expected),
  };
}

/**
 * Hashes a password with the service's own parameters, in PHC form with 16 random bytes of salt. It takes about 30 ms off
 * the main thread.
 */
export async function hashOwn(password: string): Promise<string> {
  const nonce = randomBytes(OWN.saltLength);
  const { memory, passes, parallelism, tagLength } = OWN;
  const tag = await derive('argon2id', { message: password, nonce, memory, passes, parallelism, tagLength });
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  return `${OWN_PREFIX}${text(nonce)}$${text(tag)}`;
}

/** Reports whether a hash has the current parameters. */
export const isCurrent = (encoded: string): boolean => encoded.startsWith(OWN_PREFIX);

/** A hash with a random tag that matches no password and costs as much as every other. */
export const decoyHash = `${OWN_PREFIX}${'A'.repeat(22)}$${'A'.repeat(43)}`;
