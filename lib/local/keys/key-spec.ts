import { createHash, createPrivateKey, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

/** The usages of keys, of which a key has exactly one. */
export type KeyUsage = 'ENCRYPT_DECRYPT' | 'SIGN_VERIFY';

/** The key specs that the topology has, with the usage of each. */
export const keySpecs = {
  SYMMETRIC_DEFAULT: 'ENCRYPT_DECRYPT',
  ECC_NIST_P256: 'SIGN_VERIFY',
} as const satisfies Record<string, KeyUsage>;

/** The name of a key spec. */
export type KeySpec = keyof typeof keySpecs;

/** The algorithm members of a response about a key. */
export const algorithms = (spec: KeySpec): object =>
  spec === 'SYMMETRIC_DEFAULT'
    ? { EncryptionAlgorithms: ['SYMMETRIC_DEFAULT'] }
    : { SigningAlgorithms: ['ECDSA_SHA_256'] };

/** Generates key material of a spec: 32 random bytes, or a private key in PKCS #8 DER. */
export async function newMaterial(spec: KeySpec): Promise<Buffer> {
  if (spec === 'SYMMETRIC_DEFAULT') return randomBytes(32);
  const { privateKey } = await promisify(generateKeyPair)('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return privateKey;
}

/** The public half of a private key in PKCS #8 DER. */
export const derivePublicKey = (material: Uint8Array): KeyObject =>
  createPublicKey(createPrivateKey({ key: Buffer.from(material), format: 'der', type: 'pkcs8' }));

/** The id of a key that is made for an alias, which is the same in every run, so that it survives a restart or a reset. */
export function idOfAlias(alias: string): string {
  const hex = createHash('sha256').update(`gatehouse local key ${alias}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
