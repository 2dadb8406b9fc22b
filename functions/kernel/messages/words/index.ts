import { chooseLanguage, LANGUAGES, loadTexts, type Texts } from '../../locale.ts';
import { type Translate, translator, type Values } from '../../translator.ts';
import { en, type MessageKey, type MessageWords } from './en.ts';

const WORDS: Texts<MessageWords> = {
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

/** The texts of messages in one language. */
export interface MessageLanguage {
  /** The language tag (BCP 47). */
  locale: string;
  translate: Translate<MessageKey>;
}

/**
 * Chooses the language of a message and loads its texts. The environment's own texts override the built-in ones.
 * @param preferences language tags in descending order of preference
 * @param texts the environment's own texts by language and key; a language that is not built in uses English for missing texts
 * @param common values for every text, such as the brand
 */
export async function messageLanguageFor(
  preferences: readonly (string | undefined)[],
  texts: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>,
  common: Values,
): Promise<MessageLanguage> {
  const locale = chooseLanguage([...LANGUAGES, ...Object.keys(texts)], preferences);
  const builtIn = await loadTexts(WORDS, chooseLanguage(LANGUAGES, [locale]));
  const words: MessageWords = { ...builtIn, ...(Object.hasOwn(texts, locale) ? texts[locale] : {}) };
  return { locale, translate: translator(words, common, locale) };
}
