import { constants, privateDecrypt, publicEncrypt, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AwsError, blob, operation } from '../aws-json.ts';
import type { Operation } from '../aws-json.ts';
import { invalidCiphertext, open, seal, sealedBy } from './ciphertext.ts';
import type { EncryptionContext } from './ciphertext.ts';
import { newPair, pairSpecs, requireAlgorithm } from './key-spec.ts';
import type { Key, KeyStore } from './key-store.ts';

const symmetric = 'SYMMETRIC_DEFAULT';
const keyId = z.string().min(1).max(2048);
const context = z.record(z.string(), z.string()).default({});
const algorithm = z.enum([symmetric, 'RSAES_OAEP_SHA_1', 'RSAES_OAEP_SHA_256']);
const grantTokens = { GrantTokens: z.array(z.string()).optional() };
const underKey = { KeyId: keyId, EncryptionContext: context, ...grantTokens };

const maxPlaintext = 4096;
const ciphertext = blob(6144);

/** The result of a decryption. */
interface Opened {
  key: Key;
  plaintext: Buffer;
  materialId?: string;
}

/** The options of a decryption: the algorithm, the context and, optionally, the required key. */
interface Opening {
  algorithm: string;
  context: EncryptionContext;
  reference: string | undefined;
}

/** Operations that encrypt and decrypt, and that make data keys. */
export function encryptionOperations(store: KeyStore): Record<string, Operation> {
  return { ...direct(store), ...dataKeys(store), ...dataKeyPairs(store) };
}

function sealSymmetric(store: KeyStore, key: Key, plaintext: Buffer, context: EncryptionContext) {
  requireAlgorithm(key, symmetric);
  const material = store.material(key.id);
  const sealed = seal({ keyId: key.id, materialId: material.id }, material.secret, plaintext, context);
  return { blob: sealed.toString('base64'), materialId: material.id };
}

function encrypt(store: KeyStore, key: Key, name: string, plaintext: Buffer, context: EncryptionContext) {
  requireAlgorithm(key, name);
  if (name === symmetric) return sealSymmetric(store, key, plaintext, context);
  rejectContext(context);
  try {
    return { blob: publicEncrypt(oaep(store, key, name), plaintext).toString('base64') };
  } catch {
    throw new AwsError('ValidationException', `The plaintext is too long for ${key.spec} with ${name}.`);
  }
}

function decrypt(store: KeyStore, sealed: Buffer, { algorithm: name, context, reference }: Opening): Opened {
  const named = reference === undefined ? undefined : store.resolve(reference);
  if (name === symmetric) return openSymmetric(store, sealed, context, named);
  if (named === undefined) throw new AwsError('ValidationException', `KeyId is required with ${name}.`);
  rejectContext(context);
  const key = store.usable(named, 'ENCRYPT_DECRYPT');
  requireAlgorithm(key, name);
  try {
    return { key, plaintext: privateDecrypt(oaep(store, key, name), sealed) };
  } catch {
    throw invalidCiphertext();
  }
}

function openSymmetric(store: KeyStore, sealed: Buffer, context: EncryptionContext, named: Key | undefined): Opened {
  const by = sealedBy(sealed);
  const row = store.row(by.keyId);
  if (row === undefined) throw invalidCiphertext();
  const found = store.find(row.id);
  if (named !== undefined && named.id !== found.id) {
    throw new AwsError('IncorrectKeyException', 'The key ID in the request does not identify the key that encrypted.');
  }
  const key = store.usable(found, 'ENCRYPT_DECRYPT');
  const material = store.materialById(key.id, by.materialId);
  if (material === undefined) throw invalidCiphertext();
  return { key, plaintext: open(sealed, material.secret, context), materialId: material.id };
}

function oaep(store: KeyStore, key: Key, name: string) {
  return {
    key: Buffer.from(store.material(key.id).secret),
    format: 'der',
    type: 'pkcs8',
    padding: constants.RSA_PKCS1_OAEP_PADDING,
    oaepHash: name === 'RSAES_OAEP_SHA_1' ? 'sha1' : 'sha256',
  } as const;
}

/** An asymmetric algorithm does not support a context; to ignore it silently would unbind the ciphertext. */
function rejectContext(context: EncryptionContext): void {
  if (Object.keys(context).length > 0) {
    throw new AwsError('ValidationException', 'EncryptionContext is only supported for symmetric keys.');
  }
}

