/** A page, section or field that the search finds. */
export interface SearchEntry {
  /** The shown title. */
  t: string;
  /** The kind: operation, field, error, event, guide. */
  k: string;
  /** The address. */
  u: string;
  /** A line below the title; of an operation its method and path. */
  d: string;
  /** Further words, in small letters. */
  w: string;
  /** The words of the errors of an operation; for an error, the title of its first operation. In small letters. */
  e?: string;
  /** Points in addition to those of the words, for pages that answer a question better than others. */
  p?: number;
}

/** The search index, which the service and the script of the pages use alike. */
export interface SearchIndex {
  entries: readonly SearchEntry[];
  /** For each word, words with the same meaning. */
  synonyms: Readonly<Record<string, readonly string[]>>;
  /** Phrases of several words, and the words that replace them; `^` before one means the beginning of a query. */
  phrases: Readonly<Record<string, string>>;
  /** Words of a question that say nothing about its subject. */
  common: readonly string[];
}

/**
 * The best entries for a query, at most 20. Each word of the query, or a synonym of it, counts by where an entry has it (title, path,
 * text) and by how few entries have it; an entry with all words is before one with some, and a title of which the query has most words
 * before a longer one. Common words do not count, unless the query has no others. Words are compared without their endings. A path
 * or the id of an operation is found exactly. The script of the pages contains the source of this function, so it refers to nothing
 * outside of itself.
 */
