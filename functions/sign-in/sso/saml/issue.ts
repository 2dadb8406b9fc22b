import { createHash, sign as signBytes } from 'node:crypto';

import {
  BEARER,
  DS,
  EMAIL_NAME_ID,
  ENVELOPED_SIGNATURE,
  EXCLUSIVE_C14N,
  RSA_SHA256,
  SAML,
  SAMLP,
  SUCCESS,
} from './names.ts';

/**
 * Responses of an identity provider, for the one in the local runtime and for tests. No deployed function imports this
 * file. The text is canonical from the start, so that it is hashed and signed unchanged.
 */

/** The values of a response; times are milliseconds since the epoch. */
export interface IssuedResponse {
  /** The private key (RSA) in PEM, and its certificate for KeyInfo. */
  readonly privateKey: string;
  readonly certificate?: string;
  /** The entity ID of the identity provider. */
  readonly issuer: string;
  readonly acsUrl: string;
  /** The entity ID of the service provider. */
  readonly audience: string;
  /** The ID of the AuthnRequest; absent for an unsolicited response. */
  readonly requestId?: string;
  readonly nameId: string;
  readonly nameIdFormat?: string;
  readonly attributes?: Readonly<Record<string, string | readonly string[]>>;
  readonly now: number;
  /** IDs of response and assertion, unique, beginning with a letter or underscore. */
  readonly responseId: string;
  readonly assertionId: string;
  readonly sessionIndex?: string;
  readonly authnInstant?: number;
  readonly authnContext?: string;
  /** The elements that are signed; the assertion by default. */
  readonly signed?: 'assertion' | 'response' | 'both' | 'none';
}

/** Validity in ms of an assertion (five minutes, as with most identity providers). */
const LIFETIME = 300_000;

const DIGEST = 'http://www.w3.org/2001/04/xmlenc#sha256';

const text = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;');

const attribute = (value: string): string =>
  value
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\t', '&#x9;')
    .replaceAll('\n', '&#xA;')
    .replaceAll('\r', '&#xD;');

const instant = (time: number): string => new Date(time).toISOString();

const issuerElement = (issuer: string): string => `<saml:Issuer xmlns:saml="${SAML}">${text(issuer)}</saml:Issuer>`;

/**
 * Signs an element that is written in canonical form. The signature follows the Issuer.
 * @param xml the element, with `ID` as given
 */
