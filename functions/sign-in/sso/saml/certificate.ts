import { X509Certificate, type KeyObject } from 'node:crypto';

/** A certificate with the members that the API shows and that verify signatures. */
export interface ReadCertificate {
  /** The PEM with lines of 64 characters. */
  readonly pem: string;
  /** The DER in base64 without line breaks, as in `ds:X509Certificate`. */
  readonly base64: string;
  /** The SHA-256 of the DER, hexadecimal, in lower case. */
  readonly fingerprint: string;
  /** The start of its validity, in milliseconds since the epoch. */
  readonly notBefore: number;
  readonly notAfter: number;
  readonly subject: string;
  readonly issuer: string;
  /** The type `rsa` or `ec`; signatures with other keys are not verified. */
  readonly keyType: string;
  /** The bits of an RSA modulus or of the field of a curve; 0 if unknown. */
  readonly keyBits: number;
  readonly publicKey: KeyObject;
}

const BLOCK = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----([^-]*)-----END (?:X509 |TRUSTED )?CERTIFICATE-----/;

/** Maximum characters of a certificate in PEM; those of identity providers have fewer than 4,000. */
const LONGEST_CERTIFICATE = 16_384;

const CURVE_BITS: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 };

/** The base64 of the first certificate in a PEM text, or of a text that is base64 without PEM's lines. */
function readBase64(text: string): string | undefined {
  const compact = (BLOCK.exec(text)?.[1] ?? text).replace(/\s/g, '');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(compact) ? compact : undefined;
}

const countBits = (key: KeyObject): number => {
  const { modulusLength, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  return modulusLength ?? CURVE_BITS[namedCurve] ?? 0;
};

/** Formats the base64 of a DER as PEM. */
export const toPem = (base64: string, label = 'CERTIFICATE'): string =>
  `-----BEGIN ${label}-----\n${base64.replace(/(.{64})(?=.)/g, '$1\n')}\n-----END ${label}-----\n`;

/**
 * Parses an X.509 certificate from an administrator or metadata: PEM, or the base64 of its DER with any line breaks.
 * @returns undefined if it is not a certificate, or longer than 16 KiB
 */
export function readCertificate(text: string): ReadCertificate | undefined {
  const base64 = text.length > LONGEST_CERTIFICATE ? undefined : readBase64(text);
  if (base64 === undefined) return undefined;
  try {
    const certificate = new X509Certificate(Buffer.from(base64, 'base64'));
    const { publicKey } = certificate;
    const der = certificate.raw.toString('base64');
    return {
      pem: toPem(der),
      base64: der,
      fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      notBefore: Date.parse(certificate.validFrom),
      notAfter: Date.parse(certificate.validTo),
      subject: certificate.subject,
      issuer: certificate.issuer,
      keyType: publicKey.asymmetricKeyType ?? 'unknown',
      keyBits: countBits(publicKey),
      publicKey,
    };
  } catch {
    return undefined;
  }
}

/**
 * Reports whether a certificate has expired. It is valid for the whole second of `notAfter` (RFC 5280, section 4.1.2.5).
 */
export const isExpired = ({ notAfter }: ReadCertificate, now: number): boolean => now >= notAfter + 1000;

/**
 * Reports whether signatures are verified with the certificate's key: RSA of at least 1,024 bits, or EC on a curve of NIST.
 */
export const isUsableKey = ({ keyType, keyBits }: ReadCertificate): boolean =>
  (keyType === 'rsa' && keyBits >= 1024 && keyBits <= 8192) || (keyType === 'ec' && keyBits > 0);
