/** The letters of user codes: consonants, so that no words result, without Y (RFC 8628 section 6.1). */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/**
 * Makes a code of eight consonants with a dash. There are 20^8 codes (34 bits), of which few are valid at once, and guesses
 * are limited.
 */
export function drawUserCode(draw: (below: number) => number): string {
  const letter = () => USER_CODE_LETTERS.charAt(draw(USER_CODE_LETTERS.length));
  const four = () => Array.from({ length: 4 }, letter).join('');
  return `${four()}-${four()}`;
}

/** Parses a user code that was typed in any case, with or without the dash. Returns undefined for invalid text. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  const isCode = letters.length === 8 && [...letters].every((letter) => USER_CODE_LETTERS.includes(letter));
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}
