import { createHash } from 'node:crypto';

import { Html, html } from '../../../kernel/pages/html.ts';
import { renderRail } from '../navigation/rail.ts';
import type { Navigation } from '../navigation/navigation.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The policy of the pages: only the page's own style and script, identified by their digests, may be loaded, the script may
 * call only this service (the search index, and calls that a reader tries), and framing is not allowed.
 */
export const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `style-src ${digest(STYLE)}`,
  `script-src ${digest(SCRIPT)}`,
  `img-src data:`,
  `connect-src 'self'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

// The style element is built separately from the page, because its digest depends on every byte, and a formatter changes
// templates.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${SCRIPT}</script>`);

/** A picture of a house with a gate, as a data URL. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%230b57d0' d='M8 1 1 6v9h5v-5h4v5h5V6z'/%3E%3C/svg%3E";

/** A link to a page of the reference. */
export interface Link {
  title: string;
  address: string;
}

/** The parts of a page. */
export interface PageParts {
  title: string;
  /** The pages above this one, from the first on. */
  crumbs?: readonly Link[];
  content: Html;
  navigation: Navigation;
  /** The address of this page, which the navigation marks. */
  address: string;
  /** Links to the pages before and after this one. */
  before?: Link | undefined;
  after?: Link | undefined;
  /** True if the page can also be read as Markdown. */
  hasMarkdown?: boolean;
  /** The text of the search field. */
  search?: string;
}

/** A complete page. */
export function page(parts: PageParts): string {
  const { title, crumbs = [], content, navigation, address, search = '' } = parts;
  const { text } = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title === 'Gatehouse reference' ? title : `${title} · Gatehouse reference`}</title>
      <link rel="icon" href="${ICON}" />
      ${STYLE_ELEMENT}
    </head>
    <body>
      <a class="skip" href="#content">Skip to the content</a>
      <header class="top">
        <p><a href="/docs">Gatehouse</a></p>
        <a class="menu" href="#navigation">Menu</a>
        <form method="get" action="/docs" role="search">
          <label class="skip" for="search-field">Search the reference</label>
          <input
            id="search-field"
            type="search"
            name="q"
            value="${search}"
            maxlength="200"
            autocomplete="off"
            placeholder="Search: login, pagination, an error code …   ( / )"
          />
          <span role="status" class="skip"></span>
        </form>
        <a class="wide" href="/openapi.json">OpenAPI</a>
      </header>
      <div class="sheet">
        ${renderRail(navigation, address)}
        <main id="content" tabindex="-1">
          ${crumbs.length > 0 && renderCrumbs(crumbs)}
          <h1>${title}</h1>
          ${parts.hasMarkdown === true && renderTools(address)} ${content} ${renderPager(parts)}
        </main>
      </div>
      ${SCRIPT_ELEMENT}
    </body>
  </html>`;
  return `<!doctype html>\n${text}\n`;
}

const renderCrumbs = (crumbs: readonly Link[]): Html =>
  html`<nav class="crumbs" aria-label="Breadcrumbs">
    ${crumbs.map(({ title, address }) => html`<a href="${address}">${title}</a> › `)}
  </nav>`;

/** The Markdown of a page: `/docs` itself is the list of pages for language models. */
export const markdownAddress = (address: string): string => (address === '/docs' ? '/llms.txt' : `${address}.md`);

const renderTools = (address: string): Html =>
  html`<p class="tools"><a href="${markdownAddress(address)}" data-copy-page>View as Markdown</a></p>`;

function renderPager({ before, after }: PageParts): Html | undefined {
  if (before === undefined && after === undefined) return undefined;
  return html`<nav class="pager" aria-label="Previous and next page">
    ${before === undefined ? html`<span></span>` : html`<a rel="prev" href="${before.address}">← ${before.title}</a>`}
    ${after !== undefined && html`<a rel="next" href="${after.address}">${after.title} →</a>`}
  </nav>`;
}
