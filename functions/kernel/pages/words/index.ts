import { type BuiltIn, type Localized, pick } from '../../locale.ts';
import { de } from './de.ts';
import { en, type WordKey, type Words } from './en.ts';
import { isolated } from './direction.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

const WORDS: BuiltIn<Words> = { en, de, fr, es };

/** All keys of texts, for settings that replace some. */
export const wordKeys = Object.keys(en) as WordKey[];

/** The values of placeholders. */
export type Values = Readonly<Record<string, string | number>>;

/** The pages' language with its texts. */
export interface Language {
  /** The language tag (BCP 47). */
  locale: string;
  /** A text with its values. They are text, not HTML: the template escapes the result. */
  translate: (key: WordKey, values?: Values) => string;
}

/** The sources of the language, in descending order of preference. */
export interface LanguagePreferences {
  /** `ui_locales` of the authorization request: tags separated by spaces (OpenID Connect Core section 3.1.2.1). */
  uiLocales: string | undefined;
  acceptLanguage: string | undefined;
  /** The environment's own language. */
  fallback: string | undefined;
}

const MAX_PREFERENCES = 20;

/**
 * Chooses the language. The environment's own texts override the built-in ones.
 * @param texts the environment's own texts by language and key; a language that is not built in uses English for missing
 * texts
 * @param common values for every text, such as the brand
 */
export function languageFor(
  preferences: LanguagePreferences,
  texts: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>,
  common: Values,
): Language {
  const wanted = [
    ...(preferences.uiLocales ?? '').split(' ').slice(0, MAX_PREFERENCES),
    ...acceptedLanguages(preferences.acceptLanguage ?? ''),
    preferences.fallback,
  ];
  const own: Localized<Words> = {
    ...WORDS,
    ...Object.fromEntries(Object.keys(texts).map((tag) => [tag, mixed(tag, texts[tag] ?? {})])),
  };
  const { locale, words } = pick<Words>(own, wanted);
  return { locale, translate: (key, values = {}) => filled(words[key], { ...common, ...values }) };
}

const mixed = (tag: string, texts: Readonly<Partial<Record<string, string>>>): Words => ({
  ...pick<Words>(WORDS, [tag]).words,
  ...texts,
});

/** The languages of an Accept-Language header by their weight (RFC 9110 section 12.5.4); `*` is ignored. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',', MAX_PREFERENCES)
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return { tag, weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => /^[a-z]{1,8}(-[a-z0-9]{1,8})*$/i.test(tag) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

/** Translates the keys of an area's own texts, which has them in every language of the pages. */
export const translator =
  <Key extends string>(words: Readonly<Record<Key, string>>, common: Values) =>
  (key: Key, values: Values = {}): string =>
    filled(words[key], { ...common, ...values });

const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? isolated(String(values[name])) : whole,
  );
