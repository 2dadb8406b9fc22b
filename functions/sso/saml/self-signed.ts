import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

import { toPem } from './certificate.ts';

/**
 * Self-signed X.509 certificates (RFC 5280) for keys that sign and decrypt SAML. They are written by hand, since node:crypto
 * only reads certificates, and the libraries that write them are larger than all of SAML here; `openssl verify` checks
 * the result in a test.
 */

const SHA256_WITH_RSA = '2a864886f70d01010b';
const COMMON_NAME = '550403';
const BASIC_CONSTRAINTS = '551d13';

function encodeLength(length: number): Buffer {
  if (length < 128) return Buffer.from([length]);
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

/** A value of DER: tag, length, content. */
const value = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag]), encodeLength(content.length), content]);
};

const sequence = (...contents: readonly Buffer[]): Buffer => value(0x30, ...contents);
const objectId = (hexadecimal: string): Buffer => value(0x06, Buffer.from(hexadecimal, 'hex'));

/** UTCTime until 2049, GeneralizedTime from 2050 (RFC 5280, section 4.1.2.5). */
function time(milliseconds: number): Buffer {
  const text = `${new Date(milliseconds).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`;
  return text < '2050' ? value(0x17, Buffer.from(text.slice(2))) : value(0x18, Buffer.from(text));
}

const commonName = (name: string): Buffer =>
  sequence(value(0x31, sequence(objectId(COMMON_NAME), value(0x0c, Buffer.from(name)))));

/** A certificate of ten years. */
export const CERTIFICATE_YEARS = 10;

/** The data of a certificate to make. */
export interface SelfSigned {
  /** PEM of an RSA private key, PKCS #8. */
  readonly privateKey: string;
  /** Common name of subject and issuer; 1 to 64 characters. */
  readonly name: string;
  /** Sixteen random bytes: the serial number. */
  readonly serial: Uint8Array;
  /** Milliseconds since the epoch: the begin. */
  readonly now: number;
}

/**
 * Makes the certificate of an RSA key, signed by itself with SHA-256, valid for ten years.
 *
 * @returns PEM.
 */
export function makeSelfSigned({ privateKey, name, serial, now }: SelfSigned): string {
  const key = createPrivateKey(privateKey);
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + CERTIFICATE_YEARS);
  const algorithm = sequence(objectId(SHA256_WITH_RSA), value(0x05));
  // A serial number is positive and has at most 20 bytes; the first byte keeps its length.
  const number = Buffer.concat([Buffer.from([0x40]), serial]);
  const isNoAuthority = sequence(
    objectId(BASIC_CONSTRAINTS),
    value(0x01, Buffer.from([0xff])),
    value(0x04, sequence()),
  );
  const content = sequence(
    value(0xa0, value(0x02, Buffer.from([2]))),
    value(0x02, number),
    algorithm,
    commonName(name),
    sequence(time(now), time(end.getTime())),
    commonName(name),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    value(0xa3, sequence(isNoAuthority)),
  );
  const signature = value(0x03, Buffer.from([0]), sign('sha256', content, key));
  return toPem(sequence(content, algorithm, signature).toString('base64'));
}
