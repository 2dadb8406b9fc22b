import { createHash, verify } from 'node:crypto';

import { SignedXml, type HashAlgorithm, type SignatureAlgorithm } from 'xml-crypto';

import type { ReadCertificate } from './certificate.ts';
import { ExactCanonicalization } from './canonical.ts';
import { DIGEST_ALGORITHMS, DS, ENVELOPED_SIGNATURE, EXCLUSIVE_C14N, SIGNATURE_ALGORITHMS } from './names.ts';
import { allElements, readAttribute, childElements, childrenNamed } from './xml.ts';

/** The reasons for which a signature is not verified: its form, or one of its algorithms. */
export type SignatureFault = { readonly check: 'structure' | 'algorithms'; readonly detail: string };

/** Maximum number of prefixes in an `InclusiveNamespaces`. */
const MOST_PREFIXES = 16;

/**
 * Elements that may occur only once in a signature, at any depth and in any namespace, because libraries find them by local
 * name.
 */
const SINGLE = [
  'SignedInfo',
  'SignatureValue',
  'SignatureMethod',
  'CanonicalizationMethod',
  'Reference',
  'DigestValue',
];

const structure = (detail: string): SignatureFault => ({ check: 'structure', detail });
const algorithms = (detail: string): SignatureFault => ({ check: 'algorithms', detail });

/** The names of the child elements, all of which must be in the namespace of XML Signature. */
const listNames = (parent: Element): string =>
  childElements(parent)
    .map(({ localName, namespaceURI }) => (namespaceURI === DS ? localName : `{${namespaceURI ?? ''}}${localName}`))
    .join(' ');

const hasOnlyElementsAndText = (element: Element): boolean =>
  Array.from(element.childNodes).every(({ nodeType }) => nodeType === 1 || nodeType === 3);

