import { LANGUAGES } from '../locale.ts';
import { type Html, html } from './html.ts';
import { LANGUAGE_PATH } from './language-choice.ts';
import type { Surroundings } from './surroundings.ts';

/** The languages of an environment's pages: the built-in ones, and those of its own texts. */
export const offeredLanguages = (texts: Readonly<Record<string, unknown>>): string[] => [
  ...new Set([...LANGUAGES, ...Object.keys(texts)]),
];

/** The name of a language in itself. */
const nameLanguage = (tag: string): string => new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag;

/** The form with which a reader chooses the language; undefined if the environment does not offer it. */
export function languageMenu({ settings, language }: Surroundings): Html | undefined {
  if (!settings.language_menu) return undefined;
  const { translate, locale } = language;
  return html`<form class="languages" method="post" action="${LANGUAGE_PATH}">
    <label for="language">${translate('page.language')}</label>
    <select id="language" name="language" autocomplete="off">
      ${offeredLanguages(settings.texts).map(
        (tag) =>
          html`<option value="${tag}" lang="${tag}" ${tag === locale && html`selected`}>${nameLanguage(tag)}</option>`,
      )}
    </select>
    <button class="plain" type="submit">${translate('page.language_change')}</button>
  </form>`;
}
