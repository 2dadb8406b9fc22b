/** Only consonants, so that no words result, without Y (RFC 8628 section 6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** Seconds for which a device may poll, and between its polls (RFC 8628 section 3.2). */
export const DEVICE_CODE_SECONDS = 300;
export const POLL_SECONDS = 5;

/** The increase of the interval after a poll that comes too soon (RFC 8628 section 3.5), and the maximum interval. */
const MORE_SECONDS = 5;
const MOST_SECONDS = 60;

/**
 * Makes a code of eight consonants with a dash: 20^8 (34 bits), of which few are valid at once, and guesses are
 * limited.
 */
export function drawUserCode(draw: (below: number) => number): string {
  const letter = () => USER_CODE_LETTERS.charAt(draw(USER_CODE_LETTERS.length));
  const four = () => Array.from({ length: 4 }, letter).join('');
  return `${four()}-${four()}`;
}

/** Parses a typed user code: in any case, with or without the dash; undefined for invalid text. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  const isCode = letters.length === 8 && [...letters].every((letter) => USER_CODE_LETTERS.includes(letter));
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}

/** The response to a poll that depends on time only. `interval` applies from now on. */
export function computePace(
  { polledAt, interval }: { polledAt?: number | undefined; interval: number },
  now: number,
): { isTooSoon: boolean; interval: number } {
  const isTooSoon = polledAt !== undefined && now - polledAt < interval * 1_000;
  return { isTooSoon, interval: isTooSoon ? Math.min(interval + MORE_SECONDS, MOST_SECONDS) : interval };
}
