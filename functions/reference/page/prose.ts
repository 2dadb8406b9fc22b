import { type Html, html } from '../../kernel/pages/html.ts';

/** Prose of the document: paragraphs separated by empty lines, lists of lines with a hyphen, `code` between backticks. */
export function prose(text: string | undefined): Html {
  const blocks = (text ?? '').split('\n\n').filter((block) => block !== '');
  return html`${blocks.map((block) => {
    const lines = block.split('\n');
    if (!lines.every((line) => line.startsWith('- '))) return html`<p>${phrase(block)}</p>`;
    return html`<ul>
      ${lines.map((line) => html`<li>${phrase(line.slice(2))}</li>`)}
    </ul>`;
  })}`;
}

/** Links to pages of the reference within a text: `[Pagination](/docs/guides/pagination)`, or only the address. */
const LINK = /(\[[^\]]+\]\(\/docs[^\s)]*\)|\/docs\/[\w/#-]+)/;

/** Renders a text in one line, with the parts between backquotes as code and the addresses of pages as links. */
export function phrase(text: string): Html {
  return html`${text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part.split(LINK).map(renderPart)}`))}`;
}

function renderPart(part: string): Html | string {
  if (!LINK.test(part)) return part;
  const [, title = part, address = part] = /^\[(.+)\]\((.+)\)$/.exec(part) ?? [];
  return html`<a href="${address}">${title}</a>`;
}
