/** A text in several languages: English always, others by language tag (BCP 47), such as `de` or `pt-BR`. */
export type Localized<T> = { readonly en: T } & Readonly<Partial<Record<string, T>>>;

/** Texts in every language of mails and pages. A missing one does not compile. */
export type BuiltIn<T> = Readonly<Record<'en' | 'de' | 'fr' | 'es', T>>;

/**
 * Chooses the text in the first preferred language that exists, each by the lookup of RFC 4647 section 3.4: `pt-BR`, then
 * `pt`. It is English if none exists.
 */
export function pick<T>(
  words: Localized<T>,
  preferences: readonly (string | undefined)[],
): { locale: string; words: T } {
  const known = new Map(Object.keys(words).map((tag) => [tag.toLowerCase(), tag]));
  for (const preference of preferences) {
    for (let range = preference?.replaceAll('_', '-').toLowerCase() ?? ''; range !== ''; range = shorter(range)) {
      const locale = known.get(range);
      const found = locale === undefined ? undefined : words[locale];
      if (locale !== undefined && found !== undefined) return { locale, words: found };
    }
  }
  return { locale: 'en', words: words.en };
}

/** A language range without its last subtag, and without a single letter that is then the last one (`zh-x-private`). */
function shorter(range: string): string {
  const next = range.slice(0, Math.max(0, range.lastIndexOf('-')));
  return /-[a-z0-9]$/.test(next) ? next.slice(0, -2) : next;
}

/** Formats a time for a reader of the language, in UTC with the zone, because the reader's own zone is not known. */
export function formatDateTime(locale: string, timestamp: string): string {
  const options = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat(locale, options).format(new Date(timestamp))} UTC`;
}

/** Joins the items of an enumeration for a sentence: "a, b, and c". */
export function enumeration(locale: string, items: readonly string[]): string {
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(items);
}

/** The writing direction of a language. */
export function textDirection(locale: string): 'ltr' | 'rtl' {
  return /^(ar|dv|fa|he|ks|ku|ps|sd|ug|ur|yi)(-|$)/i.test(locale) ? 'rtl' : 'ltr';
}

/** A language tag (BCP 47) in its canonical spelling, such as `pt-BR`; undefined for any other text. */
export function canonicalLocale(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}
