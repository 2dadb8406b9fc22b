/** Characters that change the direction of the surrounding text (UAX #9, explicit formatting). */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A name for display, without characters that would reverse the direction of the following text, by which a name could
 * change the meaning of a page.
 */
export const withoutTurns = (name: string): string => name.replace(CONTROLS, '');

/**
 * Puts a value into a sentence without a change of the order of its words (UAX #9, isolates). A right-to-left name in any
 * sentence needs that, and every value in a right-to-left sentence, where `+41 79 123` would otherwise be shown in reverse
 * order.
 */
export function isolated(name: string, direction: 'ltr' | 'rtl' = 'ltr'): string {
  const plain = withoutTurns(name);
  return direction === 'rtl' || RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}
