import { createPrivateKey, createPublicKey } from 'node:crypto';

import { selfSigned } from '../../kernel/keys/certificate.ts';
import { toPem } from './certificate.ts';

/** A certificate of ten years. */
const CERTIFICATE_YEARS = 10;

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
  const pair = { privateKey: key, publicKey: createPublicKey(key) };
  // A serial number is positive and has at most 20 bytes; the first byte keeps its length.
  const number = Buffer.concat([Buffer.from([0x40]), serial]);
  const der = selfSigned(pair, name, now, { until: end.getTime(), serial: number, isNoAuthority: true });
  return toPem(der.toString('base64'));
}
