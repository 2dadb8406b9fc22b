/** A part of a file of a package and what replaces it, each occurrence or exactly one. */
export interface SourceChange {
  from: string;
  to: string;
  everywhere?: true;
}

/**
 * The source of a package's file with some changes, in their order.
 * @param path the file, for the error
 * @throws Error if the source does not have a part, or has one several times that is expected once
 */
export function changeSource(path: string, source: string, changes: readonly SourceChange[]): string {
  return changes.reduce((text, { from, to, everywhere }) => {
    const parts = text.split(from);
    if (parts.length < 2 || (parts.length > 2 && everywhere !== true)) throw new Error(`${path} has no part ${from}`);
    return parts.join(to);
  }, source);
}
