import { createHash, sign } from 'node:crypto';

import { ExclusiveCanonicalization, SignedXml } from 'xml-crypto';

import { DS, EXCLUSIVE_C14N, RSA_SHA256 } from '../../../functions/sign-in/sso/saml/names.ts';
import { keyPair } from '../../support/saml/responses.ts';
import { parse, write } from '../../support/saml/tree.ts';

const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';

const inside = (element: Element, name: string): Element | undefined =>
  Array.from(element.getElementsByTagNameNS(DS, name))[0];

const byId = (document: Document, id: string): Element | undefined =>
  Array.from(document.getElementsByTagName('*')).find((element) =>
    ['ID', 'Id', 'id', 'AssertionID', 'ResponseID'].some((name) => element.getAttribute(name) === id),
  );

/** Reports whether a signature is valid by any algorithm that xml-crypto knows, with one of the certificates. */
function isValid(xml: string, signature: Element, certificates: readonly string[]): boolean {
  return certificates.some((publicCert) => {
    try {
      const verifier = new SignedXml({ publicCert, getCertFromKeyInfo: () => null });
      verifier.loadSignature(signature);
      return verifier.checkSignature(xml);
    } catch {
      return false;
    }
  });
}

function countLevels(node: Node): number {
  let depth = 0;
  for (let at: Node | null = node; at !== null; at = at.parentNode) depth += 1;
  return depth;
}

const readPrefixes = (signature: Element): string[] => {
  const [list] = Array.from(signature.getElementsByTagNameNS(EXCLUSIVE_C14N, 'InclusiveNamespaces'));
  return (list?.getAttribute('PrefixList') ?? '').split(' ').filter((prefix) => prefix !== '');
};

/** Replaces digest and value of a signature, with SHA-256 and the key of `idp`. */
function renew(document: Document, signature: Element): void {
  inside(signature, 'SignatureMethod')?.setAttribute('Algorithm', RSA_SHA256);
  inside(signature, 'DigestMethod')?.setAttribute('Algorithm', SHA256);
  const target = byId(document, (inside(signature, 'Reference')?.getAttribute('URI') ?? '').slice(1));
  const [info, digest, value] = ['SignedInfo', 'DigestValue', 'SignatureValue'].map((name) => inside(signature, name));
  if (!target || !info || !digest || !value) return;
  const next = signature.nextSibling;
  const parent = signature.parentNode;
  parent?.removeChild(signature);
  const options = { inclusiveNamespacesPrefixList: readPrefixes(signature) };
  const bytes = new ExclusiveCanonicalization().process(target, options);
  parent?.insertBefore(signature, next);
  digest.textContent = createHash('sha256').update(bytes).digest('base64');
  value.textContent = sign(
    'sha256',
    Buffer.from(new ExclusiveCanonicalization().process(info, {})),
    keyPair('idp').privateKey,
  ).toString('base64');
}

/**
 * Signs a document as if today: each valid signature is replaced by one with SHA-256 and the test's own key, the innermost
 * first; an invalid one is kept. Most public documents are signed with SHA-1, for which they would be rejected.
 */
export function signAgain(xml: string, certificates: readonly string[]): string {
  const document = parse(xml);
  const signatures = Array.from(document.getElementsByTagNameNS(DS, 'Signature'));
  const valid = signatures.filter((signature) => isValid(xml, signature, certificates));
  for (const signature of valid.toSorted((a, b) => countLevels(b) - countLevels(a))) renew(document, signature);
  // The parser has converted the line breaks of the source to line feeds; a carriage return was written as a character
  // reference.
  return write(document).replaceAll('\r', '&#13;');
}
