import type { Texts } from '../../locale.ts';
import { loadLanguage, type TranslatedTexts, type Values } from '../../translator.ts';
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
export type MessageLanguage = TranslatedTexts<MessageKey>;

/**
 * Chooses the language of a message and loads its texts. The environment's own texts override the built-in ones.
 * @param preferences language tags in descending order of preference
 * @param texts the environment's own texts by language and key; a language that is not built in uses English for missing texts
 * @param common values for every text, such as the brand
 */
export const messageLanguageFor = (
  preferences: readonly (string | undefined)[],
  texts: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>>,
  common: Values,
): Promise<MessageLanguage> => loadLanguage(WORDS, preferences, common, texts);
