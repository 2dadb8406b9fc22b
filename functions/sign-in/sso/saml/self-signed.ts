import { createPrivateKey, createPublicKey } from 'node:crypto';

import { selfSigned } from '../../../kernel/keys/certificate.ts';
import { toPem } from './certificate.ts';

/** Validity of a certificate in years. */
const CERTIFICATE_YEARS = 10;

/** The data of a new certificate. */
export interface SelfSigned {
  /** The RSA private key in PEM, PKCS #8. */
  readonly privateKey: string;
  /** The common name of subject and issuer; 1 to 64 characters. */
  readonly name: string;
  /** The serial number: sixteen random bytes. */
  readonly serial: Uint8Array;
  /** The start of its validity in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Makes a self-signed certificate of an RSA key, with SHA-256, valid for ten years.
 * @returns the PEM
 */
export function makeSelfSigned({ privateKey, name, serial, now }: SelfSigned): string {
  const key = createPrivateKey(privateKey);
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + CERTIFICATE_YEARS);
  const pair = { privateKey: key, publicKey: createPublicKey(key) };
  // A serial number is positive and has at most 20 bytes; the first byte keeps its length constant.
  const number = Buffer.concat([Buffer.from([0x40]), serial]);
  const der = selfSigned(pair, name, now, { until: end.getTime(), serial: number, isNoAuthority: true });
  return toPem(der.toString('base64'));
}