export function signCanonical(
  xml: string,
  id: string,
  { privateKey, certificate }: Pick<IssuedResponse, 'privateKey' | 'certificate'>,
): string {
  const digest = createHash('sha256').update(xml).digest('base64');
  const parts =
    `<ds:CanonicalizationMethod Algorithm="${EXCLUSIVE_C14N}"></ds:CanonicalizationMethod>` +
    `<ds:SignatureMethod Algorithm="${RSA_SHA256}"></ds:SignatureMethod><ds:Reference URI="#${attribute(id)}">` +
    `<ds:Transforms><ds:Transform Algorithm="${ENVELOPED_SIGNATURE}"></ds:Transform>` +
    `<ds:Transform Algorithm="${EXCLUSIVE_C14N}"></ds:Transform></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${DIGEST}"></ds:DigestMethod><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference>`;
  const canonical = `<ds:SignedInfo xmlns:ds="${DS}">${parts}</ds:SignedInfo>`;
  const value = signBytes('sha256', Buffer.from(canonical), privateKey).toString('base64');
  const der = certificate?.replace(/-----[^-]+-----|\s/g, '');
  const keyInfo =
    der === undefined
      ? ''
      : `<ds:KeyInfo><ds:X509Data><ds:X509Certificate>${der}</ds:X509Certificate></ds:X509Data></ds:KeyInfo>`;
  const signature =
    `<ds:Signature xmlns:ds="${DS}"><ds:SignedInfo>${parts}</ds:SignedInfo>` +
    `<ds:SignatureValue>${value}</ds:SignatureValue>${keyInfo}</ds:Signature>`;
  return xml.replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`);
}

function attributeStatement(attributes: IssuedResponse['attributes'] = {}): string {
  const elements = Object.entries(attributes).map(([name, values]) => {
    const written = [values].flat().map((value) => `<saml:AttributeValue>${text(value)}</saml:AttributeValue>`);
    return `<saml:Attribute Name="${attribute(name)}">${written.join('')}</saml:Attribute>`;
  });
  return elements.length === 0 ? '' : `<saml:AttributeStatement>${elements.join('')}</saml:AttributeStatement>`;
}

/** Writes the assertion of a response, signed if `signed` asks for it. */
export function issueAssertion(values: IssuedResponse): string {
  const { acsUrl, requestId, now, assertionId, sessionIndex, signed = 'assertion' } = values;
  const end = instant(now + LIFETIME);
  const inResponseTo = requestId === undefined ? '' : ` InResponseTo="${attribute(requestId)}"`;
  const context = values.authnContext ?? 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport';
  const xml =
    `<saml:Assertion xmlns:saml="${SAML}" ID="${attribute(assertionId)}" IssueInstant="${instant(now)}" Version="2.0">` +
    `<saml:Issuer>${text(values.issuer)}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${attribute(values.nameIdFormat ?? EMAIL_NAME_ID)}">${text(values.nameId)}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="${BEARER}"><saml:SubjectConfirmationData${inResponseTo} NotOnOrAfter="${end}" ` +
    `Recipient="${attribute(acsUrl)}"></saml:SubjectConfirmationData></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${instant(now - 30_000)}" NotOnOrAfter="${end}"><saml:AudienceRestriction>` +
    `<saml:Audience>${text(values.audience)}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${instant(values.authnInstant ?? now)}" ` +
    `SessionIndex="${attribute(sessionIndex ?? assertionId)}"><saml:AuthnContext>` +
    `<saml:AuthnContextClassRef>${text(context)}</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `${attributeStatement(values.attributes)}</saml:Assertion>`;
  return signed === 'assertion' || signed === 'both' ? signCanonical(xml, assertionId, values) : xml;
}

/** Inserts an assertion, in plain text or encrypted, into a response, which is signed if `signed` asks for it. */
export function issueAround(assertion: string, values: IssuedResponse): string {
  const { acsUrl, requestId, now, responseId, signed = 'assertion' } = values;
  const inResponseTo = requestId === undefined ? '' : ` InResponseTo="${attribute(requestId)}"`;
  const xml =
    `<samlp:Response xmlns:samlp="${SAMLP}" Destination="${attribute(acsUrl)}" ID="${attribute(responseId)}"${inResponseTo} ` +
    `IssueInstant="${instant(now)}" Version="2.0">${issuerElement(values.issuer)}` +
    `<samlp:Status><samlp:StatusCode Value="${SUCCESS}"></samlp:StatusCode></samlp:Status>${assertion}</samlp:Response>`;
  return signed === 'response' || signed === 'both' ? signCanonical(xml, responseId, values) : xml;
}

/** Writes a response with its assertion. */
export const issueResponse = (values: IssuedResponse): string => issueAround(issueAssertion(values), values);

/**
 * Writes a response without an assertion.
 * @param subcode a status code of SAML core, section 3.2.2.2, such as `urn:oasis:names:tc:SAML:2.0:status:AuthnFailed`
 */
export function issueError(values: IssuedResponse, subcode: string, message = ''): string {
  const status =
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode ` +
    `Value="${attribute(subcode)}"></samlp:StatusCode></samlp:StatusCode><samlp:StatusMessage>${text(message)}` +
    '</samlp:StatusMessage></samlp:Status>';
  const xml = issueAround('', { ...values, signed: 'none' }).replace(/<samlp:Status>.*<\/samlp:Status>/s, () => status);
  return values.signed === 'none' ? xml : signCanonical(xml, values.responseId, values);
}