function direct(store: KeyStore): Record<string, Operation> {
  return {
    Encrypt: operation(
      z.strictObject({ ...underKey, Plaintext: blob(maxPlaintext), EncryptionAlgorithm: algorithm.default(symmetric) }),
      (input) => {
        const key = store.usable(store.resolve(input.KeyId), 'ENCRYPT_DECRYPT');
        const sealed = encrypt(store, key, input.EncryptionAlgorithm, input.Plaintext, input.EncryptionContext);
        return { KeyId: key.arn, CiphertextBlob: sealed.blob, EncryptionAlgorithm: input.EncryptionAlgorithm };
      },
    ),
    Decrypt: operation(
      z.strictObject({
        ...underKey,
        KeyId: keyId.optional(),
        CiphertextBlob: ciphertext,
        EncryptionAlgorithm: algorithm.default(symmetric),
      }),
      (input) => {
        const opened = decrypt(store, input.CiphertextBlob, {
          algorithm: input.EncryptionAlgorithm,
          context: input.EncryptionContext,
          reference: input.KeyId,
        });
        return {
          KeyId: opened.key.arn,
          Plaintext: opened.plaintext.toString('base64'),
          EncryptionAlgorithm: input.EncryptionAlgorithm,
          KeyMaterialId: opened.materialId,
        };
      },
    ),
    ReEncrypt: operation(
      z.strictObject({
        CiphertextBlob: ciphertext,
        SourceKeyId: keyId.optional(),
        SourceEncryptionContext: context,
        SourceEncryptionAlgorithm: algorithm.default(symmetric),
        DestinationKeyId: keyId,
        DestinationEncryptionContext: context,
        DestinationEncryptionAlgorithm: algorithm.default(symmetric),
        ...grantTokens,
      }),
      (input) => {
        const source = decrypt(store, input.CiphertextBlob, {
          algorithm: input.SourceEncryptionAlgorithm,
          context: input.SourceEncryptionContext,
          reference: input.SourceKeyId,
        });
        const key = store.usable(store.resolve(input.DestinationKeyId), 'ENCRYPT_DECRYPT');
        const name = input.DestinationEncryptionAlgorithm;
        const sealed = encrypt(store, key, name, source.plaintext, input.DestinationEncryptionContext);
        return {
          CiphertextBlob: sealed.blob,
          SourceKeyId: source.key.arn,
          KeyId: key.arn,
          SourceEncryptionAlgorithm: input.SourceEncryptionAlgorithm,
          DestinationEncryptionAlgorithm: name,
          SourceKeyMaterialId: source.materialId,
          DestinationKeyMaterialId: 'materialId' in sealed ? sealed.materialId : undefined,
        };
      },
    ),
  };
}

const dataKeyInput = z
  .strictObject({
    ...underKey,
    KeySpec: z.enum(['AES_256', 'AES_128']).optional(),
    NumberOfBytes: z.int().min(1).max(1024).optional(),
  })
  .refine(
    ({ KeySpec, NumberOfBytes }) => (KeySpec === undefined) !== (NumberOfBytes === undefined),
    'Please specify either number of bytes or key spec.',
  );

function dataKeys(store: KeyStore): Record<string, Operation> {
  const generate = (withPlaintext: boolean) =>
    operation(dataKeyInput, (input) => {
      const key = store.usable(store.resolve(input.KeyId), 'ENCRYPT_DECRYPT');
      const plaintext = randomBytes(input.NumberOfBytes ?? (input.KeySpec === 'AES_128' ? 16 : 32));
      const sealed = sealSymmetric(store, key, plaintext, input.EncryptionContext);
      return {
        KeyId: key.arn,
        CiphertextBlob: sealed.blob,
        ...(withPlaintext ? { Plaintext: plaintext.toString('base64') } : {}),
        KeyMaterialId: sealed.materialId,
      };
    });
  return {
    GenerateDataKey: generate(true),
    GenerateDataKeyWithoutPlaintext: generate(false),
    GenerateRandom: operation(z.strictObject({ NumberOfBytes: z.int().min(1).max(1024) }), ({ NumberOfBytes }) => ({
      Plaintext: randomBytes(NumberOfBytes).toString('base64'),
    })),
  };
}

function dataKeyPairs(store: KeyStore): Record<string, Operation> {
  const generate = (withPlaintext: boolean) =>
    operation(z.strictObject({ ...underKey, KeyPairSpec: z.enum(pairSpecs) }), async (input) => {
      store.usable(store.resolve(input.KeyId), 'ENCRYPT_DECRYPT');
      const pair = await newPair(input.KeyPairSpec);
      // Generating the pair took a while: the key may have been disabled since.
      const key = store.usable(store.resolve(input.KeyId), 'ENCRYPT_DECRYPT');
      const sealed = sealSymmetric(store, key, pair.privateKey, input.EncryptionContext);
      return {
        KeyId: key.arn,
        KeyPairSpec: input.KeyPairSpec,
        PublicKey: pair.publicKey.toString('base64'),
        PrivateKeyCiphertextBlob: sealed.blob,
        ...(withPlaintext ? { PrivateKeyPlaintext: pair.privateKey.toString('base64') } : {}),
        KeyMaterialId: sealed.materialId,
      };
    });
  return { GenerateDataKeyPair: generate(true), GenerateDataKeyPairWithoutPlaintext: generate(false) };
}
