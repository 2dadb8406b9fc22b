import { chooseLanguage, LANGUAGES, loadTexts, type Texts } from '../../kernel/locale.ts';
import type { Surroundings } from '../../kernel/pages/surroundings.ts';
import * as words from '../../kernel/translator.ts';
import { en, type PortalWords } from './en.ts';

const WORDS: Texts<PortalWords> = {
  en,
  de: async () => (await import('./de.ts')).de,
  fr: async () => (await import('./fr.ts')).fr,
  es: async () => (await import('./es.ts')).es,
};

/** Loads the portal's texts in the language of a page. */
export async function translateFor({ language: { locale }, brand = '' }: Surroundings): Promise<Translate> {
  const known = chooseLanguage(LANGUAGES, [locale]);
  return words.translator(await loadTexts(WORDS, known), { brand }, known);
}

/** A text of the portal with its values. */
export type Translate = words.Translate<keyof PortalWords>;
