import type { PasswordHashType } from './hash.ts';

const blank = (text: string): string => 'A'.repeat(text.replace(/=+$/, '').length);

/**
 * A hash that costs as much to verify as the given one and that no password has: its parameters without its salt and digest, so
 * that all hashes of one service give the same decoy. Undefined for types that cost next to nothing.
 */
export function decoyLike(type: PasswordHashType, encoded: string): string | undefined {
  switch (type) {
    case 'ssha':
    case 'ssha256':
      return undefined;
    case 'bcrypt':
      return encoded.slice(0, '$2b$10$'.length) + 'C'.repeat(53);
    case 'firebase-scrypt':
      return encoded.replace(/(?<=\$(?:hash|salt)=)[^$]+/g, blank);
    default:
      return encoded.replace(/[^$]+\$[^$]+$/, (tail) => tail.split('$').map(blank).join('$'));
  }
}
