import { createHash } from 'node:crypto';

import { bytesIn, sameDigest } from './encoding.ts';
import type { PasswordHash, SaltPosition } from './hash.ts';

const VARIANTS = {
  ssha: { digest: 'sha1', bytes: 20, tag: /^\{SSHA\}/i },
  ssha256: { digest: 'sha256', bytes: 32, tag: /^\{SSHA256\}/i },
} as const;

const MAX_SALT_BYTES = 64;

/**
 * A salted SHA hash of LDAP directories: `{SSHA}` or `{SSHA256}` (optional), and base64 of the digest followed by the salt.
 * It is a fast hash of one round, so it is replaced at the first sign-in.
 * @param position Position of the salt in the hashed text: after the password, or before it.
 * @throws InvalidPasswordHash
 */
export function saltedShaHash(type: keyof typeof VARIANTS, encoded: string, position: SaltPosition): PasswordHash {
  const { digest, bytes, tag } = VARIANTS[type];
  const content = bytesIn('content', encoded.replace(tag, ''), { least: bytes + 1, most: bytes + MAX_SALT_BYTES });
  const expected = content.subarray(0, bytes);
  const salt = content.subarray(bytes);
  return {
    verify: async (password) => {
      const parts = position === 'prefix' ? [salt, Buffer.from(password)] : [Buffer.from(password), salt];
      return sameDigest(createHash(digest).update(Buffer.concat(parts)).digest(), expected);
    },
  };
}
