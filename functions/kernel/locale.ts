/** The languages of mails and pages (BCP 47). */
export const LANGUAGES = [
  'en',
  'de',
  'fr',
  'es',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'ja',
  'zh-CN',
  'zh-TW',
  'ko',
  'tr',
  'ar',
  'he',
] as const;

export type LanguageTag = (typeof LANGUAGES)[number];

/**
 * Texts in every language of mails and pages; a missing language does not compile. English is in the code of a function.
 * Every other language is a file `<tag>.ts` that is loaded when it is needed (`lib/stack/apart.ts`).
 */
export type Texts<W> = { readonly en: W } & Readonly<Record<Exclude<LanguageTag, 'en'>, () => Promise<W>>>;

/** Loads the texts in a language; they are the English ones for a language that does not exist. */
export async function loadTexts<W extends object>(texts: Texts<W>, locale: string): Promise<W> {
  const found: unknown = Object.hasOwn(texts, locale) ? texts[locale as LanguageTag] : texts.en;
  return typeof found === 'function' ? (found as () => Promise<W>)() : (found as W);
}

/**
 * Chooses the first preferred language that exists, each by the lookup of RFC 4647 section 3.4: `pt-BR`, then `pt`. If the
 * lookup finds nothing, another region of the same language and script counts: `pt-BR` for `pt-PT`, and `zh-TW` for `zh-HK`.
 * @returns a tag as it is in the list, or `en` if no preferred language is in it
 */
export function chooseLanguage(tags: readonly string[], preferences: readonly (string | undefined)[]): string {
  const known = new Map(tags.map((tag) => [tag.toLowerCase(), tag]));
  for (const preference of preferences) {
    const asked = canonicalLocale(preference?.replaceAll('_', '-') ?? '');
    if (asked === undefined) continue;
    for (let range = asked.toLowerCase(); range !== ''; range = shorter(range)) {
      const found = known.get(range);
      if (found !== undefined) return found;
    }
    const written = writtenForm(asked);
    const related = tags.find((tag) => writtenForm(tag) === written);
    if (related !== undefined) return related;
  }
  return 'en';
}

/** Returns language and script, such as `zh-Hant` for `zh-HK`. */
function writtenForm(tag: string): string {
  const { language, script = '' } = new Intl.Locale(tag).maximize();
  return `${language}-${script}`;
}

/** A language range without its last subtag, and without a single letter that is then the last one (`zh-x-private`). */
function shorter(range: string): string {
  const next = range.slice(0, Math.max(0, range.lastIndexOf('-')));
  return /-[a-z0-9]$/.test(next) ? next.slice(0, -2) : next;
}

/** Formats a number of minutes or seconds with its unit in the plural form of the language, such as `10 minutes`. */
export function formatDuration(locale: string, number: number, unit: 'day' | 'minute' | 'second'): string {
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long', useGrouping: false }).format(number);
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
