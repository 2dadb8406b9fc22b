import type { Texts } from '../../../kernel/locale.ts';
import type { Surroundings } from '../../../kernel/pages/surroundings.ts';
import * as words from '../../../kernel/translator.ts';
import { en, type AccountWords } from './en.ts';

const WORDS: Texts<AccountWords> = {
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

/** Loads the account page's texts in the language of a page. */
export async function translateFor({ language: { locale }, brand = '' }: Surroundings): Promise<Translate> {
  return (await words.loadLanguage(WORDS, [locale], { brand })).translate;
}

/** A text of the account page with its values. */
export type Translate = words.Translate<keyof AccountWords>;
