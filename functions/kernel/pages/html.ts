import * as z from 'zod';

/** The body of a page in the declaration of an operation, described as text/html. */
export const PageBody = z.string().meta({ contentMediaType: 'text/html' });

/** Text as HTML shows it, safe within elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Text that is HTML already. Only the {@link html} template makes it, so that escaping is in one place. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The allowed values in a template: nothing, text and numbers (escaped), HTML (unchanged), or a list of these. */
export type Part = string | number | Html | undefined | false | readonly Part[];

/** A template whose parts are escaped for text and for quoted attribute values. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, at) => (at === 0 ? text : rendered(parts[at - 1]) + text)).join(''));
}

function rendered(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'object' ? part.map(rendered).join('') : escapeHtml(String(part));
}
