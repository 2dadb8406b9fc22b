/** Consonants alone, so that no word appears, without Y (RFC 8628 section 6.1). */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** Seconds for which a device may ask, and between its questions (RFC 8628 section 3.2). */
export const DEVICE_CODE_SECONDS = 300;
export const POLL_SECONDS = 5;

/** What a device that asks too soon waits longer from then on (RFC 8628 section 3.5), and the longest that it waits. */
const MORE_SECONDS = 5;
const MOST_SECONDS = 60;

/** Eight consonants with a dash; from 20^8 (34 bits), of which few are alive at once and a guess is limited. */
export function userCodeOf(draw: (below: number) => number): string {
  const letter = () => USER_CODE_LETTERS.charAt(draw(USER_CODE_LETTERS.length));
  const four = () => Array.from({ length: 4 }, letter).join('');
  return `${four()}-${four()}`;
}

/** A user code as people type it: in any case, with or without the dash; undefined for what cannot be one. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.toUpperCase().replace(/[^A-Z]/g, '');
  const isCode = letters.length === 8 && [...letters].every((letter) => USER_CODE_LETTERS.includes(letter));
  return isCode ? `${letters.slice(0, 4)}-${letters.slice(4)}` : undefined;
}

/** What a question is answered, as far as time decides. `interval` holds from now on. */
export function paceOf(
  { polledAt, interval }: { polledAt?: number | undefined; interval: number },
  now: number,
): { isTooSoon: boolean; interval: number } {
  const isTooSoon = polledAt !== undefined && now - polledAt < interval * 1_000;
  return { isTooSoon, interval: isTooSoon ? Math.min(interval + MORE_SECONDS, MOST_SECONDS) : interval };
}
