import { DOMParser, XMLSerializer } from '@xmldom/xmldom';

import { DS, SAML } from '../../../functions/sign-in/sso/saml/names.ts';

const errorHandler = {
  warning: () => undefined,
  error: () => undefined,
  fatalError: (message: unknown) => {
    throw new Error(String(message));
  },
};

/** Parses a document of an attacker as leniently as xmldom does by default. */
export const parse = (xml: string): Document => new DOMParser({ errorHandler }).parseFromString(xml, 'text/xml');

export const write = (node: Node): string => new XMLSerializer().serializeToString(node);

const first = (document: Document, namespace: string, name: string): Element => {
  const [element] = Array.from(document.getElementsByTagNameNS(namespace, name));
  if (element === undefined) throw new Error(`The document has no ${name}.`);
  return element;
};

export const assertionIn = (document: Document): Element => first(document, SAML, 'Assertion');
export const signatureIn = (document: Document): Element => first(document, DS, 'Signature');

/** A new element, with the prefix that the documents of the tests use. */
export const element = (document: Document, namespace: string, name: string, ...children: readonly Node[]): Element => {
  const made = document.createElementNS(namespace, name);
  for (const child of children) made.appendChild(child);
  return made;
};

export const remove = <N extends Node>(node: N): N => {
  node.parentNode?.removeChild(node);
  return node;
};

/** A copy with the ID and the user of the attacker. */
export function forge<E extends Element>(original: E): E {
  const copy = original.cloneNode(true) as E;
  const own = Array.from(copy.childNodes).find(({ nodeName }) => nodeName === 'ds:Signature');
  if (own !== undefined) copy.removeChild(own);
  copy.setAttribute('ID', `${copy.getAttribute('ID') ?? ''}forged`);
  for (const holder of [copy, ...Array.from(copy.getElementsByTagNameNS(SAML, 'Assertion'))]) {
    if (holder !== copy) holder.setAttribute('ID', `${holder.getAttribute('ID') ?? ''}forged`);
    const named = Array.from(holder.getElementsByTagNameNS(SAML, 'NameID'));
    for (const name of named) name.textContent = 'mallory@evil.example';
    const values = Array.from(holder.getElementsByTagNameNS(SAML, 'AttributeValue'));
    for (const value of values) if (value.textContent?.includes('@')) value.textContent = 'mallory@evil.example';
  }
  return copy;
}
