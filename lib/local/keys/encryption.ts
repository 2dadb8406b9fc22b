import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AwsError, blob, operation } from '../aws-json.ts';
import type { Operation } from '../aws-json.ts';
import { invalidCiphertext, open, seal, sealedBy } from './ciphertext.ts';
import type { EncryptionContext } from './ciphertext.ts';
import type { Key, KeyStore } from './key-store.ts';

const keyId = z.string().min(1).max(2048);
const context = z.record(z.string(), z.string()).default({});
const algorithm = z.literal('SYMMETRIC_DEFAULT').default('SYMMETRIC_DEFAULT');
const grantTokens = { GrantTokens: z.array(z.string()).optional() };
const underKey = { KeyId: keyId, EncryptionContext: context, ...grantTokens };

const maxPlaintext = 4096;
const ciphertext = blob(6144);

/** The result of a decryption. */
interface Opened {
  key: Key;
  plaintext: Buffer;
  materialId: string;
}

/** Operations that encrypt and decrypt, and that make data keys. */
export function encryptionOperations(store: KeyStore): Record<string, Operation> {
  return {
    Encrypt: operation(
      z.strictObject({ ...underKey, Plaintext: blob(maxPlaintext), EncryptionAlgorithm: algorithm }),
      (input) => {
        const sealed = encrypt(store, input.KeyId, input.Plaintext, input.EncryptionContext);
        return {
          KeyId: sealed.key.arn,
          CiphertextBlob: sealed.blob,
          EncryptionAlgorithm: input.EncryptionAlgorithm,
        };
      },
    ),
    Decrypt: operation(
      z.strictObject({
        ...underKey,
        KeyId: keyId.optional(),
        CiphertextBlob: ciphertext,
        EncryptionAlgorithm: algorithm,
      }),
      (input) => {
        const opened = decrypt(store, input.CiphertextBlob, input.EncryptionContext, input.KeyId);
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
        SourceEncryptionAlgorithm: algorithm,
        DestinationKeyId: keyId,
        DestinationEncryptionContext: context,
        DestinationEncryptionAlgorithm: algorithm,
        ...grantTokens,
      }),
      (input) => {
        const source = decrypt(store, input.CiphertextBlob, input.SourceEncryptionContext, input.SourceKeyId);
        const sealed = encrypt(store, input.DestinationKeyId, source.plaintext, input.DestinationEncryptionContext);
        return {
          CiphertextBlob: sealed.blob,
          SourceKeyId: source.key.arn,
          KeyId: sealed.key.arn,
          SourceEncryptionAlgorithm: input.SourceEncryptionAlgorithm,
          DestinationEncryptionAlgorithm: input.DestinationEncryptionAlgorithm,
          SourceKeyMaterialId: source.materialId,
          DestinationKeyMaterialId: sealed.materialId,
        };
      },
    ),
    GenerateDataKey: operation(z.strictObject({ ...underKey, KeySpec: z.literal('AES_256') }), (input) => {
      const plaintext = randomBytes(32);
      const sealed = encrypt(store, input.KeyId, plaintext, input.EncryptionContext);
      return {
        KeyId: sealed.key.arn,
        CiphertextBlob: sealed.blob,
        Plaintext: plaintext.toString('base64'),
        KeyMaterialId: sealed.materialId,
      };
    }),
  };
}

function encrypt(store: KeyStore, reference: string, plaintext: Buffer, under: EncryptionContext) {
  const key = store.usable(store.resolve(reference), 'ENCRYPT_DECRYPT');
  const material = store.material(key.id);
  const sealed = seal({ keyId: key.id, materialId: material.id }, material.secret, plaintext, under);
  return { key, blob: sealed.toString('base64'), materialId: material.id };
}

function decrypt(store: KeyStore, sealed: Buffer, under: EncryptionContext, reference: string | undefined): Opened {
  const named = reference === undefined ? undefined : store.resolve(reference);
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
  return { key, plaintext: open(sealed, material.secret, under), materialId: material.id };
}
