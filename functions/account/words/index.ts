import { type BuiltIn, pick } from '../../kernel/locale.ts';
import type { Surroundings } from '../../kernel/pages/surroundings.ts';
import { translator } from '../../kernel/pages/words/index.ts';
import { de } from './de.ts';
import { type AccountWords, en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

const WORDS: BuiltIn<AccountWords> = { en, de, fr, es };

/** The account page's texts in the language of a page. */
export const translateFor = ({ language, brand = '' }: Surroundings) =>
  translator(pick<AccountWords>(WORDS, [language.locale]).words, { brand });

/** A text of the account page with its values. */
export type Translate = ReturnType<typeof translateFor>;
