import { type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto';

/**
 * Makes a self-signed certificate of a signing key (RFC 5280): for the members `x5c` and `x5t#S256` of a JWK, and for
 * the metadata of a SAML service provider. Verifiers only use the key; the certificate asserts nothing that they should
 * trust, so by default it has no extensions and no expiry (section 4.1.2.5: 99991231235959Z). These 40 lines of DER are
 * written by hand because the libraries that make certificates weigh several hundred KiB.
 */

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const VERSION_TAG = 0xa0;

/** The OID sha256WithRSAEncryption (RFC 4055 section 5), with its NULL parameters. */
const RSA_WITH_SHA256 = Buffer.from('300d06092a864886f70d01010b0500', 'hex');
/** The OID id-at-commonName (RFC 5280 appendix A.1). */
const COMMON_NAME = Buffer.from('0603550403', 'hex');
/**
 * The field [3] with the critical extension id-ce-basicConstraints of a certificate that is not an authority (section
 * 4.2.1.9).
 */
const NO_AUTHORITY = Buffer.from('a310300e300c0603551d130101ff04023000', 'hex');
const NO_EXPIRY = Date.UTC(9999, 11, 31, 23, 59, 59);
const SERIAL_BYTES = 16;

/** One element of DER (ITU-T X.690 section 8.1): tag, length, content. */
function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const digits = content.length.toString(16);
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, content]);
}

/** A random positive serial number (RFC 5280 section 4.1.2.2). */
function serialNumber(): Buffer {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes;
}

/** A time to the second: UTCTime through the year 2049, GeneralizedTime from then on (section 4.1.2.5). */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().slice(0, 19).replaceAll(/\D/g, '');
  return digits < '2050'
    ? element(UTC_TIME, Buffer.from(`${digits.slice(2)}Z`))
    : element(GENERALIZED_TIME, Buffer.from(`${digits}Z`));
}

/** The parts of a certificate that have defaults. */
export interface CertificateOptions {
  /** The end of its validity, in milliseconds since the epoch; by default it does not expire. */
  until?: number;
  /** A positive number of at most 20 bytes; by default a random one. */
  serial?: Uint8Array;
  /** True for a certificate with an extension that says that it is not an authority; by default it has no extensions. */
  isNoAuthority?: boolean;
}

/**
 * Makes the DER of a certificate for an RSA key pair.
 * @param commonName both subject and issuer
 * @param from the start of its validity, in milliseconds since the epoch
 */
export function selfSigned(
  pair: { publicKey: KeyObject; privateKey: KeyObject },
  commonName: string,
  from: number,
  { until = NO_EXPIRY, serial = serialNumber(), isNoAuthority = false }: CertificateOptions = {},
): Buffer {
  const name = element(
    SEQUENCE,
    element(SET, element(SEQUENCE, COMMON_NAME, element(UTF8_STRING, Buffer.from(commonName)))),
  );
  const content = element(
    SEQUENCE,
    element(VERSION_TAG, element(INTEGER, Buffer.from([2]))),
    element(INTEGER, serial),
    RSA_WITH_SHA256,
    name,
    element(SEQUENCE, time(from), time(until)),
    name,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    ...(isNoAuthority ? [NO_AUTHORITY] : []),
  );
  const signature = sign('sha256', content, pair.privateKey);
  return element(SEQUENCE, content, RSA_WITH_SHA256, element(BIT_STRING, Buffer.from([0]), signature));
}

/** Reads the public key from a certificate. */
export const readPublicKey = (certificate: Uint8Array): KeyObject => new X509Certificate(certificate).publicKey;
