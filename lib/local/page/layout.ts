import { Html, html } from '../../../functions/kernel/pages/html.ts';
import { pagesSettings } from '../../../functions/kernel/pages/settings.ts';
import { themeRules } from '../../../functions/kernel/pages/theme/palette.ts';
import { clockPart } from './parts.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

/** A page of `/_local`. */
export interface LocalPage {
  title: string;
  /** The path below `/_local`, which the navigation marks. */
  name: string;
  content: Html;
  /** The result of the form that led here. */
  notice?: string | undefined;
  /** The error of the submitted form. */
  alert?: string | undefined;
}

/** The values that every page shows. */
export interface LocalSurroundings {
  nonce: string;
  /** `epoch.revision` of the timeline, from which the stream continues. */
  since: string;
  clockOffsetSeconds: number;
}

/** The links of every page: the name below `/_local` or an address, and the text. */
const LINKS: readonly (readonly [string, string])[] = [
  ['', 'Start'],
  ['mail', 'Mail'],
  ['people', 'People'],
  ['faults', 'Faults'],
  ['brand', 'Brand'],
  ['idp', 'Test IdP'],
  ['/docs', 'Reference'],
];

const makeAddress = (name: string): string => (name.startsWith('/') ? name : `/_local${name === '' ? '' : `/${name}`}`);

/**
 * A complete page of `/_local` in the theme of the hosted pages. It loads nothing external; only its own style and script, which
 * have the nonce of its policy, are used. Every part works without JavaScript, except what changes by itself and copying.
 */
export function localPage({ title, name, content, notice, alert }: LocalPage, around: LocalSurroundings): string {
  const { nonce, since, clockOffsetSeconds } = around;
  const { text } = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>${alert !== undefined && 'Error: '}${title} – Gatehouse, local</title>
      <link rel="icon" href="${ICON}" />
      ${new Html(`<style nonce="${nonce}">${themeRules(pagesSettings.schema.parse({}))}${STYLE}</style>`)}
    </head>
    <body data-since="${since}">
      <a class="skip" href="#content">Skip to content</a>
      <header>
        <p class="name"><span class="mark" aria-hidden="true">G</span> Gatehouse <small>local</small></p>
        <nav aria-label="Local service">
          ${LINKS.map(
            ([link, label]) =>
              html`<a href="${makeAddress(link)}" ${link === name && html`aria-current="page"`}>${label}</a> `,
          )}
        </nav>
        ${clockPart(clockOffsetSeconds)}
      </header>
      <main id="content" tabindex="-1">
        <p id="trouble" class="alert" role="alert" hidden></p>
        ${alert !== undefined && html`<p class="alert" role="alert">${alert}</p>`}
        ${notice !== undefined && html`<p class="notice" role="status">${notice}</p>`} ${content}
      </main>
      <p id="copied" class="skip" role="status"></p>
      ${new Html(`<script nonce="${nonce}">${SCRIPT}</script>`)}
    </body>
  </html>`;
  return `<!doctype html>\n${text}\n`;
}

const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%231f4fd8' d='M8 1 1 6v9h5v-5h4v5h5V6z'/%3E%3C/svg%3E";
