/**
 * The functions that verify responses of authenticators, with `@simplewebauthn/server`. The library and its ASN.1 parsers
 * are some 440 KiB. A deployed function loads them as a separate file with the first response (`lib/stack/apart.ts`), so
 * other calls do not wait for them.
 */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import {
  cose,
  decodeAttestationObject,
  decodeCredentialPublicKey,
  isoCBOR,
  verifySignature,
} from '@simplewebauthn/server/helpers';

import type { PasskeyRecord } from '../passkey/entity.ts';
import type { RelyingParty } from '../relying-party.ts';
import { isDerSignature } from './der.ts';
import { ALGORITHMS, ES256 } from './options.ts';
import type { AuthenticationResponse, Challenged, RegistrationResponse } from './response.ts';

/** Maximum bytes of a credential's id (Web Authentication section 4). */
const MAX_CREDENTIAL_ID = 1_023;

/** A response whose signature, origin, RP id and flags are right. */
export interface VerifiedResponse {
  counter: number;
  userVerified: boolean;
  canBeBackedUp: boolean;
  isBackedUp: boolean;
}

/** A new credential. */
export interface VerifiedCredential extends VerifiedResponse {
  credentialId: string;
  /** The COSE key in base64url. */
  publicKey: string;
}

const fromBase64url = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'base64url'));

/** The algorithm of a COSE key in base64url (RFC 9053). @throws Error for bytes that are no key */
const readAlgorithm = (publicKey: string): number =>
  Number(decodeCredentialPublicKey(fromBase64url(publicKey)).get(cose.COSEKEYS.alg));

/** Reports whether a signature has the form of its algorithm. */
const isWellFormed = (signature: Uint8Array, publicKey: string): boolean =>
  readAlgorithm(publicKey) !== ES256 || isDerSignature(signature);

/** Reports whether a signature is right. @param publicKey the COSE key in base64url */
async function isSignature(
  signature: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
  publicKey: string,
): Promise<boolean> {
  try {
    if (!isWellFormed(signature, publicKey)) return false;
    return await verifySignature({ signature, data, credentialPublicKey: fromBase64url(publicKey) });
  } catch {
    return false;
  }
}

/**
 * Verifies a signature of a registered credential (Web Authentication section 7.2). The counter is not compared, so that only
 * a correctly signed one is reported as going backwards.
 * @returns undefined if the library rejects the response, for whatever reason: malformed CBOR, too
 */
async function verifyAuthentication(
  { response, challenge }: Challenged<AuthenticationResponse>,
  { credentialId, publicKey }: Pick<PasskeyRecord, 'credentialId' | 'publicKey'>,
  { id, origin }: RelyingParty,
): Promise<VerifiedResponse | undefined> {
  try {
    const { userHandle, ...signed } = response.response;
    if (!isWellFormed(fromBase64url(signed.signature), publicKey)) return undefined;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...response,
        response: { ...signed, ...(typeof userHandle === 'string' && { userHandle }) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      credential: { id: credentialId, publicKey: fromBase64url(publicKey), counter: 0 },
    });
    if (!verified) return undefined;
    return {
      counter: authenticationInfo.newCounter,
      userVerified: authenticationInfo.userVerified,
      canBeBackedUp: authenticationInfo.credentialDeviceType === 'multiDevice',
      isBackedUp: authenticationInfo.credentialBackedUp,
    };
  } catch {
    return undefined;
  }
}

/**
 * Verifies a new credential (section 7.1). Attestation is not requested; the statement of an authenticator that sends one is
 * removed before, so that no certificate is read and no address in one is fetched.
 * @returns undefined if the library rejects the response
 */
async function verifyRegistration(
  { response, challenge }: Challenged<RegistrationResponse>,
  { id, origin }: RelyingParty,
): Promise<VerifiedCredential | undefined> {
  try {
    const { clientDataJSON, attestationObject } = response.response;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...response,
        response: { clientDataJSON, attestationObject: withoutStatement(attestationObject) },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
    if (!verified || registrationInfo.credential.id !== response.id) return undefined;
    if (Buffer.from(response.id, 'base64url').length > MAX_CREDENTIAL_ID) return undefined;
    const { credential, userVerified, credentialDeviceType, credentialBackedUp } = registrationInfo;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      userVerified,
      canBeBackedUp: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
    };
  } catch {
    return undefined;
  }
}

/**
 * An attestation object with the same authenticator data and the format `none`.
 * @throws Error for bytes that are not one object in the form that the standard requires (section 2.4), which are the same when they
 *   are encoded again: no bytes after it, no length that is too long
 */
function withoutStatement(attestationObject: string): string {
  const bytes = fromBase64url(attestationObject);
  const decoded = decodeAttestationObject(bytes);
  if (!Buffer.from(isoCBOR.encode(decoded as never)).equals(bytes)) throw new Error('The CBOR has another form');
  const bare = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', decoded.get('authData')],
  ]);
  return Buffer.from(isoCBOR.encode(bare as never)).toString('base64url');
}

/** Reports whether a text is a COSE key in base64url, for an algorithm that sign-ins accept. */
function isPublicKey(publicKey: string): boolean {
  try {
    const given = readAlgorithm(publicKey);
    return ALGORITHMS.some((algorithm) => algorithm === given);
  } catch {
    return false;
  }
}

/** The verification of responses and keys. */
export const authenticators = { verifyAuthentication, verifyRegistration, isPublicKey, isSignature } as const;
