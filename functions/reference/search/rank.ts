/** A page, section or field that the search finds. */
export interface SearchEntry {
  /** The shown title. */
  t: string;
  /** The kind: operation, field, error, event, guide. */
  k: string;
  /** The address. */
  u: string;
  /** A line below the title. */
  d: string;
  /** Further words, in small letters. */
  w: string;
  /** Points in addition to those of the words, for pages that answer a question better than others. */
  p?: number;
}

/** The search index, which the service and the script of the pages use alike. */
export interface SearchIndex {
  entries: readonly SearchEntry[];
  /** For each word, words with the same meaning. */
  synonyms: Readonly<Record<string, readonly string[]>>;
}

/**
 * The best entries for a query, at most 20. An entry has every word of the query, or a synonym of it; if none has all, those
 * with most are returned. Words in a title count most. The script of the pages contains the source of this function, so it
 * refers to nothing outside of itself.
 */
export function rank({ entries, synonyms }: SearchIndex, query: string): SearchEntry[] {
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}_./-]+/u)
    .filter(Boolean)
    .slice(0, 12);
  if (words.length === 0) return [];
  const bonus: Record<string, number> = { guide: 4, operation: 3, error: 2, event: 2, resource: 3, field: -8 };
  const isWordStart = (text: string, word: string): boolean => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
    }
    return false;
  };
  const computeScore = (word: string, title: string, more: string): number => {
    if (title === word) return words.length === 1 ? 30 : 12;
    if (isWordStart(title, word)) return 12;
    if (isWordStart(more, word)) return 4;
    if (word.length < 3) return 0;
    return title.includes(word) ? 6 : more.includes(word) ? 1 : 0;
  };
  const scored = entries.map((entry) => {
    const title = entry.t.toLowerCase();
    let score = (bonus[entry.k] ?? 0) + (entry.p ?? 0);
    let met = 0;
    for (const word of words) {
      const others = synonyms[word] ?? [];
      const best = Math.max(
        computeScore(word, title, entry.w),
        ...others.map((other) => computeScore(other, title, entry.w) * 0.8),
      );
      score += best;
      if (best > 0) met += 1;
    }
    return { entry, score: met === 0 ? 0 : score - entry.t.length / 50, met };
  });
  const most = Math.max(...scored.map(({ met }) => met));
  return scored
    .filter(({ met, score }) => most > 0 && met === most && score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, 20)
    .map(({ entry }) => entry);
}
