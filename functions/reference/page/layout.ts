import { createHash } from 'node:crypto';

import { Html, html } from '../../kernel/pages/html.ts';
import { SCRIPT } from './script.ts';
import { STYLE } from './style.ts';

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * The policy of the pages: only the page's own style and script, identified by their digests, may be loaded, and framing is
 * not allowed.
 */
export const CONTENT_SECURITY_POLICY = [
  `default-src 'none'`,
  `style-src ${digest(STYLE)}`,
  `script-src ${digest(SCRIPT)}`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

// The style element is built separately from the page, because its digest depends on every byte, and a formatter changes
// templates.
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${SCRIPT}</script>`);

/** A complete page. */
export function page(title: string, search: string, content: Html): string {
  const { text } = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>${title}</title>
      ${STYLE_ELEMENT}
    </head>
    <body>
      <a class="skip" href="#content">Skip to the content</a>
      <header>
        <p><a href="/docs">Gatehouse reference</a> · <a href="/openapi.json">openapi.json</a></p>
        <form method="get" action="/docs" role="search">
          <label for="search">Search operations</label>
          <input id="search" type="search" name="q" value="${search}" maxlength="200" autocomplete="off" />
          <button type="submit">Search</button>
          <span role="status" class="muted"></span>
        </form>
      </header>
      <main id="content" tabindex="-1">
        <h1>${title}</h1>
        ${content}
      </main>
      ${SCRIPT_ELEMENT}
    </body>
  </html>`;
  return `<!doctype html>\n${text}\n`;
}
