/**
 * Cuts a text as `slice` does, by characters (code points) instead of UTF-16 units: an emoji is kept whole or left out. Half
 * of a surrogate pair can be stored nowhere, so one that the text itself holds becomes U+FFFD. Free text is cut by this
 * function only; `slice` is for ids, digests and other ASCII.
 * @param start Characters from the beginning, or from the end where it is negative.
 * @param end The first character that is left out; negative from the end.
 */
export function cutText(text: string, start: number, end = Infinity): string {
  // A character takes two units at most, so a long text is not taken apart as a whole.
  const near = start >= 0 && end >= 0 ? text.slice(0, 2 * end) : text;
  return [...near].slice(start, end).join('').toWellFormed();
}

/** The last characters of a secret that may be shown: four, and never more than half of it. */
export function lastFour(secret: string): string {
  const shown = Math.min(4, Math.floor([...secret].length / 2));
  return shown === 0 ? '' : cutText(secret, -shown);
}
