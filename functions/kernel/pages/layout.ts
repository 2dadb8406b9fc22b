import { Html, html } from './html.ts';
import { pageHeaders } from './headers.ts';
import { type Captcha, findCaptchaFacts } from './captcha.ts';
import { textDirection } from '../locale.ts';
import { languageMenu } from './language-menu.ts';
import type { PagesSettings } from './settings.ts';
import { themeRules } from './theme/palette.ts';
import { STYLE } from './theme/style.ts';
import { ASSETS_PATH, SCRIPT_NAME } from './script.ts';
import { SIGNALS_PATH } from './signals-script.ts';
import type { Surroundings } from './surroundings.ts';

/** The content of a page. */
export interface Content {
  title: string;
  lead?: string | undefined;
  /** The icon above the title, which shows the result of a flow. */
  sign?: 'done' | 'rejected' | undefined;
  /** The error of the submitted form, which screen readers read at once. */
  alert?: string | undefined;
  /** True if a field has an error, which the title of the page then mentions. */
  isWrong?: boolean | undefined;
  /** A success message. */
  notice?: string | undefined;
  body?: Html | undefined;
  /** True for a page of work with tables and steps, whose card is wider. */
  isWide?: boolean | undefined;
  /**
   * True for a page with the environment's own style rules. Pages of consent, approval, a second factor or a change of the
   * account have the style of the service, so that they look the same whatever the rules are.
   */
  takesOwnStyle?: boolean | undefined;
  /** True for a page without scripts and without a choice of the language, which its host may not have. */
  isPlain?: boolean | undefined;
  /** Seconds after which the page is loaded again if the browser runs scripts: for a page that waits for something. */
  reloadSeconds?: number | undefined;
  /**
   * Redirect targets of responses to the page's forms, as sources of a Content Security Policy. `anywhere` is for forms that
   * lead to a provider, which may redirect to any page that it uses.
   */
  targets?: readonly string[] | 'anywhere' | undefined;
  /** The address that a browser without JavaScript opens at once, for a page that is of no use without it. */
  refreshWithoutScript?: string | undefined;
  /** The captcha in the page's form: its script and sources are allowed on this page only. */
  captcha?: Captcha | undefined;
  /** The client id for which the page reports signals to Radar; absent if it does not. */
  signals?: string | undefined;
}

/** A complete page as a response. */
export function page(surroundings: Surroundings, content: Content): { body: string; headers: Record<string, string> } {
  const { settings, language } = surroundings;
  const style = themeRules(settings) + STYLE + (content.takesOwnStyle === true ? (surroundings.ownStyle ?? '') : '');
  const { title, alert } = content;
  const { text } = html`<html lang="${language.locale}" dir="${textDirection(language.locale)}">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="${settings.appearance === 'system' ? 'light dark' : settings.appearance}" />
      ${themeColours(settings)}
      <title>${documentTitle(surroundings, alert !== undefined || content.isWrong === true, title)}</title>
      <link rel="icon" href="${settings.favicon_url ?? 'data:,'}" />
      ${
        // The text is not formatted, because its digest depends on every byte.
        new Html(`<style>${style}</style>`)
      }
      ${
        content.refreshWithoutScript !== undefined &&
        html`<noscript><meta http-equiv="refresh" content="0;url=${content.refreshWithoutScript}" /></noscript>`
      }
      ${renderScripts(content)}
    </head>
    <body>
      <main
        class="card${content.isWide === true && ' wide'}"
        id="content"
        ${content.reloadSeconds !== undefined && html`data-reload="${content.reloadSeconds}"`}
      >
        ${renderBrand(surroundings)} ${content.sign && renderSign(content.sign)}
        <h1>${title}</h1>
        ${content.lead !== undefined && html`<p class="lead">${content.lead}</p>`}
        ${alert !== undefined && html`<div class="alert" role="alert">${alert}</div>`}
        ${content.notice !== undefined && html`<div class="notice" role="status">${content.notice}</div>`}
        ${content.body}
      </main>
      ${content.isPlain !== true && renderFooter(surroundings)}
    </body>
  </html>`;
  const targets =
    content.targets === 'anywhere' ? content.targets : [...(content.targets ?? []), ...settings.redirect_origins];
  const calledPath = content.signals === undefined ? undefined : SIGNALS_PATH;
  return {
    body: `<!doctype html>\n${text}\n`,
    headers: pageHeaders({
      style,
      pictures: listPictures(settings),
      font: settings.font_url,
      ...(content.isPlain !== true && { scriptPath: ASSETS_PATH }),
      calledPath,
      captchaSources: content.captcha && findCaptchaFacts(content.captcha).sources,
      targets,
    }),
  };
}

