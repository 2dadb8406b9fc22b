const SPELLING = /^(?:tel:)?\+?[\d(][\d\s().\/-]{4,28}\d$/i;

/** The bounds of the digits of a phone number: fewer are an ending of too many, more are none (E.164). */
const [FEWEST, MOST] = [6, 15];

/**
 * Reads a phone number in a usual spelling: international with `+` or `00`, national with or without the leading zero, with an
 * extra zero in parentheses (`+49 (0)30 …`), with blanks, dots, dashes, slashes or parentheses, as a `tel:` URI, or only its last
 * digits.
 * @returns its digits without prefixes; undefined for any other text
 */
export function readPhone(typed: string): string | undefined {
  const text = typed.trim();
  if (!SPELLING.test(text)) return undefined;
  const isInternational = /^(?:tel:)?\s*(?:\+|00)/i.test(text);
  const digits = text
    .replace(/^tel:/i, '')
    .replace(/\(0\)/, isInternational ? '' : '0')
    .replaceAll(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^0/, '');
  return digits.length >= FEWEST && digits.length <= MOST ? digits : undefined;
}
