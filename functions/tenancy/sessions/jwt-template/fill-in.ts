/**
 * Delimits a value in rendered text. It cannot occur in a value's JSON, which escapes it (RFC 8259 section 7), nor in a
 * template, which is rejected if it has control characters.
 */
const FRAME = '\u0000';

/** Marks a value in rendered text with delimiters, by which its position in the JSON is found. */
export const framed = (value: unknown): string =>
  `${FRAME}${JSON.stringify(value ?? null, wellFormed) ?? 'null'}${FRAME}`;

/** Replaces half of a surrogate pair, which is not a character: a filter may have cut a character in half. */
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value;

/** The error for a template whose text around the values is not valid JSON, whatever the values. */
class SkeletonError extends Error {
  override name = 'SkeletonError';
}

/** The position of a reader in a JSON text. */
interface Position {
  inString: boolean;
  /** Number of characters that still belong to an escape sequence. */
  escaped: number;
}

/**
 * Inserts delimited values into a JSON text, each encoded for its position: within a string as a part of that string,
 * elsewhere as a JSON value. Only the text around the values is parsed as JSON, so no value can end the string or the
 * object that contains it.
 * @throws SkeletonError for a value in the middle of an escape sequence
 */
export function fillIn(text: string): string {
  const position: Position = { inString: false, escaped: 0 };
  return text
    .split(FRAME)
    .map((part, at) => {
      if (at % 2 === 1) return encodedAt(position, part);
      for (const unit of part) step(position, unit);
      return part;
    })
    .join('');
}

function step(position: Position, unit: string): void {
  if (position.escaped > 0) {
    // The sequence `\u` has four more digits; every other escape sequence ends with the character after the backslash.
    position.escaped = unit === 'u' && position.escaped === 5 ? 4 : position.escaped === 5 ? 0 : position.escaped - 1;
  } else if (position.inString && unit === '\\') {
    position.escaped = 5;
  } else if (unit === '"') {
    position.inString = !position.inString;
  }
}

function encodedAt({ inString, escaped }: Position, json: string): string {
  if (escaped > 0) throw new SkeletonError('a value is in the middle of an escape sequence');
  if (!inString) return json;
  const value = JSON.parse(json) as unknown;
  if (value === null) return '';
  return JSON.stringify(typeof value === 'string' ? value : json).slice(1, -1);
}
