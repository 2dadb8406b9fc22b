/**
 * Cuts a text as `slice` does, by characters (code points) instead of UTF-16 units, so that an emoji is kept whole or left
 * out. Half of a surrogate pair cannot be stored, so one in the text becomes U+FFFD. Free text is cut by this function
 * only; `slice` is for ids, digests and other ASCII.
 * @param start characters from the beginning, or from the end if it is negative
 * @param end the first character that is left out; negative from the end
 */
export function cutText(text: string, start: number, end = Infinity): string {
  // A character has at most two units, so only the beginning of a long text is split.
  const near = start >= 0 && end >= 0 ? text.slice(0, 2 * end) : text;
  return [...near].slice(start, end).join('').toWellFormed();
}

/** The last characters of a secret that may be shown: at most four, and at most half of it. */
export function lastFour(secret: string): string {
  const visibleCharacters = Math.min(4, Math.floor([...secret].length / 2));
  return visibleCharacters === 0 ? '' : cutText(secret, -visibleCharacters);
}
