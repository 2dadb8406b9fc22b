import { createHash, createHmac, sign } from 'node:crypto';

import { issueResponse, type IssuedResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import type { CheckName } from '../../../functions/sign-in/sso/saml/checks.ts';
import { DS, ENVELOPED_SIGNATURE, EXCLUSIVE_C14N, RSA_SHA256 } from '../../../functions/sign-in/sso/saml/names.ts';
import { canonicalize, keyPair, responseValues } from './responses.ts';
import { assertionIn, forge, parse, signatureIn, write } from './tree.ts';

/** A document that must be rejected. */
export interface Forgery {
  readonly name: string;
  readonly xml: string;
  /** The check that rejects the document. */
  readonly reason: CheckName;
  /** True if the naive reader accepts it. xml-crypto or the parser also rejects the others. */
  readonly deceives: boolean;
}

const MALLORY: Partial<IssuedResponse> = {
  nameId: 'mallory@evil.example',
  attributes: { email: 'mallory@evil.example' },
};

const forged = (changes: Partial<IssuedResponse> = {}): string =>
  issueResponse(responseValues({ ...MALLORY, ...changes }));
const genuine = (changes: Partial<IssuedResponse> = {}): string => issueResponse(responseValues(changes));

/** Replaces a text that the document must contain. */
export function replaced(xml: string, from: string | RegExp, to: string): string {
  const result = xml.replace(from, () => to);
  if (result === xml) throw new Error(`The document does not have ${String(from)}.`);
  return result;
}

const computeDigest = (xml: string): string => createHash('sha256').update(canonicalize(xml)).digest('base64');

/** The unsigned forged assertion, as text, and its digest. */
function forgedAssertion(): { digest: string; document: Document } {
  const document = parse(forged({ signed: 'none' }));
  const single = parse(write(document));
  return { digest: computeDigest(write(assertionIn(single))), document };
}

/** Inserts the changed signature of a genuine assertion into a forged one. */
function withSignature(change: (signature: string, digest: string) => string): string {
  const { digest, document } = forgedAssertion();
  const signature = write(signatureIn(parse(genuine())));
  const xml = write(document);
  const at = xml.indexOf('</saml:Issuer>', xml.indexOf('<saml:Assertion')) + '</saml:Issuer>'.length;
  return xml.slice(0, at) + change(signature, digest) + xml.slice(at);
}

const original = (signature: string): string => /<ds:DigestValue>([^<]*)</.exec(signature)?.[1] ?? '';

/** CVE-2025-29775: a comment splits the digest; the signed one is its second part. */
const commentInDigest = (): string =>
  withSignature((signature, digest) =>
    replaced(signature, original(signature), `<!--${digest}-->${original(signature)}`),
  );

/** CVE-2025-29774: two SignedInfo elements, the signed one and one with the digest of the forged assertion. */
const twoSignedInfo = (): string =>
  withSignature((signature, digest) => {
    const [info = ''] = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s.exec(signature) ?? [];
    return replaced(signature, info, info.replace(original(signature), digest) + info);
  });

/** Signs a forged assertion with other methods, with the key of the attacker or a known secret. */
function signedWith(
  change: (signedInfo: string) => string,
  value: (bytes: string) => string,
  digest: (xml: string) => string = computeDigest,
  person: Partial<IssuedResponse> = MALLORY,
): string {
  const plain = issueResponse(responseValues({ ...person, signed: 'none' }));
  const assertion = write(assertionIn(parse(plain)));
  const info = change(
    `<ds:SignedInfo xmlns:ds="${DS}"><ds:CanonicalizationMethod Algorithm="${EXCLUSIVE_C14N}"></ds:CanonicalizationMethod>` +
      `<ds:SignatureMethod Algorithm="${RSA_SHA256}"></ds:SignatureMethod><ds:Reference URI="#_assertion"><ds:Transforms>` +
      `<ds:Transform Algorithm="${ENVELOPED_SIGNATURE}"></ds:Transform><ds:Transform Algorithm="${EXCLUSIVE_C14N}">` +
      `</ds:Transform></ds:Transforms><ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></ds:DigestMethod>` +
      `<ds:DigestValue>${digest(assertion)}</ds:DigestValue></ds:Reference></ds:SignedInfo>`,
  );
  const signature = `<ds:Signature xmlns:ds="${DS}">${info}<ds:SignatureValue>${value(canonicalize(info))}</ds:SignatureValue></ds:Signature>`;
  const at = plain.indexOf('</saml:Issuer>', plain.indexOf('<saml:Assertion')) + '</saml:Issuer>'.length;
  return plain.slice(0, at) + signature + plain.slice(at);
}

const byIdp =
  (hash = 'sha256') =>
  (bytes: string): string =>
    sign(hash, Buffer.from(bytes), keyPair('idp').privateKey).toString('base64');

const sha1 = (xml: string): string => createHash('sha1').update(canonicalize(xml)).digest('base64');
const byHmac = (hash: string) => (bytes: string) =>
  createHmac(hash, keyPair('idp').certificate).update(bytes).digest('base64');

const algorithm = (from: string, to: string) => (info: string) => replaced(info, `"${from}"`, `"${to}"`);

const transform =
  (to: string, content = '') =>
  (info: string) =>
    replaced(info, '</ds:Transforms>', `<ds:Transform Algorithm="${to}">${content}</ds:Transform></ds:Transforms>`);

/** Methods with which a genuine key signed, and that are not accepted. The user is the genuine one. */
const methods = (): readonly Forgery[] => {
  const made = (name: string, xml: string, deceives = false): Forgery => ({
    name,
    xml,
    reason: 'algorithms',
    deceives,
  });
  const SHA1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
  const XSLT =
    '<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" version="1.0"><xsl:template match="/">x</xsl:template></xsl:stylesheet>';
  return [
    made('SHA-1 as signature', signedWith(algorithm(RSA_SHA256, `${DS}rsa-sha1`), byIdp('sha1')), true),
    made(
      'SHA-1 as digest',
      signedWith(algorithm('http://www.w3.org/2001/04/xmlenc#sha256', SHA1), byIdp(), sha1),
      true,
    ),
    made(
      'HMAC-SHA1 with the certificate as secret',
      signedWith(algorithm(RSA_SHA256, `${DS}hmac-sha1`), byHmac('sha1')),
    ),
    made(
      'HMAC-SHA256 with the certificate as secret',
      signedWith(algorithm(RSA_SHA256, 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256'), byHmac('sha256')),
    ),
    made('DSA', signedWith(algorithm(RSA_SHA256, `${DS}dsa-sha1`), byIdp('sha1'))),
    made('an XSLT transform', signedWith(transform('http://www.w3.org/TR/1999/REC-xslt-19991116', XSLT), byIdp())),
    made('an XPath transform', signedWith(transform('http://www.w3.org/TR/1999/REC-xpath-19991116'), byIdp())),
    made('a base64 transform', signedWith(transform(`${DS}base64`), byIdp())),
    made(
      'canonicalization with comments',
      signedWith(algorithm(EXCLUSIVE_C14N, `${EXCLUSIVE_C14N}WithComments`), byIdp()),
      true,
    ),
    made(
      'inclusive canonicalization',
      signedWith(algorithm(EXCLUSIVE_C14N, 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'), byIdp()),
    ),
    made(
      'InclusiveNamespaces with more than 16 prefixes',
      signedWith(
        (info) =>
          replaced(
            info,
            '</ds:Transform></ds:Transforms>',
            `<x:InclusiveNamespaces xmlns:x="${EXCLUSIVE_C14N}" PrefixList="${Array.from({ length: 17 }, (_, at) => `p${at}`).join(' ')}"></x:InclusiveNamespaces></ds:Transform></ds:Transforms>`,
          ),
        byIdp(),
      ),
      true,
    ),
    made(
      'another element in a transform',
      signedWith(
        (info) => replaced(info, '</ds:Transform></ds:Transforms>', '<x></x></ds:Transform></ds:Transforms>'),
        byIdp(),
      ),
      true,
    ),
  ];
};

/** Forms of a signature that are not accepted, even with the genuine key. */
const forms = (): readonly Forgery[] => {
  const made = (name: string, xml: string, deceives = false): Forgery => ({ name, xml, reason: 'structure', deceives });
  const reference = (uri: string) => (info: string) => replaced(info, 'URI="#_assertion"', uri);
  const twice = (info: string): string => info.replace(/(<ds:Reference .*<\/ds:Reference>)/s, '$1$1');
  return [
    made('a comment in DigestValue', commentInDigest()),
    made('two SignedInfo', twoSignedInfo()),
    made(
      'a comment in SignatureValue',
      replaced(genuine(), '<ds:SignatureValue>', '<ds:SignatureValue><!-- -->'),
      false,
    ),
    made('a comment in SignedInfo', replaced(genuine(), '<ds:SignedInfo>', '<ds:SignedInfo><!-- -->'), false),
    made(
      'a CDATA section in the signature',
      replaced(genuine(), /<ds:DigestValue>[^<]*/, `<ds:DigestValue><![CDATA[${original(genuine())}]]>`),
    ),
    made('two references', signedWith(twice, byIdp()), true),
    made('a reference to the whole document', signedWith(reference('URI=""'), byIdp())),
    made('a reference without URI', signedWith(reference(''), byIdp())),
    made('a reference to another document', signedWith(reference('URI="https://evil.example/a.xml"'), byIdp())),
    made('a reference with XPointer', signedWith(reference(`URI="#xpointer(id('_assertion'))"`), byIdp())),
    made('two signatures in the assertion', genuine().replace(/(<ds:Signature .*<\/ds:Signature>)/s, '$1$1')),
    made(
      'an empty signature',
      replaced(genuine(), /<ds:Signature .*<\/ds:Signature>/s, `<ds:Signature xmlns:ds="${DS}"></ds:Signature>`),
    ),
    made(
      'a signature of another namespace',
      replaced(forged(), `<ds:Signature xmlns:ds="${DS}"`, '<ds:Signature xmlns:ds="urn:x"'),
      true,
    ),
    made(
      'two elements with the ID of the assertion',
      replaced(genuine(), '<samlp:Status>', '<samlp:Status Id="_assertion">'),
    ),
  ];
};

/** Forged content. */
const contents = (): readonly Forgery[] => {
  const made = (name: string, reason: CheckName, xml: string, deceives = true): Forgery => ({
    name,
    xml,
    reason,
    deceives,
  });
  const attacker = keyPair('attacker');
  const withoutSignature = (xml: string): string => replaced(xml, /<ds:Signature .*<\/ds:Signature>/s, '');
  const changed = replaced(genuine(), '>ada@example.com</saml:NameID>', '>mallory@evil.example</saml:NameID>');
  const second = (): string => {
    const document = parse(genuine({ signed: 'response' }));
    const assertion = assertionIn(document);
    assertion.parentNode?.appendChild(forge(assertion));
    return write(document);
  };
  const encrypted =
    '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"></saml:EncryptedAssertion>';
  return [
    made('no signature', 'signature', forged({ signed: 'none' })),
    made('a removed signature', 'signature', withoutSignature(forged())),
    made('another key in KeyInfo', 'signature', forged(attacker)),
    made(
      'another key, without KeyInfo',
      'signature',
      replaced(forged({ privateKey: attacker.privateKey }), /<ds:KeyInfo>.*<\/ds:KeyInfo>/s, ''),
      false,
    ),
    made(
      'another key, with the genuine certificate in KeyInfo',
      'signature',
      forged({ privateKey: attacker.privateKey }),
      false,
    ),
    made('a changed NameID', 'signature', changed, false),
    made(
      'a changed response',
      'signature',
      replaced(
        genuine({ signed: 'response' }),
        '>ada@example.com</saml:NameID>',
        '>mallory@evil.example</saml:NameID>',
      ),
      false,
    ),
    made('a second assertion in a signed response', 'structure', second(), false),
    made(
      'an encrypted assertion next to a forged one',
      'structure',
      replaced(forged({ signed: 'none' }), '</samlp:Response>', `${encrypted}</samlp:Response>`),
    ),
    made(
      'an assertion of SAML 1.1',
      'structure',
      forged().replaceAll('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:oasis:names:tc:SAML:1.0:assertion'),
      false,
    ),
    made(
      'a response of another namespace',
      'structure',
      forged({ ...attacker }).replaceAll('urn:oasis:names:tc:SAML:2.0:protocol', 'urn:x'),
    ),
    made('only an assertion, without a response', 'structure', write(assertionIn(parse(forged(attacker))))),
    made('a signature in the Subject', 'structure', withSignatureIn('saml:Subject'), false),
    made('a signature in the Status', 'structure', withSignatureIn('samlp:Status'), false),
  ];
};

/** A forged response that contains the genuine signature of another assertion at a place where none is allowed. */
function withSignatureIn(place: string): string {
  const document = parse(forged({ signed: 'none' }));
  const [target] = Array.from(document.getElementsByTagName(place));
  target?.appendChild(signatureIn(parse(genuine())));
  return write(document);
}

/** All forgeries that are not wrappings. */
export const forgeries = (): readonly Forgery[] => [...methods(), ...forms(), ...contents()];
