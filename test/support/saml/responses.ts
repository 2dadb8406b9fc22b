import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';

import { DOMParser } from '@xmldom/xmldom';
import { ExclusiveCanonicalization } from 'xml-crypto';
import xmlEncryption from 'xml-encryption';

import type { Expectations } from '../../../functions/sign-in/sso/saml/assertion.ts';
import {
  issueAround,
  issueAssertion,
  issueResponse,
  type IssuedResponse,
} from '../../../functions/sign-in/sso/saml/issue.ts';
import { SAML } from '../../../functions/sign-in/sso/saml/names.ts';
import { verifyResponse, type ResponseOutcome } from '../../../functions/sign-in/sso/saml/response.ts';
import { makeSelfSigned } from '../../../functions/sign-in/sso/saml/self-signed.ts';

/** A private key and its certificate, both PEM. */
export interface KeyPair {
  readonly privateKey: string;
  readonly certificate: string;
}

/** The time in the tests: 22 Nov 2026, noon. */
export const NOW = Date.UTC(2026, 10, 22, 12);

export function makeKeyPair(name: string, now = NOW - 86_400_000): KeyPair {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return { privateKey, certificate: makeSelfSigned({ privateKey, name, serial: randomBytes(16), now }) };
}

const pairs = new Map<string, KeyPair>();

/** The key pair of a party, made at its first use: `idp`, `sp`, `attacker`, or any other name. */
export function keyPair(party: string): KeyPair {
  const pair = pairs.get(party) ?? makeKeyPair(party);
  pairs.set(party, pair);
  return pair;
}

/** The expectations of the service provider in the tests. */
export const EXPECTED: Expectations = {
  issuer: 'https://idp.example.com/metadata',
  acsUrls: ['https://api.example.com/sso/saml/acs/key'],
  audiences: ['https://api.example.com/sso/saml/metadata/key'],
  requestId: '_request',
  now: NOW,
};

/** The values of a response that meets `EXPECTED`. */
export const responseValues = (changes: Partial<IssuedResponse> = {}): IssuedResponse => ({
  ...keyPair('idp'),
  issuer: EXPECTED.issuer,
  acsUrl: EXPECTED.acsUrls[0] ?? '',
  audience: EXPECTED.audiences[0] ?? '',
  requestId: '_request',
  nameId: 'ada@example.com',
  attributes: { email: 'ada@example.com', firstName: 'Ada', groups: ['engineers', 'owners'] },
  now: NOW - 1000,
  responseId: '_response',
  assertionId: '_assertion',
  ...changes,
});

/** Writes a document in the canonical form that `issueAround` can sign. */
export const canonicalize = (xml: string): string =>
  new ExclusiveCanonicalization().process(new DOMParser().parseFromString(xml).documentElement, {});

export const toBase64 = (xml: string): string => Buffer.from(xml).toString('base64');

/** The form field `SAMLResponse` of a response that is signed with the key of `idp`, unless the changes say otherwise. */
export const signedResponse = (changes: Partial<IssuedResponse> = {}): string =>
  toBase64(issueResponse(responseValues(changes)));

/** The algorithms of XML Encryption. */
export interface EncryptionMethods {
  readonly data?: string;
  readonly key?: string;
}

/** Encrypts the text of an assertion for the certificate of `sp`, as EncryptedAssertion. */
export async function encryptAssertion(
  text: string,
  { data, key }: EncryptionMethods = {},
  { certificate } = keyPair('sp'),
): Promise<string> {
  const encrypted = await new Promise<string>((resolve, reject) => {
    const options = {
      rsa_pub: createPublicKey(certificate).export({ type: 'spki', format: 'pem' }).toString(),
      pem: certificate,
      encryptionAlgorithm: data ?? 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      keyEncryptionAlgorithm: key ?? 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p',
      disallowEncryptionWithInsecureAlgorithm: false,
      warnInsecureAlgorithm: false,
    };
    xmlEncryption.encrypt(text, options, (error, found) => (error ? reject(error) : resolve(found ?? '')));
  });
  const wrapped = `<saml:EncryptedAssertion xmlns:saml="${SAML}">${encrypted}</saml:EncryptedAssertion>`;
  return canonicalize(wrapped);
}

/** The form field of a response whose signed assertion is encrypted. */
export async function encryptedResponse(
  changes: Partial<IssuedResponse> = {},
  methods: EncryptionMethods = {},
): Promise<string> {
  const values = responseValues(changes);
  return toBase64(
    issueAround(await encryptAssertion(issueAssertion(values), methods), {
      ...values,
      signed: changes.signed ?? 'none',
    }),
  );
}

/** Verifies with the certificate of `idp` and the key of `sp`. */
export const verifyHere = (base64: string, expected: Partial<Expectations> = {}): ResponseOutcome =>
  verifyResponse(
    base64,
    { certificates: [keyPair('idp').certificate], decryptionKeys: [keyPair('sp').privateKey] },
    { ...EXPECTED, ...expected },
  );
