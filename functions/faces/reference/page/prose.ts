import { type Html, html } from '../../../kernel/pages/html.ts';

const HYPHEN = /^- /;
const NUMBER = /^\d+\. /;

/** Prose of the document: paragraphs separated by empty lines, lists of lines with a hyphen or a number, `code` between backticks. */
export function prose(text: string | undefined): Html {
  const blocks = (text ?? '').split('\n\n').filter((block) => block !== '');
  return html`${blocks.map((block) => {
    const lines = block.split('\n');
    const items = (mark: RegExp): Html[] => lines.map((line) => html`<li>${phrase(line.replace(mark, ''))}</li>`);
    const isList = (mark: RegExp): boolean => lines.every((line) => mark.test(line));
    if (isList(HYPHEN))
      return html`<ul>
        ${items(HYPHEN)}
      </ul>`;
    if (isList(NUMBER))
      return html`<ol>
        ${items(NUMBER)}
      </ol>`;
    return html`<p>${phrase(block)}</p>`;
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
