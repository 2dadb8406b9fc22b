import { type BuiltIn, pick } from '../../kernel/locale.ts';
import type { Surroundings } from '../../kernel/pages/surroundings.ts';
import { translator } from '../../kernel/pages/words/index.ts';
import { de } from './de.ts';
import { en, type PortalWords } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

const WORDS: BuiltIn<PortalWords> = { en, de, fr, es };

/** The portal's texts in the language of a page. */
export const translateFor = ({ language, brand = '' }: Surroundings) =>
  translator(pick<PortalWords>(WORDS, [language.locale]).words, { brand });

/** A text of the portal with its values. */
export type Translate = ReturnType<typeof translateFor>;
