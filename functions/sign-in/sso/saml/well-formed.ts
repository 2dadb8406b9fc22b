/**
 * A strict check of XML before it is parsed. xmldom repairs XML that is not well-formed, and signature wrapping exploits
 * that two readers repair it differently, so this check accepts less than XML 1.0, and never more. It reads no value. Its
 * regular expressions are sticky and have no ambiguous repetition, so that the time is linear in the length.
 */

/** The reasons for which a text is not parsed. */
export type Malformation =
  | 'too_large'
  | 'not_base64'
  | 'not_utf8'
  | 'doctype'
  | 'processing_instruction'
  | 'character'
  | 'depth'
  | 'parts'
  | 'malformed';

/** Maximum nesting of elements in a document. */
export const DEEPEST = 64;

const NAME = '[A-Za-z_][A-Za-z0-9_.-]*(?::[A-Za-z_][A-Za-z0-9_.-]*)?';
const START_TAG = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*(?:"[^"<]*"|'[^'<]*'))*)\\s*(/?)>`, 'y');
// An end tag without a space: with a space, xmldom treats the element as empty.
const END_TAG = new RegExp(`</(${NAME})>`, 'y');
const DECLARATION =
  /^<\?xml\s+version\s*=\s*(?:"1\.0"|'1\.0')(?:\s+encoding\s*=\s*(?:"utf-8"|'utf-8'))?(?:\s+standalone\s*=\s*(?:"(?:yes|no)"|'(?:yes|no)'))?\s*\?>/i;

/** Characters that XML 1.0 forbids (section 2.2). */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;
const REFERENCE = /&(?:(?:amp|lt|gt|quot|apos)|#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7})));|&/g;

/** Counts the references of a text; undefined if an `&` begins none to a predefined entity or to an allowed character. */
function countReferences(text: string): number | undefined {
  if (!text.includes('&')) return 0;
  let count = 0;
  for (const [whole, hexadecimal, decimal] of text.matchAll(REFERENCE)) {
    if (whole === '&') return undefined;
    count += 1;
    const code = hexadecimal !== undefined ? Number.parseInt(hexadecimal, 16) : decimal && Number.parseInt(decimal, 10);
    if (code === undefined || code === '') continue;
    if (code > 0x10ffff || FORBIDDEN.test(String.fromCodePoint(code))) return undefined;
  }
  return count;
}

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

/** A position in the text and the elements that are open there. */
interface Scan {
  readonly text: string;
  readonly open: string[];
  at: number;
  roots: number;
  /** Elements, comments, CDATA sections and references so far. */
  parts: number;
}

/** Skips a comment or a CDATA section; a document type definition is an error. */
function skipMarkup(scan: Scan): Malformation | undefined {
  const { text, at } = scan;
  if (text.startsWith('<!--', at)) {
    const end = text.indexOf('--', at + 4);
    if (end < 0 || text[end + 2] !== '>') return 'malformed';
    scan.at = end + 3;
    return undefined;
  }
  if (!text.startsWith('<![CDATA[', at)) return 'doctype';
  const end = text.indexOf(']]>', at + 9);
  if (end < 0 || scan.open.length === 0) return 'malformed';
  scan.at = end + 3;
  return undefined;
}

/** Skips a tag and updates the list of open elements. */
function skipTag(scan: Scan): Malformation | undefined {
  const end = matchAt(END_TAG, scan.text, scan.at);
  if (end !== null) {
    if (scan.open.pop() !== end[1]) return 'malformed';
    scan.at += end[0].length;
    return undefined;
  }
  const start = matchAt(START_TAG, scan.text, scan.at);
  const [whole = '', name = '', attributes = '', isEmpty] = start ?? [];
  const references = countReferences(attributes);
  if (start === null || references === undefined) return 'malformed';
  scan.parts += references;
  if (scan.open.length === 0) scan.roots += 1;
  if (scan.open.length >= DEEPEST) return 'depth';
  if (isEmpty === '') scan.open.push(name);
  scan.at += whole.length;
  return undefined;
}

/** Skips the text up to the next `<`. */
function skipText(scan: Scan): Malformation | undefined {
  const end = scan.text.indexOf('<', scan.at);
  const part = scan.text.slice(scan.at, end < 0 ? undefined : end);
  scan.at = end < 0 ? scan.text.length : end;
  if (scan.open.length === 0 && /[^ \t\r\n]/.test(part)) return 'malformed';
  const references = countReferences(part);
  if (part.includes(']]>') || references === undefined) return 'malformed';
  scan.parts += references;
  return undefined;
}

/**
 * Finds the reason for which a document is not parsed, if there is one: a document type definition (and with it any
 * entity), a processing instruction, a forbidden character, more than 64 levels or `mostParts` elements, comments, CDATA
 * sections and references, more or less than one root element, a tag that does not match, or a reference to an unknown entity.
 */
export function findMalformation(text: string, mostParts: number): Malformation | undefined {
  if (FORBIDDEN.test(text)) return 'character';
  const scan: Scan = { text, open: [], at: DECLARATION.exec(text)?.[0].length ?? 0, roots: 0, parts: 0 };
  while (scan.at < text.length) {
    const found = skipText(scan);
    if (found !== undefined) return found;
    if (scan.at >= text.length) break;
    const next = text[scan.at + 1];
    if (next === '?') return 'processing_instruction';
    if (next !== '/') scan.parts += 1;
    const wrong = next === '!' ? skipMarkup(scan) : skipTag(scan);
    if (wrong !== undefined) return wrong;
    if (scan.parts > mostParts) return 'parts';
  }
  return scan.open.length === 0 && scan.roots === 1 ? undefined : 'malformed';
}
