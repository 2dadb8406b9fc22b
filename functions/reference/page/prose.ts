import { type Html, html } from '../../kernel/pages/html.ts';

/** Prose of the document: paragraphs separated by empty lines, `code` between backticks. */
export function prose(text: string | undefined): Html {
  const paragraphs = (text ?? '').split('\n\n').filter((paragraph) => paragraph !== '');
  return html`${paragraphs.map((paragraph) => html`<p>${phrase(paragraph)}</p>`)}`;
}

/** One line of prose. */
export function phrase(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
