import { createHash, createPrivateKey, createPublicKey, generateKeyPair, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { AwsError } from '../aws-json.ts';

/** The usages of keys; a key has exactly one. */
export type KeyUsage = 'ENCRYPT_DECRYPT' | 'SIGN_VERIFY' | 'GENERATE_VERIFY_MAC';

const rsaSigning = ['PKCS1_V1_5', 'PSS'].flatMap((scheme) =>
  ['256', '384', '512'].map((bits) => `RSASSA_${scheme}_SHA_${bits}`),
);
const rsa = {
  usages: ['SIGN_VERIFY', 'ENCRYPT_DECRYPT'],
  ENCRYPT_DECRYPT: ['RSAES_OAEP_SHA_1', 'RSAES_OAEP_SHA_256'],
  SIGN_VERIFY: rsaSigning,
  GENERATE_VERIFY_MAC: [],
} as const satisfies SpecFacts;

/** The usages of a spec (the first is the default) and the algorithms of each. */
type SpecFacts = { readonly usages: readonly KeyUsage[] } & Readonly<Record<KeyUsage, readonly string[]>>;

const only = (usage: KeyUsage, algorithm: string): SpecFacts => ({
  usages: [usage],
  ENCRYPT_DECRYPT: [],
  SIGN_VERIFY: [],
  GENERATE_VERIFY_MAC: [],
  [usage]: [algorithm],
});

/** The supported key specs. */
export const keySpecs = {
  SYMMETRIC_DEFAULT: only('ENCRYPT_DECRYPT', 'SYMMETRIC_DEFAULT'),
  RSA_2048: rsa,
  RSA_3072: rsa,
  ECC_NIST_P256: only('SIGN_VERIFY', 'ECDSA_SHA_256'),
  HMAC_256: only('GENERATE_VERIFY_MAC', 'HMAC_SHA_256'),
} as const satisfies Record<string, SpecFacts>;

/** The name of a key spec. */
export type KeySpec = keyof typeof keySpecs;

/** The supported data key pair specs. */
export const pairSpecs = [
  'RSA_2048',
  'RSA_3072',
  'RSA_4096',
  'ECC_NIST_P256',
  'ECC_NIST_P384',
  'ECC_NIST_P521',
] as const;

/** The name of a data key pair's spec. */
export type PairSpec = (typeof pairSpecs)[number];

const generate = promisify(generateKeyPair);

/** Generates a key pair: private as PKCS #8, public as SubjectPublicKeyInfo, both DER. Runs off the main thread. */
export async function newPair(spec: PairSpec): Promise<{ privateKey: Buffer; publicKey: Buffer }> {
  const publicKeyEncoding = { type: 'spki', format: 'der' } as const;
  const privateKeyEncoding = { type: 'pkcs8', format: 'der' } as const;
  if (spec.startsWith('RSA_')) {
    const modulusLength = Number(spec.slice('RSA_'.length));
    return generate('rsa', { modulusLength, publicKeyEncoding, privateKeyEncoding });
  }
  const namedCurve = spec.slice('ECC_NIST_'.length).replace('P', 'P-');
  return generate('ec', { namedCurve, publicKeyEncoding, privateKeyEncoding });
}

/** Generates key material of a spec: 32 random bytes, or a private key in PKCS #8 DER. */
export async function newMaterial(spec: KeySpec): Promise<Buffer> {
  if (spec === 'SYMMETRIC_DEFAULT' || spec === 'HMAC_256') return randomBytes(32);
  return (await newPair(spec)).privateKey;
}

/** The public half of a private key in PKCS #8 DER. */
export const derivePublicKey = (material: Uint8Array): KeyObject =>
  createPublicKey(createPrivateKey({ key: Buffer.from(material), format: 'der', type: 'pkcs8' }));

/** The id of a key that is made for an alias: the same in every run, so that it survives a restart or a reset. */
export function idOfAlias(alias: string): string {
  const hex = createHash('sha256').update(`gatehouse local key ${alias}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/**
 * Checks an algorithm against the spec and usage of a key.
 * @throws AwsError InvalidKeyUsageException if the key does not support it
 */
export function requireAlgorithm(key: { arn: string; spec: KeySpec; usage: KeyUsage }, algorithm: string): void {
  const allowed: readonly string[] = keySpecs[key.spec][key.usage];
  if (!allowed.includes(algorithm)) {
    throw new AwsError(
      'InvalidKeyUsageException',
      `${algorithm} does not fit ${key.arn}, which serves ${allowed.join(', ')}.`,
    );
  }
}
