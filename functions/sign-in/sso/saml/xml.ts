import { DOMParser } from '@xmldom/xmldom';

import { findMalformation, type Malformation } from './well-formed.ts';

/** The error for a rejected text, with the reason. */
export class MalformedXml extends Error {
  readonly reason: Malformation;

  constructor(reason: Malformation) {
    super(`The XML is not accepted: ${reason}.`);
    this.reason = reason;
  }
}

/**
 * Writes the two line separators that only XML 1.1 knows as character references. Otherwise xmldom would replace them by
 * line feeds, for example in a name, and a valid signature over it would fail.
 */
const keepSeparators = (text: string): string => {
  if (!/[\u0085\u2028]/.test(text)) return text;
  if (text.includes('<![CDATA[')) throw new MalformedXml('character');
  return text.replace(/\u0085/g, '&#x85;').replace(/\u2028/g, '&#x2028;');
};

const fail = (): never => {
  throw new MalformedXml('malformed');
};

/**
 * Reports whether each name with a prefix has a namespace, no namespace contains a character that canonical XML escapes,
 * and no two attributes have the same expanded name (Namespaces in XML 1.0, section 6.3).
 */
function hasNamespaces(element: Element): boolean {
  const attributes = Array.from(element.attributes);
  const expanded = new Set(attributes.map(({ namespaceURI, localName }) => `${namespaceURI ?? ''} ${localName}`));
  if (expanded.size !== attributes.length) return false;
  return [element, ...attributes].every(({ nodeName, namespaceURI, nodeValue }) => {
    if (nodeName.includes(':') && (typeof namespaceURI !== 'string' || namespaceURI === '')) return false;
    return !/^xmlns(?::|$)/.test(nodeName) || !/[&<>"\s]/.test(nodeValue ?? '');
  });
}

/** All elements of a tree in document order, beginning with the given one. */
export function allElements(root: Element): readonly Element[] {
  const found = [root];
  for (let child = root.firstChild; child !== null; child = child.nextSibling) {
    if (child.nodeType === 1) found.push(...allElements(child as Element));
  }
  return found;
}

/** A parsed document: its root, and the text that was parsed, for a library that parses it again. */
export interface ParsedXml {
  readonly root: Element;
  readonly text: string;
}

/**
 * Number of characters of the longest document for each part that it may have, because the time of XPath grows faster than
 * the number of parts.
 */
const CHARACTERS_A_PART = 32;

/**
 * Parses XML with xmldom, with each of its warnings as an error. Every document of SAML is read by this function, also the
 * verified bytes of a signature, so that there is only one parser.
 * @param longest maximum characters of the text
 * @throws MalformedXml
 */
export function parseXml(source: string, longest: number): ParsedXml {
  if (source.length > longest) throw new MalformedXml('too_large');
  const wrong = findMalformation(source, longest / CHARACTERS_A_PART);
  if (wrong !== undefined) throw new MalformedXml(wrong);
  const text = keepSeparators(source);
  try {
    const root = new DOMParser({ errorHandler: fail }).parseFromString(text, 'text/xml').documentElement as
      | Element
      | undefined;
    if (!root || !allElements(root).every(hasNamespaces)) return fail();
    return { root, text };
  } catch (error) {
    throw error instanceof MalformedXml ? error : new MalformedXml('malformed');
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes the UTF-8 text of a base64 form field (SAML bindings, section 3.5.4).
 * @param largest maximum bytes of the text
 * @throws MalformedXml `too_large`, `not_base64` or `not_utf8`
 */
export function decodeMessage(base64: string, largest: number): string {
  if (base64.length > largest * 1.5 + 64) throw new MalformedXml('too_large');
  const compact = base64.replace(/[ \t\r\n]/g, '');
  if (compact === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) throw new MalformedXml('not_base64');
  const bytes = Buffer.from(compact, 'base64');
  if (bytes.length > largest) throw new MalformedXml('too_large');
  try {
    return decoder.decode(bytes);
  } catch {
    throw new MalformedXml('not_utf8');
  }
}

/** The child elements with a name and namespace. */
export const childrenNamed = (parent: Element, namespace: string, name: string): readonly Element[] =>
  childElements(parent).filter((child) => child.localName === name && child.namespaceURI === namespace);

/** The first child element with a name and namespace. */
export const childNamed = (parent: Element | undefined, namespace: string, name: string): Element | undefined =>
  parent && childrenNamed(parent, namespace, name)[0];

/** All child elements. */
export const childElements = (parent: Element): readonly Element[] =>
  Array.from(parent.childNodes).filter((child): child is Element => child.nodeType === 1);

/** The text of an element without blanks around it; undefined if there is no element. */
export const readText = (element: Element | undefined): string | undefined => element?.textContent?.trim();

/** The value of an attribute without a namespace; undefined if there is none. */
export const readAttribute = (element: Element | undefined, name: string): string | undefined =>
  element?.hasAttribute(name) ? (element.getAttribute(name) ?? undefined) : undefined;
