/** The types of hashes that can be imported, by the contract's names. */
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

/** The position of the salt in the hashed text; only for `ssha256`. */
export type SaltPosition = 'prefix' | 'suffix';

/** A parsed hash whose cost is within bounds. */
export interface PasswordHash {
  /** Reports whether the hash matches a password. The comparison time does not depend on the first difference. */
  verify: (password: string) => Promise<boolean>;
}

/** The reason why a hash is rejected, for the caller who sent it. The message contains no part of the hash. */
export class InvalidPasswordHash extends Error {
  override name = 'InvalidPasswordHash';
}

/** Maximum characters of an encoded hash; the longest usual one, of firebase-scrypt, has about 300. */
export const MAX_HASH_CHARACTERS = 1_024;

/** Maximum bytes of memory for one verification: a quarter of a function's memory. */
export const MAX_MEMORY_BYTES = 128 * 1024 * 1024;
