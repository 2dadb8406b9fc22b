/** Characters that turn the direction of what stands around them (UAX #9, explicit formatting). */
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A name as it may be shown: without what would turn the text behind it, by which a name could make a page say something else. */
export const withoutTurns = (name: string): string => name.replace(CONTROLS, '');

/** A name within a sentence: one that is written from right to left leaves the order of the sentence alone. */
export function isolated(name: string): string {
  const plain = withoutTurns(name);
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}
