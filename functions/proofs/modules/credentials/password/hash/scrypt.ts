import { createCipheriv, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';

import { bytesIn, numberIn, parametersIn, sameDigest } from './encoding.ts';
import { InvalidPasswordHash, MAX_MEMORY_BYTES, type PasswordHash } from './hash.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Maximum of N times r times p: about one second of one core. OWASP's strongest recommendation is 2^20. */
const MAX_WORK = 2 ** 21;
const MAX_LOG_N = 20;

/** The cost parameters of RFC 7914 section 2, within bounds. @throws InvalidPasswordHash */
function makeOptions(logN: number, r: number, p: number): ScryptOptions {
  // RFC 7914 section 2 requires this. OpenSSL would reject such parameters during a sign-in, so they are rejected at the
  // import.
  if (logN >= 16 * r) throw new InvalidPasswordHash('n must be less than 2^(16 r)');
  const N = 2 ** logN;
  const memory = 128 * N * r;
  if (memory > MAX_MEMORY_BYTES || N * r * p > MAX_WORK) {
    throw new InvalidPasswordHash('n, r and p ask for more than 128 MiB or more than 2^21 blocks');
  }
  // OpenSSL counts the buffers of the lanes as well.
  return { N, r, p, maxmem: memory + 128 * r * p + 1024 * 1024 };
}

const ENCODED = /^\$scrypt\$(?:v=1\$)?([^$]+)\$([^$]+)\$([^$]+)$/;

/** An scrypt hash in a PHC-like form: `$scrypt$v=1$n=16384,r=8,p=1,kl=64$salt$hash`. @throws InvalidPasswordHash */
export function scryptHash(encoded: string): PasswordHash {
  const [, parameters = '', salt = '', tag = ''] = ENCODED.exec(encoded) ?? [];
  if (tag === '') throw new InvalidPasswordHash('it is not of the form $scrypt$v=1$n=16384,r=8,p=1,kl=64$salt$hash');
  const named = parametersIn(parameters);
  const cost = makeOptions(
    logNOf(named),
    numberIn('r', named.get('r'), { least: 1, most: 64 }),
    numberIn('p', named.get('p'), { least: 1, most: 16 }),
  );
  const nonce = bytesIn('salt', salt, { least: 1, most: 128 });
  const expected = bytesIn('hash', tag, { least: 16, most: 128 });
  const length = named.get('kl');
  if (length !== undefined) numberIn('kl', length, { least: expected.length, most: expected.length });
  return {
    verify: async (password) => sameDigest(await derive(password, nonce, expected.length, cost), expected),
  };
}

function logNOf(named: ReadonlyMap<string, string>): number {
  const ln = named.get('ln');
  // Ory Kratos writes N itself instead of its logarithm.
  const n = named.get('n') ?? (Number(ln) > MAX_LOG_N ? ln : undefined);
  if (n === undefined) return numberIn('ln', ln, { least: 1, most: MAX_LOG_N });
  const logN = Math.log2(numberIn('n', n, { least: 2, most: 2 ** MAX_LOG_N }));
  if (!Number.isInteger(logN)) throw new InvalidPasswordHash('its parameter n must be a power of two');
  return logN;
}

const KEY_BYTES = 32;
const FIREBASE = '$firebase-scrypt$';

/**
 * A hash of Firebase Authentication: scrypt over salt and separator gives an AES-256-CTR key, and the hash is the
 * project's signer key encrypted under it. `$firebase-scrypt$hash=…$salt=…$sk=…$ss=…$r=8$m=14`, parts in any order.
 * @throws InvalidPasswordHash
 */
export function firebaseScryptHash(encoded: string): PasswordHash {
  if (!encoded.startsWith(FIREBASE)) {
    throw new InvalidPasswordHash('it is not of the form $firebase-scrypt$hash=…$salt=…$sk=…$ss=…$r=8$m=14');
  }
  const named = parametersIn(encoded.slice(FIREBASE.length), '$');
  const bytes = (name: string, least: number) => bytesIn(name, named.get(name) ?? '', { least, most: 128 });
  const expected = bytes('hash', 16);
  const salt = Buffer.concat([bytes('salt', 1), bytes('ss', 0)]);
  const signerKey = bytes('sk', 16);
  const cost = makeOptions(
    numberIn('m', named.get('m'), { least: 1, most: MAX_LOG_N }),
    numberIn('r', named.get('r'), { least: 1, most: 64 }),
    numberIn('p', named.get('p') ?? '1', { least: 1, most: 16 }),
  );
  return {
    verify: async (password) => {
      const key = await derive(password, salt, KEY_BYTES, cost);
      const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16));
      return sameDigest(Buffer.concat([cipher.update(signerKey), cipher.final()]), expected);
    },
  };
}