/** Checks the prefixes of an `InclusiveNamespaces`, the only child that a canonicalization may have. */
function hasSoundPrefixes(method: Element): boolean {
  const [list, ...more] = childElements(method);
  if (list === undefined) return true;
  if (more.length > 0 || list.localName !== 'InclusiveNamespaces' || list.namespaceURI !== EXCLUSIVE_C14N) return false;
  const prefixes = (readAttribute(list, 'PrefixList') ?? '').split(/\s+/).filter((prefix) => prefix !== '');
  return prefixes.length <= MOST_PREFIXES && prefixes.every((prefix) => /^(?:#default|[A-Za-z_][\w.-]*)$/.test(prefix));
}

/** Finds an error in the algorithms of a signature whose form was checked. */
function findWrongAlgorithm(signedInfo: Element, reference: Element): SignatureFault | undefined {
  const [canonicalization, method] = childElements(signedInfo);
  const [transforms, digest] = childElements(reference);
  if (!canonicalization || !method || !transforms || !digest) return structure('SignedInfo is not complete.');
  const used = childElements(transforms).map((transform) => readAttribute(transform, 'Algorithm') ?? '');
  if (readAttribute(canonicalization, 'Algorithm') !== EXCLUSIVE_C14N) {
    return algorithms('The canonicalization is not exclusive C14N without comments.');
  }
  const signature = readAttribute(method, 'Algorithm') ?? '';
  if (!Object.hasOwn(SIGNATURE_ALGORITHMS, signature)) {
    return algorithms(`The signature algorithm is ${signature}, not RSA or ECDSA with SHA-256 or stronger.`);
  }
  const hash = readAttribute(digest, 'Algorithm') ?? '';
  if (!Object.hasOwn(DIGEST_ALGORITHMS, hash)) {
    return algorithms(`The digest algorithm is ${hash}, not SHA-256 or stronger.`);
  }
  if (used.length !== 2 || used[0] !== ENVELOPED_SIGNATURE || used[1] !== EXCLUSIVE_C14N) {
    return algorithms('The transforms are not the enveloped signature and then exclusive C14N.');
  }
  const isEmpty = [method, digest, ...childElements(transforms).slice(0, 1)].every(
    (one) => childElements(one).length === 0,
  );
  return isEmpty && hasSoundPrefixes(canonicalization) && childElements(transforms).every(hasSoundPrefixes)
    ? undefined
    : algorithms('An algorithm has parameters that are not accepted.');
}

/**
 * Finds an error in the form of a signature, before any cryptography. It must be a child of the element that it signs by
 * its ID, with one SignedInfo and one Reference, and contain nothing but elements and text.
 */
export function findSignatureFault(signature: Element, signed: Element): SignatureFault | undefined {
  const all = allElements(signature);
  if (!all.every(hasOnlyElementsAndText)) return structure('A comment or CDATA section is inside of the signature.');
  const isSingle = SINGLE.every((name) => all.filter(({ localName }) => localName === name).length === 1);
  if (!isSingle) return structure('The signature does not have exactly one of each of its parts.');
  if (!/^SignedInfo SignatureValue(?: KeyInfo)?$/.test(listNames(signature))) {
    return structure('The signature has other parts than SignedInfo, SignatureValue and KeyInfo.');
  }
  const [signedInfo] = childrenNamed(signature, DS, 'SignedInfo');
  if (!signedInfo || listNames(signedInfo) !== 'CanonicalizationMethod SignatureMethod Reference') {
    return structure('SignedInfo has other parts than two methods and one reference.');
  }
  const [reference] = childrenNamed(signedInfo, DS, 'Reference');
  if (!reference || listNames(reference) !== 'Transforms DigestMethod DigestValue') {
    return structure('The reference of the signature has other parts than transforms and a digest.');
  }
  const id = readAttribute(signed, 'ID');
  if (id === undefined || readAttribute(reference, 'URI') !== `#${id}`) {
    return structure('The signature refers to another element than the one that it is in.');
  }
  return findWrongAlgorithm(signedInfo, reference);
}

/** The verified bytes of a signature, and the certificate whose key made it. */
export interface VerifiedBytes {
  readonly text: string;
  readonly certificate: ReadCertificate;
}

const digestClasses = Object.fromEntries(
  Object.entries(DIGEST_ALGORITHMS).map(([name, hash]) => [
    name,
    class implements HashAlgorithm {
      getAlgorithmName = (): string => name;
      getHash = (xml: string): string => createHash(hash).update(xml, 'utf8').digest('base64');
    },
  ]),
);

/**
 * The signature algorithms for one verification, which try the keys of the certificates and report the one that matched.
 */
function signatureClasses(
  certificates: readonly ReadCertificate[],
  found: (certificate: ReadCertificate) => void,
): Record<string, new () => SignatureAlgorithm> {
  const tries = (name: string): ((material: string, signature: string) => boolean) => {
    const { key, hash } = SIGNATURE_ALGORITHMS[name] ?? { key: '', hash: '' };
    return (material, signature) => {
      const bytes = Buffer.from(signature, 'base64');
      const certificate = certificates.find(
        ({ keyType, publicKey }) =>
          keyType === key && verify(hash, Buffer.from(material), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes),
      );
      if (certificate !== undefined) found(certificate);
      return certificate !== undefined;
    };
  };
  const classFor = (name: string): new () => SignatureAlgorithm =>
    class implements SignatureAlgorithm {
      getAlgorithmName = (): string => name;
      getSignature = (): string => {
        throw new Error('Signatures are only verified here.');
      };
      verifySignature = (material: string, _key: unknown, signature: string): boolean =>
        tries(name)(material, signature);
    };
  return Object.fromEntries(Object.keys(SIGNATURE_ALGORITHMS).map((name) => [name, classFor(name)]));
}

/**
 * Verifies a signature whose form was checked, only with the keys of the given certificates; KeyInfo is never read.
 * @param text the document, which xml-crypto parses again with the same parser
 * @param signature the signature in the tree of that document
 * @returns the bytes that the signature covers, or undefined if it was not made with the key of any certificate
 */
export function verifySignature(
  text: string,
  signature: Element,
  certificates: readonly ReadCertificate[],
): VerifiedBytes | undefined {
  const [first] = certificates;
  if (first === undefined) return undefined;
  let certificate: ReadCertificate | undefined;
  const verifier = new SignedXml({ publicCert: first.pem, getCertFromKeyInfo: () => null });
  verifier.idAttributes = ['ID'];
  verifier.HashAlgorithms = digestClasses;
  verifier.SignatureAlgorithms = signatureClasses(certificates, (one) => {
    certificate = one;
  });
  const { [ENVELOPED_SIGNATURE]: enveloped } = verifier.CanonicalizationAlgorithms;
  if (enveloped === undefined) return undefined;
  verifier.CanonicalizationAlgorithms = { [ENVELOPED_SIGNATURE]: enveloped, [EXCLUSIVE_C14N]: ExactCanonicalization };
  try {
    verifier.loadSignature(signature);
    if (!verifier.checkSignature(text)) return undefined;
  } catch {
    return undefined;
  }
  const [bytes, ...more] = verifier.getSignedReferences();
  return bytes === undefined || more.length > 0 || !certificate ? undefined : { text: bytes, certificate };
}
