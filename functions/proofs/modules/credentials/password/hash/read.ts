import { argon2Hash } from './argon2.ts';
import { bcryptHash, checkImportedCost } from './bcrypt.ts';
import {
  InvalidPasswordHash,
  MAX_HASH_CHARACTERS,
  type PasswordHash,
  type PasswordHashType,
  type SaltPosition,
} from './hash.ts';
import { pbkdf2Hash } from './pbkdf2.ts';
import { firebaseScryptHash, scryptHash } from './scrypt.ts';
import { saltedShaHash } from './ssha.ts';

const READERS: Readonly<Record<PasswordHashType, (encoded: string, position: SaltPosition) => PasswordHash>> = {
  bcrypt: bcryptHash,
  'firebase-scrypt': firebaseScryptHash,
  ssha: (encoded) => saltedShaHash('ssha', encoded, 'suffix'),
  ssha256: (encoded, position) => saltedShaHash('ssha256', encoded, position),
  scrypt: scryptHash,
  pbkdf2: pbkdf2Hash,
  argon2: argon2Hash,
};

/**
 * Parses a hash of one of the types that can be imported, in any of its usual encodings. Memory and time are limited, so
 * that neither an import nor a sign-in can block the service.
 * @throws InvalidPasswordHash with the reason
 */
export function readPasswordHash(
  type: PasswordHashType,
  encoded: string,
  position: SaltPosition = 'suffix',
): PasswordHash {
  if (encoded.length > MAX_HASH_CHARACTERS) {
    throw new InvalidPasswordHash(`it has more than ${MAX_HASH_CHARACTERS} characters`);
  }
  return READERS[type](encoded, position);
}

/**
 * Parses a hash like {@link readPasswordHash}, and rejects one that is too expensive to be imported. Hashes that are
 * already stored may be more expensive.
 */
export function readImportedHash(type: PasswordHashType, encoded: string, position?: SaltPosition): PasswordHash {
  const read = readPasswordHash(type, encoded, position);
  if (type === 'bcrypt') checkImportedCost(encoded);
  return read;
}
