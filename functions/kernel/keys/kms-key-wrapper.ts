import { DecryptCommand, GenerateDataKeyCommand, type KMSClient } from '@aws-sdk/client-kms';
import { KeyRejected, KeyServiceUnavailable, SealedValueError } from './errors.ts';
import type { DataKey, KeyWrapper, StageKeyScope } from './key-wrapper.ts';

/** The KMS key for data keys, given by id, ARN or alias. */
export interface KmsKey {
  kms: Pick<KMSClient, 'send'>;
  keyId: string;
}

/** KMS errors for a ciphertext of another key, context or service. */
const unreadable: ReadonlySet<string> = new Set(['InvalidCiphertextException', 'IncorrectKeyException']);

/** KMS errors for a key that may not be used, temporarily or permanently. */
const rejectionNames: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'DisabledException',
  'InvalidArnException',
  'InvalidGrantTokenException',
  'InvalidKeyUsageException',
  'KMSInvalidStateException',
  'NotFoundException',
]);

/** Transient errors with a status below 500. */
const passing: ReadonlySet<string> = new Set([
  'DependencyTimeoutException',
  'KeyUnavailableException',
  'LimitExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TooManyRequestsException',
]);

/** Generates data keys by KMS, each bound to its scope by the encryption context, with one KMS request for each call. */
export function kmsKeyWrapper({ kms, keyId }: KmsKey): KeyWrapper<StageKeyScope> {
  return {
    async generate(scope): Promise<DataKey> {
      const context = encryptionContext(scope);
      const command = new GenerateDataKeyCommand({ KeyId: keyId, KeySpec: 'AES_256', EncryptionContext: context });
      const { Plaintext, CiphertextBlob } = await kms.send(command).catch(rethrowKmsError);
      if (!Plaintext || !CiphertextBlob) throw new KeyServiceUnavailable(new Error('a response without a key'));
      return { plaintext: Plaintext, wrapped: CiphertextBlob };
    },
    async unwrap(scope, wrapped): Promise<Uint8Array> {
      const context = encryptionContext(scope);
      // The key is named, so that a blob of a foreign key is rejected instead of decrypted.
      const command = new DecryptCommand({ KeyId: keyId, CiphertextBlob: wrapped, EncryptionContext: context });
      const { Plaintext } = await kms.send(command).catch(rethrowKmsError);
      if (!Plaintext) throw new KeyServiceUnavailable(new Error('a response without a key'));
      return Plaintext;
    },
  };
}

function encryptionContext({ environmentId, organizationId, purpose }: StageKeyScope): Record<string, string> {
  const organization = organizationId === undefined ? {} : { organization_id: organizationId };
  return { environment_id: environmentId, ...organization, purpose };
}

/**
 * Throws the error of this service that corresponds to a KMS error.
 * @throws SealedValueError, KeyRejected, KeyServiceUnavailable; any other error unchanged
 */
export function rethrowKmsError(error: unknown): never {
  const { name = '', $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  if (unreadable.has(name)) throw new SealedValueError(error);
  if (rejectionNames.has(name)) throw new KeyRejected(error);
  // An error without a status means that there was no response: no connection, or a time-out.
  const status = $metadata?.httpStatusCode ?? 500;
  if (passing.has(name) || status >= 500 || status === 429) throw new KeyServiceUnavailable(error);
  throw error;
}
