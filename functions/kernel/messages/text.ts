import { cutText } from '../text.ts';

// Control characters (C0 and C1), separators of lines and paragraphs, and marks that change the direction of text. No header
// or line may contain them, except a complete isolate (U+2068 to U+2069, UAX #9) around a value, which does not change the
// direction of the text after it. Without isolates, a Latin name in an Arabic sentence would be in the wrong place.
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const ISOLATE_OR_CONTROLS = new RegExp(`(\\u2068[^${CONTROLS}]*\\u2069)|[${CONTROLS}]+`, 'g');

/**
 * A text on one line with a maximum length, for a subject, a sender's name or a paragraph. Values come from callers,
 * and a line break in a header would begin another header.
 */
export function oneLine(text: string, most = 2_000): string {
  const plain = text.toWellFormed().replace(ISOLATE_OR_CONTROLS, (_, isolate?: string) => isolate ?? ' ');
  const line = plain.replace(/ {2,}/g, ' ').trim();
  return cutText(line, 0, most) === line ? line : `${cutText(line, 0, most - 1)}…`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for HTML content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/**
 * Checks an address to which a message may link, and returns it in a browser's normalized form.
 * @throws TypeError if it is not http or https
 */
export function checkLink(url: string): string {
  const { protocol, href } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new TypeError('A message may only link to http and https addresses');
  return href;
}
