import { verifyResponse, type ResponseOutcome } from '../../functions/sign-in/sso/saml/response.ts';
import { readCertificate } from '../../functions/sign-in/sso/saml/certificate.ts';
import { readMetadata } from '../../functions/sign-in/sso/saml/identity-provider-metadata.ts';
import { buildRedirect } from '../../functions/sign-in/sso/saml/request.ts';
import { writeMetadata } from '../../functions/sign-in/sso/saml/service-provider-metadata.ts';
import { mapProfile } from '../../functions/sign-in/sso/saml/attributes.ts';
import { makeKeyPair, type KeyPair } from '../support/saml/responses.ts';
import { compare, type Step } from './suite.ts';

/** The URL and the entity ID of the service provider. */
export const ACS_URL = 'https://api.example.com/sso/saml/acs/key';
export const ENTITY_ID = 'https://api.example.com/sso/saml/metadata/key';

/** Keys whose certificates are valid today, because counterparts use the real time. */
export const ownKeys = (): { idp: KeyPair; sp: KeyPair } => {
  const yesterday = Date.now() - 86_400_000;
  return { idp: makeKeyPair('idp', yesterday), sp: makeKeyPair('sp', yesterday) };
};

/** A sign-in to which a counterpart responds. */
export interface SignIn {
  readonly name: string;
  readonly isEncrypted: boolean;
  readonly requestId: string;
  readonly metadata: string;
  readonly address: string;
}

/** Writes metadata and request for a sign-in, as the service does. */
export function beginSignIn(name: string, sp: KeyPair, isEncrypted: boolean, ssoUrl: string): SignIn {
  const certificate = readCertificate(sp.certificate)?.base64 ?? '';
  const requestId = `_${name.replace(/\W/g, '')}`;
  return {
    name,
    isEncrypted,
    requestId,
    metadata: writeMetadata({
      entityId: ENTITY_ID,
      acsUrl: ACS_URL,
      signingCertificate: certificate,
      encryptionCertificates: isEncrypted ? [certificate] : [],
    }),
    address: buildRedirect({
      id: requestId,
      now: Date.now(),
      ssoUrl,
      acsUrl: ACS_URL,
      spEntityId: ENTITY_ID,
      relayState: 'state',
      signingKey: sp.privateKey,
    }),
  };
}

/** Reads the response from a page that posts it. */
export const responseIn = (page: string): string =>
  (/name="SAMLResponse"[^>]*value="([^"]*)"/.exec(page)?.[1] ?? '')
    .replace(/&#(?:43|x2B);/g, '+')
    .replaceAll('&#61;', '=');

/**
 * Verifies the response to a sign-in according to the provider's metadata. Returns the error of the metadata if it cannot
 * be read.
 */
export function verifySignIn(
  signIn: SignIn,
  idpMetadata: string,
  base64: string,
  sp: KeyPair,
): ResponseOutcome | string {
  const read = readMetadata(idpMetadata, Date.now());
  if (!read.isRead) return read.fault;
  const { entityId, signingCertificates } = read.identityProvider;
  return verifyResponse(
    base64,
    { certificates: signingCertificates, decryptionKeys: [sp.privateKey] },
    {
      issuer: entityId,
      acsUrls: [ACS_URL],
      audiences: [ENTITY_ID],
      requestId: signIn.requestId,
      now: Date.now(),
    },
  );
}

/** A user in the form that a provider has. */
export interface Person {
  readonly email: string;
  readonly groups: readonly string[];
  /** The name of the attribute with the groups, if the usual names are not used. */
  readonly groupsAttribute?: string;
}

/** The same response for another user, or with another ciphertext. */
function change(base64: string, isEncrypted: boolean): string {
  const xml = Buffer.from(base64, 'base64').toString();
  const changed = isEncrypted
    ? xml.replace(
        /(CipherValue>\s*[^<\s]{40})([^<\s])/g,
        (_, before: string, one: string) => before + (one === 'A' ? 'B' : 'A'),
      )
    : xml.replaceAll('ada@example.com', 'bob@example.com');
  return Buffer.from(changed).toString('base64');
}

/** Verifies the response to a sign-in and its profile, and that a changed copy of it is rejected. */
export function finishSignIn(
  signIn: SignIn,
  metadata: string,
  base64: string,
  sp: KeyPair,
  person: Person,
): readonly Step[] {
  const outcome = verifySignIn(signIn, metadata, base64, sp);
  if (typeof outcome === 'string' || !outcome.isAccepted) {
    const fault = typeof outcome === 'string' ? outcome : `${outcome.reason}: ${outcome.detail}`;
    const xml = Buffer.from(base64, 'base64').toString().slice(0, 3000);
    return [{ step: `${signIn.name}: accepted`, ok: false, why: `${fault} ${xml}` }];
  }
  const { groupsAttribute } = person;
  const standard = groupsAttribute === undefined ? {} : { groups: groupsAttribute };
  const { assertion } = outcome;
  const profile = mapProfile(assertion, 'GenericSAML', { standard, custom: {} });
  const kinds = [typeof assertion.authnInstant, typeof assertion.authnContext];
  const other = verifySignIn(signIn, metadata, change(base64, signIn.isEncrypted), sp);
  return [
    compare(`${signIn.name}: encrypted`, assertion.isEncrypted, signIn.isEncrypted),
    compare(`${signIn.name}: email`, profile.email, person.email),
    compare(`${signIn.name}: groups`, profile.groups, person.groups),
    compare(`${signIn.name}: time and kind of the authentication`, kinds, ['number', 'string']),
    compare(`${signIn.name}: rejected after a change`, typeof other !== 'string' && other.isAccepted, false),
  ];
}
