/** The tags of a sequence and an integer (X.690 section 8). */
const SEQUENCE = 0x30;
const INTEGER = 0x02;

/** The end of an integer that begins at a place: positive, without needless bytes. Undefined for any other bytes. */
function findEndOfInteger(bytes: Uint8Array, start: number, most: number): number | undefined {
  const [tag, length = 0, first = 0, second = 0] = bytes.subarray(start, start + 4);
  const end = start + 2 + length;
  const hasSign = length > 1 && first === 0;
  if (tag !== INTEGER || length < 1 || end > bytes.length || first > 0x7f) return undefined;
  // A zero at the beginning is only allowed in front of a bit that would be a sign (X.690 section 8.3.2).
  if (hasSign && second <= 0x7f) return undefined;
  return length - (hasSign ? 1 : 0) <= most ? end : undefined;
}

/**
 * Reports whether an ECDSA signature is the DER encoding of two positive integers of at most 32 bytes (Web Authentication
 * section 6.5.5). The library also reads other encodings, by which a signature has several forms.
 */
export function isDerSignature(bytes: Uint8Array): boolean {
  if (bytes[0] !== SEQUENCE || bytes[1] !== bytes.length - 2) return false;
  const middle = findEndOfInteger(bytes, 2, 32);
  return middle !== undefined && findEndOfInteger(bytes, middle, 32) === bytes.length;
}
