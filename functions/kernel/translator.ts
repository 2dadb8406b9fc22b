import { chooseLanguage, LANGUAGES, loadTexts, textDirection, type Texts } from './locale.ts';
import { isolated } from './pages/words/direction.ts';

/** The values of placeholders. */
export type Values = Readonly<Record<string, string | number>>;

/** Returns a text with its values. They are text, not HTML: the result is escaped where it is displayed. */
export type Translate<Key extends string> = (key: Key, values?: Values) => string;

/**
 * Makes the function that fills the texts of one language.
 * @param common values for every text, such as the brand
 */
export function translator<Key extends string>(
  words: Readonly<Record<Key, string>>,
  common: Values,
  locale: string,
): Translate<Key> {
  const direction = textDirection(locale);
  return (key, values = {}) => {
    const all = { ...common, ...values };
    return words[key].replace(/\{(\w+)\}/g, (whole, name: string) =>
      Object.hasOwn(all, name) ? isolated(String(all[name]), direction) : whole,
    );
  };
}

/** The texts of one language. */
export interface TranslatedTexts<Key extends string> {
  /** The language tag (BCP 47). */
  locale: string;
  translate: Translate<Key>;
}

/**
 * Chooses the language and loads its texts. The environment's own texts override the built-in ones.
 * @param preferences language tags in descending order of preference
 * @param own the environment's own texts by language and key; a language that is not built in uses English for missing texts
 * @param common values for every text, such as the brand
 */
export async function loadLanguage<W extends Readonly<Record<string, string>>>(
  texts: Texts<W>,
  preferences: readonly (string | undefined)[],
  common: Values,
  own: Readonly<Record<string, Readonly<Partial<Record<string, string>>>>> = {},
): Promise<TranslatedTexts<keyof W & string>> {
  const locale = chooseLanguage([...LANGUAGES, ...Object.keys(own)], preferences);
  const builtIn = await loadTexts(texts, chooseLanguage(LANGUAGES, [locale]));
  const words: W = { ...builtIn, ...(Object.hasOwn(own, locale) ? own[locale] : {}) };
  return { locale, translate: translator<keyof W & string>(words, common, locale) };
}
