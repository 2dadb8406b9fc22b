import { renderCurl } from '../../../../functions/kernel/http/curl.ts';
import { type Html, html } from '../../../../functions/kernel/pages/html.ts';
import { type PagesSettings, pagesSettings } from '../../../../functions/kernel/pages/settings.ts';
import { contrast } from '../../../../functions/kernel/pages/theme/colour.ts';
import { copyButton } from '../parts.ts';

/** The values of the form by the names of its fields. */
export type Entered = Readonly<Record<string, string>>;

const SCHEMES = ['light', 'dark'] as const;
const COLOURS = ['accent', 'background', 'surface', 'text'] as const;

/** The settings that are texts, each with its label; an empty field is null. */
const TEXTS = [
  ['brand_name', 'Name'],
  ['logo_url', 'Logo (https or data URL)'],
  ['favicon_url', 'Icon (https or data URL)'],
  ['font_url', 'Font (URL of a WOFF2 file)'],
  ['home_url', 'Home page'],
  ['terms_url', 'Terms of service'],
  ['privacy_url', 'Privacy policy'],
] as const satisfies readonly (readonly [keyof PagesSettings, string])[];

/** The settings with a few values, each with its label. */
const CHOICES = [
  ['font', 'Font', ['system', 'humanist', 'geometric', 'rounded', 'serif', 'mono']],
  ['appearance', 'Colour scheme', ['system', 'light', 'dark']],
  ['sign_in_form', 'First page', ['email_first', 'email_and_password']],
  ['provider_position', 'Providers', ['below', 'above']],
  ['stay_signed_in', 'Stay signed in', ['always', 'ask']],
] as const satisfies readonly (readonly [keyof PagesSettings, string, readonly string[]])[];

/** The settings of the pages with the changes of the form. Settings that the form does not have stay. */
export function applyEntered(settings: object, entered: Entered): Record<string, unknown> {
  const palette = (scheme: (typeof SCHEMES)[number]) => ({
    ...Object.fromEntries(COLOURS.map((name) => [name, entered[`${scheme}.${name}`] ?? ''])),
    logo_url: entered[`${scheme}.logo_url`] || null,
  });
  return {
    ...settings,
    ...Object.fromEntries(TEXTS.map(([name]) => [name, entered[name] || null])),
    ...Object.fromEntries(CHOICES.map(([name]) => [name, entered[name] ?? ''])),
    radius: Number(entered.radius ?? ''),
    provider_order: (entered.provider_order ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    language_menu: entered.language_menu === 'true',
    light: palette('light'),
    dark: palette('dark'),
  };
}

/** The settings that differ from the defaults: the body of a call that gives another environment the same brand. */
function listChanges(settings: object): Record<string, unknown> {
  const defaults: Record<string, unknown> = pagesSettings.schema.parse({});
  const isChanged = (value: unknown, usual: unknown): boolean => JSON.stringify(value) !== JSON.stringify(usual);
  return Object.fromEntries(Object.entries(settings).filter(([name, value]) => isChanged(value, defaults[name])));
}

const colourField = (scheme: string, name: string, value: string): Html =>
  html`<label
    >${`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}
    <input type="color" name="${`${scheme}.${name}`}" value="${value}"
  /></label>`;

/** The contrast of text with what is behind it; the settings need 4.5 : 1 (WCAG 2.2, 1.4.3). */
const contrastText = ({ text, background, surface }: PagesSettings['light']): string =>
  `Contrast of text: ${contrast(text, background).toFixed(1)} : 1 on the background, ${contrast(text, surface).toFixed(1)} : 1 on the card`;

/**
 * The form for the brand of the hosted pages, and the call that makes the same change.
 * @param chosen the page and the language that are shown after the change
 */
export function brandEditor(
  settings: PagesSettings,
  url: string,
  chosen: { show: string; locale: string },
  isOpen: boolean,
): Html {
  const body = listChanges(settings);
  const call = renderCurl(url, { method: 'PUT', path: '/x/pages/settings', query: {}, body, isKeyed: true });
  const selection = ([name, label, values]: (typeof CHOICES)[number]): Html =>
    html`<label
      >${label}
      <select name="${name}">
        ${values.map((value) => html`<option ${settings[name] === value && html`selected`}>${value}</option>`)}
      </select></label
    >`;
  return html`<details class="card" id="editor" ${isOpen && html`open`}>
    <summary>Change the brand</summary>
    <form class="card" method="post" action="/_local/actions/brand">
      <input type="hidden" name="show" value="${chosen.show}" />
      <input type="hidden" name="locale" value="${chosen.locale}" />
      <div class="thirds">
        ${TEXTS.map(
          ([name, label]) =>
            html`<label>${label} <input name="${name}" value="${settings[name] ?? ''}" autocomplete="off" /></label>`,
        )}
      </div>
      ${SCHEMES.map(
        (scheme) =>
          html`<fieldset>
            <legend>${scheme === 'light' ? 'Light scheme' : 'Dark scheme'}</legend>
            <div class="thirds">
              ${COLOURS.map((name) => colourField(scheme, name, settings[scheme][name]))}
              <label
                >Logo, if it differs
                <input name="${`${scheme}.logo_url`}" value="${settings[scheme].logo_url ?? ''}" autocomplete="off"
              /></label>
            </div>
            <p class="hint">${contrastText(settings[scheme])}</p>
          </fieldset>`,
      )}
      <div class="thirds">
        ${CHOICES.map(selection)}
        <label
          >Radius of corners <input name="radius" type="number" min="0" max="24" value="${settings.radius}"
        /></label>
        <label
          >Order of providers, separated by commas
          <input name="provider_order" value="${settings.provider_order.join(', ')}" autocomplete="off"
        /></label>
        <label class="check"
          ><input type="checkbox" name="language_menu" value="true" ${settings.language_menu && html`checked`} />
          Language menu</label
        >
      </div>
      <button class="main">Save</button>
    </form>
    <p class="hint">The same change by the API: ${copyButton(call, 'the call')}</p>
    <pre tabindex="0" aria-label="The call of the API">${call}</pre>
  </details>`;
}
