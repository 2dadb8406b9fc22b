import { DS, ENVELOPED_SIGNATURE, EXCLUSIVE_C14N, RSA_SHA256, SAML } from './names.ts';

const ELEMENT = '<saml:AttributeValue>0123456789012345678901234567890123456789</saml:AttributeValue>';

const SIGNATURE =
  `<ds:Signature xmlns:ds="${DS}"><ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${EXCLUSIVE_C14N}"/>` +
  `<ds:SignatureMethod Algorithm="${RSA_SHA256}"/><ds:Reference URI="#_decoy"><ds:Transforms>` +
  `<ds:Transform Algorithm="${ENVELOPED_SIGNATURE}"/><ds:Transform Algorithm="${EXCLUSIVE_C14N}"/></ds:Transforms>` +
  `<ds:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/><ds:DigestValue>AAAA</ds:DigestValue>` +
  '</ds:Reference></ds:SignedInfo><ds:SignatureValue>AAAA</ds:SignatureValue></ds:Signature>';

/**
 * Makes an assertion whose verification fails and takes about as long as that of one with this size.
 * @param size the bytes of the ciphertext in whose place it is verified
 */
export function makeDecoy(size: number): string {
  const count = Math.max(1, Math.floor((size - SIGNATURE.length - 400) / ELEMENT.length));
  return (
    `<saml:Assertion xmlns:saml="${SAML}" ID="_decoy" Version="2.0"><saml:Issuer>decoy</saml:Issuer>${SIGNATURE}` +
    `<saml:Subject/><saml:Conditions/><saml:AttributeStatement><saml:Attribute Name="decoy">${ELEMENT.repeat(count)}` +
    '</saml:Attribute></saml:AttributeStatement></saml:Assertion>'
  );
}
