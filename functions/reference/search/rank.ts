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
  /** Words of a question that say nothing about its subject. */
  common: readonly string[];
}

/**
 * The best entries for a query, at most 20. An entry with more words of the query, or synonyms of them, is before one with fewer.
 * Common words do not count, unless the query has no others, and a word is compared without its ending. Words in a title
 * count most. The script of the pages contains the source of this function, so it refers to nothing outside of itself.
 */
export function rank({ entries, synonyms, common }: SearchIndex, query: string): SearchEntry[] {
  const stem = (word: string): string => {
    if (word.length < 4 || /[^a-z]/.test(word)) return word;
    const short = word
      .replace(/(?:ies|ied|y)$/, '')
      .replace(/(?<!s)s$/, '')
      .replace(/(?:ing|ed|e)$/, '');
    return short.length < 3 ? word : short;
  };
  const given = query
    .toLowerCase()
    .replaceAll(/['’]s\b/g, '')
    .split(/[^\p{L}\p{N}_./-]+/u)
    .map((word) => word.replaceAll(/^[./-]+|[.-]+$/g, ''))
    .filter(Boolean);
  const meaningful = given.filter((word) => !common.includes(word));
  const words = [...new Set(meaningful.length > 0 ? meaningful : given)].slice(0, 12);
  if (words.length === 0) return [];
  const byStem = new Map<string, readonly string[]>();
  for (const [word, others] of Object.entries(synonyms)) {
    byStem.set(stem(word), [...(byStem.get(stem(word)) ?? []), ...others]);
  }
  const bonus: Record<string, number> = { guide: 4, operation: 3, error: 2, event: 2, resource: 3, field: -8 };
  const isWordStart = (text: string, word: string): boolean => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
    }
    return false;
  };
  // The words and their synonyms are prepared once, not again for each of the thousands of entries.
  const prepared = words.map((word) => {
    const others = synonyms[word] ?? byStem.get(stem(word)) ?? [];
    return [word, ...others].map((form, at) => ({ form, start: stem(form), weight: at === 0 ? 1 : 0.8 }));
  });
  const computeScore = (word: string, start: string, title: string, more: string): number => {
    if (title === word) return words.length === 1 ? 30 : 12;
    if (isWordStart(title, start)) return 12;
    if (isWordStart(more, start)) return 4;
    if (word.length < 3) return 0;
    return title.includes(start) ? 6 : more.includes(start) ? 1 : 0;
  };
  return entries
    .map((entry) => {
      const title = entry.t.toLowerCase();
      let score = (bonus[entry.k] ?? 0) + (entry.p ?? 0) - entry.t.length / 50;
      let met = 0;
      let inTitle = 0;
      for (const forms of prepared) {
        const best = Math.max(
          ...forms.map(({ form, start, weight }) => computeScore(form, start, title, entry.w) * weight),
        );
        score += best;
        if (best > 1) met += 1;
        if (best >= 12) inTitle += 1;
      }
      // A title that has the whole query is its subject.
      if (inTitle === words.length) score += 20;
      return { entry, score, met };
    })
    .filter(({ met }) => met > 0)
    .sort((one, other) => other.met - one.met || other.score - one.score)
    .slice(0, 20)
    .map(({ entry }) => entry);
}
