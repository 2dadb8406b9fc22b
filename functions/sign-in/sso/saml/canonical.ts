import { ExclusiveCanonicalization } from 'xml-crypto';

const compare = (left: string, right: string): -1 | 0 | 1 => {
  if (left === right) return 0;
  return left < right ? -1 : 1;
};

/**
 * The exclusive C14N of xml-crypto with the order of C14N 1.0, section 2.3: attributes by namespace and then name,
 * declarations by prefix, both by code point. xml-crypto itself sorts prefixes by the rules of a language, and joins
 * namespace and name.
 */
export class ExactCanonicalization extends ExclusiveCanonicalization {
  override attrCompare(left: Attr, right: Attr): -1 | 0 | 1 {
    return compare(left.namespaceURI ?? '', right.namespaceURI ?? '') || compare(left.localName, right.localName);
  }

  override nsCompare(left: { prefix: string }, right: { prefix: string }): -1 | 0 | 1 {
    return compare(left.prefix, right.prefix);
  }
}
