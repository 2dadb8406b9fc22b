import { textDirection } from './locale.ts';
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
