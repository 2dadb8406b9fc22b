import * as z from 'zod';

import { type DeclaredError, Failure } from '../errors.ts';
import { pageHeaders } from './page-headers.ts';
import { type Page, type RefusalForm, messages } from './refusal.ts';

/** The body of a page as operations declare it; the reference shows it as text/html. */
export const Html = z.string().meta({ contentMediaType: 'text/html' });

/** Escapes text for HTML, safe within elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const STYLE = `
:root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 40rem; padding: 4rem 1.5rem; }
h1 { font-size: 1.5rem; }
`;

/**
 * A small page of the service as a response: no script, no external resources, no framing.
 * @param content `title` is text; `body` is HTML whose values were escaped; `targets` as in {@link pageHeaders}
 */
export function page(content: { title: string; body: string; targets?: readonly string[] | 'anywhere' }): {
  body: string;
  headers: Record<string, string>;
} {
  const title = escapeHtml(content.title);
  return {
    body:
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
      `<meta name="viewport" content="width=device-width, initial-scale=1"><style>${STYLE}</style></head>` +
      `<body><main><h1>${title}</h1>${content.body}</main></body></html>`,
    headers: pageHeaders({ style: STYLE, targets: content.targets ?? [] }),
  };
}

/** An error with the small page that a browser gets instead. */
export class PageFailure extends Failure {
  readonly page: Page;

  constructor(declared: DeclaredError, content: { title: string; body: string }) {
    super(declared);
    this.page = page(content);
  }
}

/**
 * The error form of operations that browsers are redirected to: a page for a browser, the usual form for other clients.
 */
export const pageRefusals: RefusalForm = {
  ...messages,
  page: (failure) =>
    failure instanceof PageFailure
      ? failure.page
      : page({ title: 'Something went wrong', body: '<p>Go back to where you came from and try again.</p>' }),
};
