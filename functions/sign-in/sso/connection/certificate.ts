import { createPrivateKey, createPublicKey } from 'node:crypto';

import { clock } from '../../../kernel/clock.ts';
import { newId } from '../../../kernel/ids.ts';
import { isUsableKey, type ReadCertificate, readCertificate } from '../saml/certificate.ts';
import type { StoredCertificate } from './entity.ts';

/** Prefixes of the ids of certificates. */
const IDP_CERTIFICATE = 'saml_x509_cert';
export const ENCRYPTION_PAIR = 'saml_enc_key_pair';
export const SIGNING_PAIR = 'saml_party_trust';

/** Parses a certificate in PEM or base64; undefined for any other text, or one whose key is too weak. */
export function parseCertificate(text: string): ReadCertificate | undefined {
  const certificate = readCertificate(text);
  return certificate !== undefined && isUsableKey(certificate) ? certificate : undefined;
}

/** The stored form of a certificate. */
export function storedCertificate(prefix: string, { pem, notBefore, notAfter }: ReadCertificate): StoredCertificate {
  return {
    id: newId(prefix),
    value: pem.trim(),
    notBefore: new Date(notBefore).toISOString(),
    notAfter: new Date(notAfter).toISOString(),
    createdAt: clock.timestamp(),
  };
}

/** Adds certificates that the connection does not have yet, compared as DER. */
export const withCertificates = (
  former: readonly StoredCertificate[],
  added: readonly ReadCertificate[],
): StoredCertificate[] =>
  added.reduce<StoredCertificate[]>(
    (all, one) =>
      all.some(({ value }) => value === one.pem.trim()) ? all : [...all, storedCertificate(IDP_CERTIFICATE, one)],
    [...former],
  );

/** A key pair of a caller, whose parts match. */
export interface KeyPair {
  certificate: ReadCertificate;
  /** The private key as PKCS #8 in PEM. */
  key: string;
}

/**
 * Parses a key pair. Returns the name of the wrong member if the certificate cannot be read or the key does not belong to
 * it.
 */
export function parseKeyPair({ key, cert }: { key: string; cert: string }): KeyPair | 'cert' | 'key' {
  const certificate = parseCertificate(cert);
  if (certificate === undefined) return 'cert';
  try {
    const privateKey = createPrivateKey(key);
    if (!createPublicKey(privateKey).equals(certificate.publicKey)) return 'key';
    return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  } catch {
    return 'key';
  }
}
