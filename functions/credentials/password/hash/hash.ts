/** The types of hashes that can be imported, as the contract names them. */
export const PASSWORD_HASH_TYPES = [
  'bcrypt',
  'firebase-scrypt',
  'ssha',
  'ssha256',
  'scrypt',
  'pbkdf2',
  'argon2',
] as const;

export type PasswordHashType = (typeof PASSWORD_HASH_TYPES)[number];

/** Where the salt stands in what was hashed; for `ssha256` alone. */
export type SaltPosition = 'prefix' | 'suffix';

/** A hash that was read and whose cost is within bounds. */
export interface PasswordHash {
  /** Whether it was made of this password. The comparison takes the same time wherever the two differ. */
  verify: (password: string) => Promise<boolean>;
}

/** Why a hash is not taken, fit for the caller who sent it. Nothing of the hash is in the message. */
export class InvalidPasswordHash extends Error {
  override name = 'InvalidPasswordHash';
}

/** Characters of an encoded hash at most; the longest usual one, of firebase-scrypt, has about 300. */
export const MAX_HASH_CHARACTERS = 1_024;

/** Bytes of memory that one verification may take: a quarter of what a function has. */
export const MAX_MEMORY_BYTES = 128 * 1024 * 1024;
