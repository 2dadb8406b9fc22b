/** Characters that change the direction of the surrounding text (UAX #9, explicit formatting). */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A name for display, without characters that would reverse the direction of the following text, by which a name could
 * change the meaning of a page.
 */
export const withoutTurns = (name: string): string => name.replace(CONTROLS, '');

/** A name within a sentence: a right-to-left name does not change the order of the sentence. */
export function isolated(name: string): string {
  const plain = withoutTurns(name);
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}
