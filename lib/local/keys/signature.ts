import { constants, createHmac, privateEncrypt, publicDecrypt, sign, timingSafeEqual, verify } from 'node:crypto';
import * as z from 'zod';
import { AwsError, blob, operation } from '../aws-json.ts';
import type { Operation } from '../aws-json.ts';
import { keySpecs, derivePublicKey, requireAlgorithm } from './key-spec.ts';
import type { Key, KeyStore } from './key-store.ts';

/** The head of a DigestInfo (RFC 8017, section 9.2, note 1) by the digest's length in bytes. */
const digestInfo: Readonly<Record<string, Buffer>> = {
  256: Buffer.from('3031300d060960864801650304020105000420', 'hex'),
  384: Buffer.from('3041300d060960864801650304020205000430', 'hex'),
  512: Buffer.from('3051300d060960864801650304020305000440', 'hex'),
};

const keyId = z.string().min(1).max(2048);
const grantTokens = { GrantTokens: z.array(z.string()).optional() };
const message = blob(4096);
const signing = {
  KeyId: keyId,
  Message: message,
  MessageType: z.enum(['RAW', 'DIGEST']).default('RAW'),
  SigningAlgorithm: z.enum([...keySpecs.RSA_2048.SIGN_VERIFY, ...keySpecs.ECC_NIST_P256.SIGN_VERIFY]),
  ...grantTokens,
};
const mac = { KeyId: keyId, Message: message, MacAlgorithm: z.literal('HMAC_SHA_256'), ...grantTokens };

/** The message to sign, and the algorithm. */
interface Signing {
  Message: Buffer;
  MessageType: 'RAW' | 'DIGEST';
  SigningAlgorithm: string;
}

/** Operations that sign and verify, with key pairs and with HMAC. */
export function signatureOperations(store: KeyStore): Record<string, Operation> {
  return { ...signatures(store), ...macs(store) };
}

const readBits = (algorithm: string): string => algorithm.slice(-3);

/** A digest of the algorithm's length in its DigestInfo: the input of a PKCS #1 v1.5 signature. @throws AwsError */
function wrappedDigest({ Message, SigningAlgorithm }: Signing): Buffer {
  // Node signs messages, not digests; for PKCS #1 v1.5 only the digest's padding has to be added.
  if (!SigningAlgorithm.startsWith('RSASSA_PKCS1_V1_5')) {
    throw new AwsError('UnsupportedOperationException', `${SigningAlgorithm} takes MessageType RAW on this server.`);
  }
  const bits = readBits(SigningAlgorithm);
  if (Message.length * 8 !== Number(bits)) {
    throw new AwsError('ValidationException', `Digest is invalid length for algorithm ${SigningAlgorithm}.`);
  }
  return Buffer.concat([digestInfo[bits] ?? Buffer.alloc(0), Message]);
}

function padding({ SigningAlgorithm }: Signing) {
  if (!SigningAlgorithm.includes('_PSS_')) return {};
  return { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
}

function makeSignature(store: KeyStore, key: Key, input: Signing): Buffer {
  const privateKey = {
    key: Buffer.from(store.material(key.id).secret),
    format: 'der',
    type: 'pkcs8',
  } as const;
  if (input.MessageType === 'DIGEST') {
    return privateEncrypt({ ...privateKey, padding: constants.RSA_PKCS1_PADDING }, wrappedDigest(input));
  }
  return sign(`sha${readBits(input.SigningAlgorithm)}`, input.Message, { ...privateKey, ...padding(input) });
}

function isSignature(store: KeyStore, key: Key, input: Signing, signature: Buffer): boolean {
  const publicKey = derivePublicKey(store.material(key.id).secret);
  if (input.MessageType === 'RAW') {
    return verify(
      `sha${readBits(input.SigningAlgorithm)}`,
      input.Message,
      { key: publicKey, ...padding(input) },
      signature,
    );
  }
  const wanted = wrappedDigest(input);
  try {
    return publicDecrypt({ key: publicKey, padding: constants.RSA_PKCS1_PADDING }, signature).equals(wanted);
  } catch {
    return false;
  }
}

function signatures(store: KeyStore): Record<string, Operation> {
  const keyFor = (reference: string, algorithm: string) => {
    const key = store.usable(store.resolve(reference), 'SIGN_VERIFY');
    requireAlgorithm(key, algorithm);
    return key;
  };
  return {
    Sign: operation(z.strictObject(signing), (input) => {
      const key = keyFor(input.KeyId, input.SigningAlgorithm);
      const signature = makeSignature(store, key, input).toString('base64');
      return { KeyId: key.arn, Signature: signature, SigningAlgorithm: input.SigningAlgorithm };
    }),
    Verify: operation(z.strictObject({ ...signing, Signature: blob(6144) }), (input) => {
      const key = keyFor(input.KeyId, input.SigningAlgorithm);
      if (!isSignature(store, key, input, input.Signature)) {
        throw new AwsError('KMSInvalidSignatureException', 'The signature does not fit the message.');
      }
      return { KeyId: key.arn, SignatureValid: true, SigningAlgorithm: input.SigningAlgorithm };
    }),
  };
}

function macs(store: KeyStore): Record<string, Operation> {
  const compute = (input: { KeyId: string; Message: Buffer; MacAlgorithm: string }) => {
    const key = store.usable(store.resolve(input.KeyId), 'GENERATE_VERIFY_MAC');
    const made = createHmac('sha256', store.material(key.id).secret).update(input.Message).digest();
    return { made, shared: { KeyId: key.arn, MacAlgorithm: input.MacAlgorithm } };
  };
  return {
    GenerateMac: operation(z.strictObject(mac), (input) => {
      const { made, shared } = compute(input);
      return { ...shared, Mac: made.toString('base64') };
    }),
    VerifyMac: operation(z.strictObject({ ...mac, Mac: blob(6144) }), (input) => {
      const { made, shared } = compute(input);
      if (made.length !== input.Mac.length || !timingSafeEqual(made, input.Mac)) {
        throw new AwsError('KMSInvalidMacException', 'The MAC does not fit the message.');
      }
      return { ...shared, MacValid: true };
    }),
  };
}
