import { bcryptDecoy } from './bcrypt.ts';
import type { PasswordHashType } from './hash.ts';

const blank = (text: string): string => 'A'.repeat(text.replace(/=+$/, '').length);

/**
 * A hash that costs as much as the given one and matches no password: its parameters without its salt and digest, so that
 * all hashes of one service result in the same decoy. Its cost is limited to the maximum of an import. Returns undefined
 * for types that cost almost nothing.
 */
export function decoyLike(type: PasswordHashType, encoded: string): string | undefined {
  switch (type) {
    case 'ssha':
    case 'ssha256':
      return undefined;
    case 'bcrypt':
      return bcryptDecoy(encoded);
    case 'firebase-scrypt':
      return encoded.replace(/(?<=\$(?:hash|salt)=)[^$]+/g, blank);
    default:
      return encoded.replace(/[^$]+\$[^$]+$/, (tail) => tail.split('$').map(blank).join('$'));
  }
}
