import { SignedXml } from 'xml-crypto';

import { DS, SAML } from '../../../functions/sign-in/sso/saml/names.ts';
import { parse } from './tree.ts';

const nameIn = (element: Element | Document | undefined, which: 'first' | 'last'): string | undefined => {
  const names = element === undefined ? [] : Array.from(element.getElementsByTagNameNS(SAML, 'NameID'));
  return names.at(which === 'first' ? 0 : -1)?.firstChild?.nodeValue ?? undefined;
};

/**
 * Reads a response as careless implementations have done: it verifies a signature anywhere in the document, with the
 * certificate in the signature if there is one, and then reads a name from the document. It is the control of the attacks:
 * an attack that does not deceive it proves nothing.
 * @returns the names that three usual methods find (the first in the document, that of the response's first assertion, the
 * last), or none if the response is rejected
 */
export function readNaively(xml: string, certificate: string): readonly (string | undefined)[] {
  try {
    const document = parse(xml);
    const [signature] = Array.from(document.getElementsByTagNameNS(DS, 'Signature'));
    if (signature !== undefined) {
      const verifier = new SignedXml({
        publicCert: certificate,
        getCertFromKeyInfo: (info) => SignedXml.getCertFromKeyInfo(info),
      });
      verifier.loadSignature(signature);
      if (!verifier.checkSignature(xml)) return [];
    }
    const children = Array.from(document.documentElement.childNodes) as Element[];
    const assertion = children.find(({ localName }) => localName === 'Assertion');
    return [nameIn(document, 'first'), nameIn(assertion, 'first'), nameIn(document, 'last')];
  } catch {
    return [];
  }
}
