import { generateKeyPairSync, randomBytes } from 'node:crypto';

import { makeSelfSigned } from '../../functions/sign-in/sso/saml/self-signed.ts';

/** A key pair with a self-signed certificate, in PEM. */
export interface TestPair {
  key: string;
  cert: string;
}

const DAY_MS = 86_400_000;
/** The validity of certificates that `makeSelfSigned` makes (ten years). */
const LIFE_MS = 3_652 * DAY_MS;

const made = new Map<string, TestPair>();

/**
 * Makes a pair once for each name: RSA of 2048 bits.
 * @param endsInDays days until the certificate expires, from the machine's own time; negative for an expired one
 */
export function testPair(name = 'idp', endsInDays = 3_000): TestPair {
  const id = `${name} ${endsInDays}`;
  const known = made.get(id);
  if (known !== undefined) return known;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const now = Date.now() - LIFE_MS + endsInDays * DAY_MS;
  const pair = { key, cert: makeSelfSigned({ privateKey: key, name, serial: randomBytes(16), now }) };
  made.set(id, pair);
  return pair;
}