export function rank({ entries, synonyms, phrases, common }: SearchIndex, query: string): SearchEntry[] {
  const stem = (word: string): string => {
    if (word.length < 4 || /[^a-z]/.test(word)) return word;
    const short = word
      .replace(/(?:ies|ied|y)$/, '')
      .replace(/(?<!s)s$/, '')
      .replace(/(?:ing|ed|e)$/, '');
    return short.length < 3 ? word : short;
  };
  const split = (text: string): string[] =>
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .replaceAll(/['’]s\b/g, '')
      .split(/[^\p{L}\p{N}_./-]+/u)
      .map((word) => word.replaceAll(/^[./-]+|[.-]+$/g, ''))
      .filter(Boolean);
  const isWordStart = (text: string, word: string): boolean => {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) return true;
    }
    return false;
  };
  const plain = ` ${query.toLowerCase().replaceAll(/\s+/g, ' ').trim()} `;
  const meant = Object.entries(phrases).reduce(
    (text, [phrase, words]) =>
      phrase.startsWith('^')
        ? text.replace(new RegExp(`${phrase.replace('^', '^ ')} `), ` ${words} `)
        : text.replaceAll(` ${phrase} `, ` ${words} `),
    plain,
  );
  // The capitals of a name in an SDK separate its words.
  const given = split(meant === plain ? query : meant);
  const meaningful = given.filter((word) => !common.includes(word));
  const words = [...new Set(meaningful.length > 0 ? meaningful : given)].slice(0, 12);
  if (words.length === 0) return [];
  const byStem = new Map<string, readonly string[]>();
  for (const [word, others] of Object.entries(synonyms)) {
    byStem.set(stem(word), [...(byStem.get(stem(word)) ?? []), ...others]);
  }
  // The words and their synonyms are prepared once, not again for each of the thousands of entries.
  const prepared = words.map((word) => {
    const others = synonyms[word] ?? byStem.get(stem(word)) ?? [];
    return [word, ...others].map((form, at) => ({ form, start: stem(form), weight: at === 0 ? 1 : 0.75 }));
  });
  // The texts of errors count only for a query about an error or a conflict: with “exists”, “taken”, “409”.
  const isAboutErrors = prepared.some((forms) => forms.some(({ start }) => start === 'error' || start === 'conflict'));
  const measure = (form: string, start: string, title: string, { d, w, k, e = '' }: SearchEntry): number => {
    if (title === form || isWordStart(title, start)) return 1;
    if (k === 'operation' && isWordStart(d.toLowerCase(), start)) return 0.7;
    if (isWordStart(w, start)) return 0.6 / (1 + w.length / 3_000);
    if (form.length > 2 && title.includes(start)) return 0.4;
    return isAboutErrors && isWordStart(e, start) ? 0.3 : 0;
  };
  const address = query
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/[^/]+/, '');
  const pattern = (path: string): string => path.toLowerCase().replaceAll(/\{[^}]*\}|:\w+|\w+_[0-9a-z]{26}/g, '{}');
  const isExact = ({ t, k, d, w }: SearchEntry): boolean =>
    t.toLowerCase() === address ||
    (k === 'operation' &&
      (w.startsWith(`${address} `) ||
        pattern(d) === pattern(address) ||
        pattern(d.replace(/^\S+ /, '')) === pattern(address)));

  const measured = entries.map((entry) => {
    const title = entry.t.toLowerCase();
    return prepared.map((forms) =>
      Math.max(...forms.map(({ form, start, weight }) => measure(form, start, title, entry) * weight)),
    );
  });
  // A word that few entries have says more about the subject of a query.
  const rarity = words.map((_, at) => {
    const having = measured.filter((own) => (own[at] ?? 0) > 0).length;
    return Math.log(1 + entries.length / (1 + having));
  });
  const whole = rarity.reduce((sum, own) => sum + own, 0);
  // A query asks for errors or events only if it has that word.
  const asked = (kind: string): number => {
    if (prepared.some(([own]) => own?.start === kind)) return 10;
    return kind === 'error' && isAboutErrors ? -2 : -8;
  };
  const bonus: Record<string, number> = {
    guide: 4,
    operation: 6,
    error: asked('error'),
    event: asked('event'),
    field: -25,
  };
  // The first word of an operation's title is its verb: a query with this verb asks for what the operation does.
  const countVerb = ({ k }: SearchEntry, verb: string): number =>
    k === 'operation'
      ? Math.max(0, ...prepared.flat().map(({ start, weight }) => (verb.startsWith(start) ? 20 * weight : 0)))
      : 0;
  const splitTitle = (title: string): string[] => split(title).filter((word, at) => at === 0 || !common.includes(word));
  const addresses = new Set<string>();
  return entries
    .map((entry, index) => {
      const exact = isExact(entry);
      const own = measured[index] ?? [];
      const sum = (count: (strength: number) => number): number =>
        own.reduce((total, strength, at) => total + count(strength) * (rarity[at] ?? 0), 0);
      const [points, met] = [sum((strength) => strength), sum((strength) => (strength > 0 ? 1 : 0))];
      const parts = splitTitle(entry.t);
      const named = parts.filter((part) => prepared.some((forms) => forms.some(({ start }) => part.startsWith(start))));
      const isInQuery = (part: string): boolean => words.some((word) => part.startsWith(stem(word)));
      // A guide about the whole API whose title is in the query is what the query asks for, and so is an error of the operation in the query.
      const isNamed =
        (entry.k === 'guide' && (entry.p ?? 0) > 10 && parts.every(isInQuery)) ||
        (entry.k === 'error' && entry.e !== undefined && isAboutErrors && splitTitle(entry.e).every(isInQuery));
      const score =
        (isNamed ? 24 : 0) +
        (met / whole) * ((points / whole) * 100 + (named.length / Math.max(parts.length, 1)) * 16) +
        countVerb(entry, parts[0] ?? '') * (met / whole) +
        (bonus[entry.k] ?? 0) +
        (entry.p ?? 0) +
        (exact ? (entry.d.startsWith('GET ') ? 210 : 200) : 0);
      return { entry, score, isFound: met > 0 || exact };
    })
    .filter(({ isFound }) => isFound)
    .sort((one, other) => other.score - one.score)
    .filter(({ entry }) => !addresses.has(entry.u) && addresses.add(entry.u))
    .slice(0, 20)
    .map(({ entry }) => entry);
}
