import { generateKeyPair, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

import { clock } from '../../../kernel/clock.ts';
import { readCertificate } from '../saml/certificate.ts';
import { makeSelfSigned } from '../saml/self-signed.ts';
import { storedCertificate } from './certificate.ts';
import type { StoredCertificate } from './entity.ts';

const generate = promisify(generateKeyPair);

/** A new key pair: the certificate to store, and its private key as PKCS #8 in PEM. */
export interface NewPair {
  stored: StoredCertificate;
  key: string;
}

/**
 * Makes an RSA key of 2048 bits with a self-signed certificate of ten years, which takes some 100 ms of CPU time.
 * @param prefix the prefix of the certificate's id
 * @param name the common name of the certificate, 1 to 64 characters
 */
export async function selfSigned(prefix: string, name: string): Promise<NewPair> {
  const { privateKey } = await generate('rsa', { modulusLength: 2_048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const pem = makeSelfSigned({ privateKey: key, name, serial: randomBytes(16), now: clock.now() });
  const certificate = readCertificate(pem);
  if (certificate === undefined) throw new Error('A certificate that was just made cannot be read');
  return { stored: storedCertificate(prefix, certificate), key };
}
