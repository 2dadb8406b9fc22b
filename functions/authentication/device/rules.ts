/** The letters of user codes: consonants, so that no words result, without Y (RFC 8628 section 6.1). */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** The validity of a device code in seconds (RFC 8628 section 3.2); the interval between polls follows. */
export const DEVICE_CODE_SECONDS = 300;
export const POLL_SECONDS = 5;

/** The seconds that the interval grows by after a poll that comes too soon (RFC 8628 section 3.5), and its maximum. */
const MORE_SECONDS = 5;
const MOST_SECONDS = 60;

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

/** Decides, by time only, whether a poll comes too soon, and which `interval` applies from now on. */
export function computePace(
  { polledAt, interval }: { polledAt?: number | undefined; interval: number },
  now: number,
): { isTooSoon: boolean; interval: number } {
  const isTooSoon = polledAt !== undefined && now - polledAt < interval * 1_000;
  return { isTooSoon, interval: isTooSoon ? Math.min(interval + MORE_SECONDS, MOST_SECONDS) : interval };
}
