import type { Texts } from '../../locale.ts';
import { loadLanguage, type TranslatedTexts, type Values } from '../../translator.ts';
import { en, type WordKey, type Words } from './en.ts';

const WORDS: Texts<Words> = {
  en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
  'pt-BR': async () => (await import('./pt-BR.ts')).ptBr,
  it: async () => (await import('./it.ts')).it,
  nl: async () => (await import('./nl.ts')).nl,
  pl: async () => (await import('./pl.ts')).pl,
  ja: async () => (await import('./ja.ts')).ja,
  'zh-CN': async () => (await import('./zh-CN.ts')).zhCn,
  'zh-TW': async () => (await import('./zh-TW.ts')).zhTw,
  ko: async () => (await import('./ko.ts')).ko,
  tr: async () => (await import('./tr.ts')).tr,
  ar: async () => (await import('./ar.ts')).ar,
  he: async () => (await import('./he.ts')).he,
};

/** All keys of texts, for settings that replace some. */
export const wordKeys = Object.keys(en) as WordKey[];

/** The pages' language with its texts. */
export type Language = TranslatedTexts<WordKey>;

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
 * Chooses the language and loads its texts. The environment's own texts override the built-in ones.
 * @param texts the environment's own texts by language and key; a language that is not built in uses English for missing
 * texts
 * @param common values for every text, such as the brand
 */
export function languageFor(
  preferences: LanguagePreferences,
  texts: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>,
  common: Values,
): Promise<Language> {
  const wanted = [
    ...(preferences.uiLocales ?? '').split(' ').slice(0, MAX_PREFERENCES),
    ...acceptedLanguages(preferences.acceptLanguage ?? ''),
    preferences.fallback,
  ];
  return loadLanguage(WORDS, wanted, common, texts);
}

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