const renderScripts = ({ isPlain, captcha }: Content): Html =>
  html`${isPlain !== true && html`<script src="${ASSETS_PATH}/${SCRIPT_NAME}" defer></script>`}
  ${captcha && html`<script src="${findCaptchaFacts(captcha).script}" async defer></script>`}`;

/** The title with the brand, by which tabs of several services differ; a title that names the brand does not repeat it. */
function documentTitle({ brand = '', language }: Surroundings, isWrong: boolean, title: string): string {
  const named = brand === '' || title.includes(brand) ? title : `${title} – ${brand}`;
  return isWrong ? language.translate('page.error', { title: named }) : named;
}

/** The colour of the browser's own bar, which continues the page's background. */
function themeColours({ appearance, light, dark }: PagesSettings): Html {
  if (appearance !== 'system')
    return html`<meta name="theme-color" content="${appearance === 'light' ? light.background : dark.background}" />`;
  return html`<meta name="theme-color" media="(prefers-color-scheme: light)" content="${light.background}" />
    <meta name="theme-color" media="(prefers-color-scheme: dark)" content="${dark.background}" />`;
}

/** The logos of both schemes; each is the other's or the common one if it has none of its own. */
function findLogos({ logo_url: common, light, dark, appearance }: PagesSettings) {
  const inLight = light.logo_url ?? common ?? dark.logo_url;
  const inDark = dark.logo_url ?? common ?? light.logo_url;
  return { inLight: appearance === 'dark' ? inDark : inLight, inDark: appearance === 'light' ? inLight : inDark };
}

/** The pictures that a page loads. */
const listPictures = (settings: PagesSettings): string[] =>
  [...Object.values(findLogos(settings)), settings.favicon_url].filter((address) => address !== null);

function renderBrand({ settings, brand }: Surroundings): Html | undefined {
  if (brand === undefined) return undefined;
  const { inLight, inDark } = findLogos(settings);
  if (inLight !== null && inDark === inLight)
    return html`<div class="brand"><img src="${inLight}" alt="${brand}" /></div>`;
  if (inLight !== null && inDark !== null)
    return html`<div class="brand">
      <picture
        ><source srcset="${inDark}" media="(prefers-color-scheme: dark)" />
        <img src="${inLight}" alt="${brand}"
      /></picture>
    </div>`;
  const [initial = ''] = brand;
  return html`<div class="brand"><span class="mark" aria-hidden="true">${initial.toUpperCase()}</span>${brand}</div>`;
}

const CHECK = 'M5 12.5l4.5 4.5L19 7.5';
const CROSS = 'M7 7l10 10M17 7L7 17';

const renderSign = (sign: 'done' | 'rejected'): Html =>
  html`<div class="sign ${sign === 'rejected' && 'no'}" aria-hidden="true">
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round">
      <path d="${sign === 'done' ? CHECK : CROSS}" />
    </svg>
  </div>`;

function renderFooter(surroundings: Surroundings): Html | undefined {
  const { settings, language } = surroundings;
  const links = makeLinks(settings).map(([key, address]) => html`<a href="${address}">${language.translate(key)}</a>`);
  const menu = languageMenu(surroundings);
  return links.length === 0 && menu === undefined ? undefined : html`<footer>${links} ${menu}</footer>`;
}

const makeLinks = ({ terms_url: terms, privacy_url: privacy }: PagesSettings) =>
  [['page.terms', terms] as const, ['page.privacy', privacy] as const].flatMap(([key, address]) =>
    address === null ? [] : [[key, address] as const],
  );
