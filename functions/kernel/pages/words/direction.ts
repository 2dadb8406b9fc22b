/** A character that joins others or selects their form, after and before a character that is not ASCII: emoji and some scripts need it. */
const FORMING =
  '(?<=(?!\\p{ASCII})[\\p{L}\\p{M}\\p{S}])(?:[\\ufe00-\\ufe0f]|[\\u200c\\u200d](?=(?!\\p{ASCII})[\\p{L}\\p{S}]))';

/**
 * Characters that are not visible: those that change the direction of the surrounding text (UAX #9), those without a width (UAX #44,
 * Default_Ignorable_Code_Point), separators of lines, and the empty Braille pattern. Mails add U+2060 to names.
 */
const INVISIBLE = new RegExp(`(${FORMING})|(?!\\u2060)[\\p{Default_Ignorable_Code_Point}\\u2028\\u2029\\u2800]`, 'gu');
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A name for display, without characters that are not visible: a name that contained them could look like another one, or reverse the
 * following text and so change the meaning of a page.
 */
export const withoutTurns = (name: string): string => name.replace(INVISIBLE, (_, forming?: string) => forming ?? '');

/**
 * Puts a value into a sentence without a change of the order of its words (UAX #9, isolates). A right-to-left name in any
 * sentence needs that, and every value in a right-to-left sentence, where `+41 79 123` would otherwise be shown in reverse
 * order.
 */
export function isolated(name: string, direction: 'ltr' | 'rtl' = 'ltr'): string {
  const plain = withoutTurns(name);
  return direction === 'rtl' || RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}
